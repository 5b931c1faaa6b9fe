package predicate

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// LiteralSQL returns a condition as SQL that contains its values, since the condition of a
// patch has no parameters. The JSON of a value is its SQL too: both have the same
// escapes ("Constants" in Microsoft's reference of the query language).
func LiteralSQL(n condition.Node) (string, error) {
	w := Writer{Parameter: func(v json.RawMessage) string { return string(v) }}
	w.Write(n)
	return w.Text.String(), w.Err
}

// PlaceholderSQL returns a condition as SQL that has a question mark for each value.
func PlaceholderSQL(n condition.Node) string {
	w := Writer{Parameter: func(json.RawMessage) string { return "?" }}
	w.Write(n)
	return w.Text.String()
}

// Writer collects the text of conditions, and the first error.
type Writer struct {
	Text      strings.Builder
	Parameter func(json.RawMessage) string // returns the SQL for a value
	Err       error
}

func (w *Writer) fail(err error) {
	if w.Err == nil {
		w.Err = err
	}
}

// Write writes SQL that is true exactly where the condition holds.
func (w *Writer) Write(n condition.Node) { w.write(n, false) }

// write is Write of a condition that may be within a NOT: then the SQL is false, and not
// undefined, everywhere else.
func (w *Writer) write(n condition.Node, negated bool) {
	switch n := n.(type) {
	case condition.All:
		if w.chain(n, negated, "AND", true) {
			w.Text.WriteString("true")
		}
	case condition.Any:
		if w.chain(n, negated, "OR", true) {
			w.Text.WriteString("false")
		}
	case condition.Not:
		w.Text.WriteString("NOT (")
		w.write(n.Of, true)
		w.Text.WriteString(")")
	case condition.Own:
		if c, ok := n.Of.(*Comparison); ok {
			c.write(w, negated)
			return
		}
		w.fail(fmt.Errorf("a condition of type %T", n.Of))
	case condition.Wrong:
		w.fail(n.Err)
	case nil:
		w.fail(condition.Check(nil))
	default:
		w.fail(errors.New("the condition is of a field of another API: use the fields of the generated code"))
	}
}

// chain writes terms that an operator joins, each in parentheses, and those of chains of the
// same operator within them as if they were its own, so that a predicate that is
// built up in a loop does not nest. First says that no term comes before them. The
// result says so of the next term.
func (w *Writer) chain(terms []condition.Node, negated bool, operator string, first bool) bool {
	for _, term := range terms {
		var inner []condition.Node
		same := false
		switch term := term.(type) {
		case condition.All:
			inner, same = term, operator == "AND"
		case condition.Any:
			inner, same = term, operator == "OR"
		}
		if same {
			first = w.chain(inner, negated, operator, first)
			continue
		}
		if !first {
			w.Text.WriteString(" " + operator + " ")
		}
		first = false
		w.Text.WriteString("(")
		w.write(term, negated)
		w.Text.WriteString(")")
	}
	return first
}

// Comparison is a test of one property, which fields of package repository make.
type Comparison struct {
	Field string

	// Test is SQL with $ for the property and @ for each of the values in turn.
	Test   string
	Values []json.RawMessage

	// Typed is the SQL function that tells whether the property has the type for
	// which test is defined, such as IS_NUMBER. It is empty if test is true or
	// false for every value of the property.
	Typed string

	// Strict says that test may be true for other types, so that typed has to be
	// asked first. Descriptions of the service disagree about whether a number
	// and null are unequal or cannot be compared.
	Strict bool

	// Zero says that test is true of the property's zero value in Go.
	Zero bool
}

func (c *Comparison) write(w *Writer, negated bool) {
	p, err := text.ParseField(c.Field)
	if err != nil {
		w.fail(err)
		return
	}
	if p.Aliases == nil {
		w.Text.WriteString(c.test(w, p, negated))
		return
	}
	c.writeRenamed(w, p, negated)
}

// Text returns a condition of which c is a part, as SQL with values in place of parameters.
func (*Comparison) Text(n condition.Node) string {
	text, err := LiteralSQL(n)
	if err != nil {
		return "invalid: " + err.Error()
	}
	return text
}

// writeRenamed writes the test of a property that documents have under one of several
// names. Where it is under two of them, it is what the newer one says.
func (c *Comparison) writeRenamed(w *Writer, p text.Field, negated bool) {
	all := append([]text.Field{p}, p.Aliases...)
	earlier := ""
	for i, f := range all {
		here := earlier
		if i < len(all)-1 {
			here += "IS_DEFINED(" + f.Top + ") AND "
			earlier += "NOT IS_DEFINED(" + f.Top + ") AND "
		}
		if i > 0 {
			w.Text.WriteString(" OR ")
		}
		w.Text.WriteString("(" + here + "(" + c.test(w, f, negated) + "))")
	}
}

// test returns the test of a property under one name.
func (c *Comparison) test(w *Writer, p text.Field, negated bool) string {
	test := c.sql(w, p)
	if c.Typed != "" && (negated || c.Strict) {
		test = c.Typed + "(" + p.Property + ") AND " + test
	}
	if c.Zero && p.Omitted {
		test = p.Absent() + " OR (" + test + ")"
	}
	return test
}

// sql returns the test of property p.
func (c *Comparison) sql(w *Writer, p text.Field) string {
	var b strings.Builder
	values := c.Values
	for i := range len(c.Test) {
		switch c.Test[i] {
		case '$':
			b.WriteString(p.Property)
		case '@':
			b.WriteString(w.Parameter(values[0]))
			values = values[1:]
		default:
			b.WriteByte(c.Test[i])
		}
	}
	return b.String()
}

