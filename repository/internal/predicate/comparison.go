package predicate

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/jsonvalue"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// comparison is a test of one property.
type comparison struct {
	// test is SQL with $ for the property and @ for each value in turn.
	test   string
	values []json.RawMessage

	// typed is the SQL function, such as IS_NUMBER, that checks whether the property has a
	// type for which test is defined. It is empty if test is true or false for every value.
	typed string

	// strict says that test may be true for other types, so that typed must be checked
	// first. Descriptions of the service disagree whether a number and null are unequal or
	// incomparable.
	strict bool

	// zero says that test is true for the property's zero value in Go.
	zero bool
}

// tests are the comparisons in SQL. IN and the full-text functions repeat their last value.
var tests = map[condition.Op]string{
	condition.Eq: "$ = @", condition.Ne: "$ != @", condition.Lt: "$ < @", condition.Le: "$ <= @",
	condition.Gt: "$ > @", condition.Ge: "$ >= @", condition.Between: "$ BETWEEN @ AND @", condition.In: "$ IN (@)",
	condition.EqFold: "STRINGEQUALS($, @, true)", condition.StartsWith: "STARTSWITH($, @)",
	condition.EndsWith: "ENDSWITH($, @)", condition.Contains: "CONTAINS($, @)",
	condition.Exists:  "IS_DEFINED($) AND NOT " + text.IsNull + "($)",
	condition.Defined: "IS_DEFINED($)", condition.Null: text.IsNull + "($)",
	condition.HasElement: "ARRAY_CONTAINS($, @)", condition.IsEmpty: "NOT IS_DEFINED($[0])",
	condition.HasText: "FullTextContains($, @)", condition.HasAllWords: "FullTextContainsAll($, @)",
	condition.HasSomeWord: "FullTextContainsAny($, @)",
}

// compare writes a comparison, or records an error.
func (w *Writer) compare(n *condition.Comparison, negated bool) {
	p, err := text.ParseFieldOf(w.of(), n.Property)
	if err != nil {
		w.fail(err)
		return
	}
	if n.Op == condition.In && len(n.Values) == 0 {
		w.write(condition.Any{}, negated)
		return
	}
	c, err := comparisonOf(n)
	switch {
	case err != nil:
	case p.Aliases != nil && condition.Lt <= n.Op && n.Op <= condition.Between:
		err = text.ErrRenamed
	case w.depth > 0 && condition.HasText <= n.Op && n.Op <= condition.HasSomeWord:
		err = errors.New("a full-text index has no elements of lists: use Contains")
	}
	if err != nil {
		w.fail(condition.Failed(n.Property, n.Op, err))
		return
	}
	w.underNames(p, func(p text.Field) { w.Text.WriteString(c.of(w, p, negated)) })
}

// length writes a comparison of a list's length.
func (w *Writer) length(n *condition.Comparison, negated bool) {
	p, err := text.ParseFieldOf(w.of(), n.Property)
	if err != nil {
		w.fail(err)
		return
	}
	if n.Op == condition.In && len(n.Values) == 0 {
		w.write(condition.Any{}, negated)
		return
	}
	c, err := comparisonOf(n)
	if err != nil {
		w.fail(condition.Failed(n.Property, n.Op, err))
		return
	}
	c.test = strings.ReplaceAll(c.test, "$", "ARRAY_LENGTH($)")
	w.underNames(p, func(p text.Field) {
		list := text.IsArray + "(" + p.Property + ")"
		if n.Zero {
			w.Text.WriteString("NOT " + list + " OR (" + c.sql(w, p) + ")")
		} else {
			w.Text.WriteString(list + " AND " + c.sql(w, p))
		}
	})
}

