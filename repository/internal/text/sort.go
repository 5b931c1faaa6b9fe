package text

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
)

// sortKind is a type of value. Cosmos DB sorts types in this order: "ORDER BY clause" in
// Microsoft's reference of the query language.
type sortKind uint8

const (
	sortUndefined sortKind = iota
	sortNull
	sortFalse
	sortTrue
	sortNumber
	sortString
	sortArray
	sortObject
)

// SortValue is the value of a property for ORDER BY. The zero value is that of an absent
// property.
type SortValue struct { //nolint:recvcheck // UnmarshalJSON needs a pointer
	kind   sortKind
	number float64
	text   string
}

// SortValueOf parses a JSON value. Nil is an absent property.
func SortValueOf(raw []byte) (SortValue, error) {
	if len(raw) == 0 {
		return SortValue{}, nil
	}
	switch raw[0] {
	case 'n':
		return SortValue{kind: sortNull}, nil
	case 'f':
		return SortValue{kind: sortFalse}, nil
	case 't':
		return SortValue{kind: sortTrue}, nil
	case '[':
		return SortValue{kind: sortArray}, nil
	case '{':
		return SortValue{kind: sortObject}, nil
	case '"':
		if bytes.IndexByte(raw, '\\') < 0 {
			return SortValue{kind: sortString, text: string(raw[1 : len(raw)-1])}, nil
		}
		v := SortValue{kind: sortString}
		err := json.Unmarshal(raw, &v.text)
		return v, err
	}
	n, err := strconv.ParseFloat(string(raw), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) { // ErrRange gives an infinity
		return SortValue{}, err
	}
	return SortValue{kind: sortNumber, number: n}, nil
}

// Compare orders values as ORDER BY, MIN and MAX do: first by type, numbers as float64,
// strings by their UTF-8 bytes. All arrays are equal, and all objects are equal.
func (v SortValue) Compare(w SortValue) int {
	switch {
	case v.kind != w.kind:
		return cmp.Compare(v.kind, w.kind)
	case v.kind == sortNumber:
		return cmp.Compare(v.number, w.number)
	default:
		return strings.Compare(v.text, w.text)
	}
}

// Canonical returns a text that is the same exactly for values that Compare as equal.
func (v SortValue) Canonical() string {
	switch v.kind {
	case sortNumber:
		return "#" + strconv.FormatFloat(v.number+0, 'g', -1, 64) // a negative zero is zero
	case sortString:
		return `"` + v.text
	default:
		return string('a' + rune(v.kind))
	}
}

// sortValueJSON is a sort value in cursors.
type sortValueJSON struct {
	Kind   sortKind `json:"k"`
	Number float64  `json:"n,omitempty"`
	Text   string   `json:"s,omitempty"`
}

// MarshalJSON implements json.Marshaler.
func (v SortValue) MarshalJSON() ([]byte, error) {
	return json.Marshal(sortValueJSON{v.kind, v.number, v.text})
}

// UnmarshalJSON implements json.Unmarshaler.
func (v *SortValue) UnmarshalJSON(data []byte) error {
	var j sortValueJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	if j.Kind > sortObject || j.Kind != sortNumber && j.Number != 0 || j.Kind != sortString && j.Text != "" {
		return fmt.Errorf("no value of kind %d", j.Kind)
	}
	*v = SortValue{j.Kind, j.Number, j.Text}
	return nil
}

// Order is one term of an ORDER BY clause.
type Order struct {
	Property   string   // in SQL
	Path       []string // the names that lead to it within a document
	Descending bool
}

// NewOrder returns the order by a field of generated code; see [ParseField].
func NewOrder(field string, descending bool) (Order, error) {
	p, err := ParseField(field)
	if p.Aliases != nil {
		err = fmt.Errorf("%s: %w", p.Property, ErrRenamed)
	}
	_, pointer, _ := strings.Cut(field, "/")
	return Order{Property: p.Property, Path: jsonpointer.Names("/" + pointer), Descending: descending}, err
}