// JSON returns v as it is written into documents: the text that encoding/json
// writes, but perhaps for the exponent of a number. A value that a predicate refuses to
// compare with is an error here too.
//
// Texts, numbers and booleans, which most changes are made of, do not go through
// encoding/json: the text is the one allocation.
func JSON[V any](v V) (json.RawMessage, error) {
	if data := basicJSON(&v); data != nil {
		return data, nil
	}
	other := v // which goes to the heap
	data, _, err := Encode(&other)
	return data, err // data also with ErrBeyond
}

// basicJSON returns the JSON of a text, a number or a boolean, to which p points, of
// a type without a marshaller of its own, and nil for all else and for what needs a
// closer look.
func basicJSON(p any) json.RawMessage {
	switch p.(type) {
	case json.Marshaler, encoding.TextMarshaler, *json.Number: // a json.Number is a text, and a number in JSON
		return nil
	}
	switch v := reflect.ValueOf(p).Elem(); v.Kind() {
	case reflect.String:
		return plainText(v.String())
	case reflect.Bool:
		return strconv.AppendBool(nil, v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if n := v.Int(); -maxExact <= n && n <= maxExact {
			return strconv.AppendInt(nil, n, 10)
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if n := v.Uint(); n <= maxExact {
			return strconv.AppendUint(nil, n, 10)
		}
	case reflect.Float32:
		return plainFloat(v.Float(), 32)
	case reflect.Float64:
		return plainFloat(v.Float(), 64)
	}
	return nil
}

// plainText returns a text in quotes if none of its bytes needs an escape, which
// those beyond ASCII may.
func plainText(s string) json.RawMessage {
	for i := range len(s) {
		switch b := s[i]; {
		case b < ' ', b > '~', b == '"', b == '\\', b == '<', b == '>', b == '&':
			return nil
		}
	}
	b := make([]byte, 0, len(s)+2)
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// plainFloat returns a number with an exponent only where encoding/json writes
// one, so that integers up to 1e21 have none.
func plainFloat(f float64, bits int) json.RawMessage {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(make([]byte, 0, 24), f, format, -1, bits)
}

// maxExact is the largest integer up to which float64 holds all of them. Cosmos
// DB keeps numbers as float64; see "Per-item limits" on Microsoft's page "Azure
// Cosmos DB service quotas".
const maxExact = 1 << 53

// Encode returns the value that p points to as it is written into documents, and the
// SQL function that tells values of its type. It takes the address, since fields of a
// document have one and so use a MarshalJSON that has a pointer for its receiver.
func Encode(p any) (data json.RawMessage, typed string, err error) {
	data, err = wire.Marshal(p)
	var unsupported *json.UnsupportedValueError
	switch {
	case errors.As(err, &unsupported):
		return nil, "", fmt.Errorf("%s has no form in JSON, so that no document holds it: check the value first", unsupported.Str)
	case err != nil:
		return nil, "", failure.Discreet(err)
	}
	switch data[0] {
	case '"':
		return data, text.IsString, nil
	case 't', 'f':
		return data, text.IsBool, nil
	case '[':
		return data, text.IsArray, nil
	case '{':
		return data, text.IsObject, nil
	case 'n':
		return data, text.IsNull, nil
	default:
		return data, text.IsNumber, exact(reflect.ValueOf(p).Elem())
	}
}

// ErrBeyondExact is why an integer may not be what it was when it comes back.
var ErrBeyondExact = errors.New("is beyond 2^53")

// exact returns an error for an integer that float64 may not hold.
func exact(v reflect.Value) error {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.CanInt() && (v.Int() > maxExact || v.Int() < -maxExact) || v.CanUint() && v.Uint() > maxExact {
		return fmt.Errorf("the value %w: Cosmos DB keeps numbers as float64, where it may equal its neighbours; store such integers as text", ErrBeyondExact)
	}
	return nil
}

// WithETag returns a condition for a document whose ETag before has become after: where it
// compares the ETag with the one before, it compares it with the one after.
func WithETag(n condition.Node, before, after string) condition.Node {
	all := func(terms []condition.Node) []condition.Node {
		others := make([]condition.Node, len(terms))
		for i, term := range terms {
			others[i] = WithETag(term, before, after)
		}
		return others
	}
	switch n := n.(type) {
	case condition.Not:
		return condition.Not{Of: WithETag(n.Of, before, after)}
	case condition.All:
		return condition.All(all(n))
	case condition.Any:
		return condition.Any(all(n))
	case condition.Own:
		c, ok := n.Of.(*Comparison)
		if !ok {
			return n
		}
		if p, err := text.ParseField(c.Field); err != nil || p.Property != etagProperty {
			return n
		}
		other := *c
		other.Values = slices.Clone(c.Values)
		for i, value := range other.Values {
			other.Values[i] = withETag(value, before, after)
		}
		return condition.Own{Of: &other}
	}
	return n
}

var etagProperty = text.Property("/_etag")

// withETag returns a value, which is an ETag or a list of them.
func withETag(value json.RawMessage, before, after string) json.RawMessage {
	var list []json.RawMessage
	if len(value) > 0 && value[0] == '[' && json.Unmarshal(value, &list) == nil {
		for i := range list {
			list[i] = withETag(list[i], before, after)
		}
		all, err := json.Marshal(list)
		if err != nil {
			return value
		}
		return all
	}
	var tag string
	if json.Unmarshal(value, &tag) != nil || tag != before {
		return value
	}
	return json.RawMessage(text.Quote(after))
}