// comparisonOf returns the SQL of a comparison.
func comparisonOf(n *condition.Comparison) (comparison, error) {
	test, ok := tests[n.Op]
	if !ok {
		return comparison{}, errors.New("the comparison is not one of NoSQL")
	}
	c := comparison{test: test, zero: n.Zero, strict: n.Op == condition.Ne}
	if n.Op == condition.Exists || n.Op == condition.Defined || n.Op == condition.Null {
		c.zero = false // these depend only on the stored property
	}
	values := n.Values
	if times := timesOf(values); times != nil {
		if values = stored(n.Op, times); len(values) < len(times) && n.Op == condition.Ne {
			c.test, c.typed = text.IsString+"($)", ""
			return c, nil
		} else if len(values) == 0 {
			c.test = "false"
			return c, nil
		}
	}
	if isPart(n) { // every text contains the empty text
		return comparison{test: text.IsString + "($)", zero: true}, nil
	}
	for _, v := range values {
		data, ok := v.(json.RawMessage)
		if !ok {
			return c, fmt.Errorf("a value of type %T: the condition is of a field of another API, use the fields of the generated code", v)
		}
		if c.typed = Typed(data); n.Op == condition.HasElement {
			c.typed = text.IsArray
		}
		c.values = append(c.values, data)
	}
	if want := strings.Count(test, "@"); len(c.values) > want && want == 1 {
		c.test = strings.Replace(test, "@", "@"+strings.Repeat(", @", len(c.values)-1), 1)
	} else if len(c.values) != want {
		return c, fmt.Errorf("it has %d values, and must have %d", len(c.values), want)
	}
	return c, nil
}

// isPart reports whether n searches for an empty part of a text.
func isPart(n *condition.Comparison) bool {
	if n.Op != condition.StartsWith && n.Op != condition.EndsWith && n.Op != condition.Contains || len(n.Values) != 1 {
		return false
	}
	part, ok := n.Values[0].(json.RawMessage)
	return ok && string(part) == `""`
}

// Typed returns the SQL function that checks for the type of data.
func Typed(data json.RawMessage) string {
	switch jsonvalue.KindOf(data) {
	case jsonvalue.String:
		return text.IsString
	case jsonvalue.Bool:
		return text.IsBool
	case jsonvalue.Array:
		return text.IsArray
	case jsonvalue.Object:
		return text.IsObject
	case jsonvalue.Null:
		return text.IsNull
	}
	return text.IsNumber
}

// timesOf returns the values as times, or nil if they are not times.
func timesOf(values []any) []time.Time {
	var times []time.Time
	for _, v := range values {
		if t, ok := v.(time.Time); ok {
			times = append(times, t.UTC())
		}
	}
	return times
}

// stored rounds times so that they compare with stored times, which are whole ticks, like
// the given ones. For equality it omits times that no stored time can equal.
func stored(op condition.Op, times []time.Time) []any {
	var all []any
	for i, t := range times {
		whole := t.Truncate(jsonvalue.Tick)
		if whole.After(t) { // Truncate rounds towards the zero time
			whole = whole.Add(-jsonvalue.Tick)
		}
		if !whole.Equal(t) {
			switch {
			case op == condition.Eq, op == condition.Ne, op == condition.In:
				continue
			case op == condition.Lt, op == condition.Ge, op == condition.Between && i == 0:
				whole = whole.Add(jsonvalue.Tick)
			}
		}
		all = append(all, jsonvalue.Time(whole))
	}
	return all
}

// of returns the test of a property under one name.
func (c comparison) of(w *Writer, p text.Field, negated bool) string {
	test := c.sql(w, p)
	if c.typed != "" && (negated || c.strict) {
		test = c.typed + "(" + p.Property + ") AND " + test
	}
	if c.zero && p.Omitted {
		test = p.Absent() + " OR (" + test + ")"
	}
	return test
}

func (c comparison) sql(w *Writer, p text.Field) string {
	var b strings.Builder
	values := c.values
	for i := range len(c.test) {
		switch c.test[i] {
		case '$':
			b.WriteString(p.Property)
		case '@':
			b.WriteString(w.Parameter(values[0]))
			values = values[1:]
		default:
			b.WriteByte(c.test[i])
		}
	}
	return b.String()
}

// underNames writes the test of a property that documents may have under several names. If
// a document has several of them, the newest counts.
func (w *Writer) underNames(p text.Field, test func(text.Field)) {
	if p.Aliases == nil {
		test(p)
		return
	}
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
		w.Text.WriteString("(" + here + "(")
		test(f)
		w.Text.WriteString("))")
	}
}