// OrderClause returns the ORDER BY clause, with a leading space, or "" without orders.
func OrderClause(orders []Order) string {
	terms := make([]string, len(orders))
	for i, o := range orders {
		terms[i] = o.Property + " ASC"
		if o.Descending {
			terms[i] = o.Property + " DESC"
		}
	}
	if len(terms) == 0 {
		return ""
	}
	return " ORDER BY " + strings.Join(terms, ", ")
}

// SortKeys appends the sort values of a document.
func SortKeys(to []SortValue, orders []Order, document []byte) ([]SortValue, error) {
	for _, o := range orders {
		v, err := SortValueOf(ValueAt(document, o.Path))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.Property, err)
		}
		to = append(to, v)
	}
	return to, nil
}

// CompareKeys compares the sort values of two documents.
func CompareKeys(orders []Order, a, b []SortValue) int {
	for i, o := range orders {
		if c := a[i].Compare(b[i]); c != 0 {
			if o.Descending {
				return -c
			}
			return c
		}
	}
	return 0
}

// After returns the condition that a document sorts after keys or, unless strict, like
// them. It consists of comparisons, which are true within one type, and of tests for types
// that sort later. The other SDKs resume an ORDER BY in this way
// (OrderByCrossPartitionQueryPipelineStage in azure-cosmos-dotnet-v3).
func After(orders []Order, keys []SortValue, strict bool) (string, []Parameter) {
	var parameters []Parameter
	condition := ""
	for i, order := range slices.Backward(orders) {
		parameter := OwnParameter + "C" + strconv.Itoa(i)
		if value := keys[i].parameter(); value != nil {
			parameters = append(parameters, Parameter{Name: parameter, Value: value})
		}
		last := i == len(orders)-1
		terms := order.after(keys[i], parameter, last && !strict)
		if !last {
			terms = append(terms, "("+order.same(keys[i], parameter)+" AND ("+condition+"))")
		}
		if len(terms) == 0 { // no value sorts later
			terms = append(terms, "false")
		}
		condition = strings.Join(terms, " OR ")
	}
	return condition, parameters
}

// parameter returns the value of a parameter, or nil if conditions need none.
func (v SortValue) parameter() any {
	switch v.kind {
	case sortNumber:
		return v.number
	case sortString:
		return v.text
	default:
		return nil
	}
}

// is returns the condition that a property has a value of this kind.
func (k sortKind) is(property string) string {
	switch k {
	case sortUndefined:
		return "NOT IS_DEFINED(" + property + ")"
	case sortNull:
		return IsNull + "(" + property + ")"
	case sortFalse:
		return property + " = false"
	case sortTrue:
		return property + " = true"
	case sortNumber:
		return IsNumber + "(" + property + ")"
	case sortString:
		return IsString + "(" + property + ")"
	case sortArray:
		return IsArray + "(" + property + ")"
	default:
		return IsObject + "(" + property + ")"
	}
}

// same returns the condition that a property sorts like v.
func (o Order) same(v SortValue, parameter string) string {
	if v.parameter() != nil {
		return o.Property + " = " + parameter
	}
	return v.kind.is(o.Property)
}

// after returns alternative conditions: one holds if a property sorts after v, or, if
// included is set, like v.
func (o Order) after(v SortValue, parameter string, included bool) []string {
	var terms []string
	if v.parameter() != nil {
		operator := " >"
		if o.Descending {
			operator = " <"
		}
		if included {
			operator += "="
		}
		terms = append(terms, o.Property+operator+" "+parameter)
	} else if included {
		terms = append(terms, v.kind.is(o.Property))
	}
	for kind := sortUndefined; kind <= sortObject; kind++ {
		if o.Descending && kind < v.kind || !o.Descending && kind > v.kind {
			terms = append(terms, kind.is(o.Property))
		}
	}
	return terms
}
