// Package condition represents the conditions of queries as trees, which each API writes in its own
// language: SQL, OData, BSON or Gremlin. It knows no API.
package condition

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Node is a condition on a document.
//
// A comparison holds only if the property has a value of the comparison's kind. Not holds exactly
// if its condition does not.
type Node interface{ node() }

// Comparison compares a property with values.
type Comparison struct {
	// Property is the name of the property, as the API stores it: "speed". In MongoDB it may be a
	// path: "meta.speed". In NoSQL it is the field of generated code: a JSON pointer after marks,
	// such as "?/meta/speed".
	Property string

	// Omitted is set if a zero value is not stored, so an absent property counts as zero. NoSQL has
	// this in Property.
	Omitted bool

	Op Op

	// Values are the operands: two for Between, any number for In, none for Exists, otherwise one.
	// Each is a string, a bool, an int64, a uint64, a float64, a time.Time, a []byte, or a type
	// that only the API's driver knows. In NoSQL each is a json.RawMessage, or a time.Time.
	Values []any

	// Text is set if the values have a text form of their own. The other APIs store them as texts.
	Text bool

	// Zero is set if the condition holds for the zero value of the property's type, and so for an
	// absent property if Omitted is set.
	Zero bool
}

// Op is a comparison operator.
type Op int

// The operators.
const (
	Eq         Op = iota + 1
	Ne            // another value
	Lt            // less than the value
	Le            // the value or less
	Gt            // greater than the value
	Ge            // the value or greater
	Between       // from the first value to the second, both included
	In            // one of the values
	EqFold        // a text that equals the value, ignoring the case of ASCII letters
	StartsWith    // a text that begins with the value
	EndsWith      // a text that ends with the value
	Contains      // a text that contains the value
	Exists        // any value

	// The operators below exist in NoSQL only.

	Defined     // the property is present, even as null
	Null        // the property is null
	HasElement  // a list that has the value as an element
	IsEmpty     // a list without an element, null, or no property
	HasText     // a text that contains the words of the value, by a full-text index
	HasAllWords // a text that contains each value, by a full-text index
	HasSomeWord // a text that contains one value or more, by a full-text index
)

// methods are the names of the methods of fields that make the comparisons.
var methods = [...]string{
	Eq: "Eq", Ne: "Ne", Lt: "Lt", Le: "Le", Gt: "Gt", Ge: "Ge", Between: "Between", In: "In", EqFold: "EqualFold",
	StartsWith: "StartsWith", EndsWith: "EndsWith", Contains: "Contains", Exists: "HasValue",
	Defined: "IsDefined", Null: "IsNull", HasElement: "Contains", IsEmpty: "IsEmpty",
	HasText: "ContainsText", HasAllWords: "ContainsAll", HasSomeWord: "ContainsAny",
}

// String returns the name of the method.
func (op Op) String() string {
	if op < Eq || int(op) >= len(methods) {
		return fmt.Sprintf("comparison %d", int(op))
	}
	return methods[op]
}

// Failed returns the error of a comparison of a field. The text of err names the field's path.
func Failed(field string, op Op, err error) error {
	return fmt.Errorf("field %q: %v: %w", Path(field), op, err)
}

// IsPointer reports whether a field belongs to NoSQL: a JSON pointer, optionally after a question
// mark with a number, and former names of its first property after <.
func IsPointer(field string) bool {
	if field == Element {
		return true
	}
	mark := strings.TrimLeft(strings.TrimPrefix(field, "?"), "0123456789")
	return mark != "" && (mark[0] == '/' || mark[0] == '<')
}

// Path returns the path of a field without marks.
func Path(field string) string {
	if i := strings.IndexByte(field, '/'); i > 0 && IsPointer(field) {
		return field[i:]
	}
	return strings.TrimPrefix(field, "?")
}

// Element is the field of an element itself, if the list has no objects.
const Element = "."

// Elements is a condition on the elements of a list, in NoSQL. It holds if Of holds for at least
// one element, or for every element.
type Elements struct {
	Property string // the list, as Comparison.Property of NoSQL
	Every    bool
	Of       Node // its properties are properties of the element
}

// Length compares the number of elements of a list, in NoSQL. Of.Property is the list. Without a
// list the number is 0.
type Length struct{ Of *Comparison }

// All holds if all its conditions hold. An empty All always holds.
type All []Node

// Any holds if one of its conditions holds. An empty Any never holds.
type Any []Node

// Not holds if its condition does not.
type Not struct{ Of Node }

// Wrong is a condition that cannot be written. A query with it fails with Err.
type Wrong struct{ Err error }

func (*Comparison) node() {}
func (All) node()         {}
func (Any) node()         {}
func (Not) node()         {}
func (Wrong) node()       {}
func (Elements) node()    {}
func (Length) node()      {}

// Check returns the error of the first Wrong or nil node in nodes, or nil.
func Check(nodes ...Node) error {
	for _, n := range nodes {
		var err error
		switch n := n.(type) {
		case Wrong:
			err = n.Err
		case All:
			err = Check(n...)
		case Any:
			err = Check(n...)
		case Not:
			err = Check(n.Of)
		case Elements:
			err = Check(n.Of)
		case nil:
			err = errors.New("a condition is nil: make conditions with the fields of the type")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Order sorts the documents of a query by a property.
type Order struct {
	Property   string
	Omitted    bool
	Descending bool
}

// Score ranks documents: a text by words, or a vector by its distance from another one.
type Score struct {
	Property string    // the field of generated code
	Words    []string  // of a text
	Vector   []float64 // the vector to compare with; nil for a text
	Bits     int       // of the numbers of the vector: 32 or 64
	Weight   float64   // relative to other scores; 1 by default
	Err      error     // why it cannot be written, or nil
}

// Text returns a condition in readable form, such as speed > 120.
func Text(n Node) string {
	if err := Check(n); err != nil {
		return "invalid: " + err.Error()
	}
	return plain(n)
}

// Shown returns the path of a field in readable form: meta.speed, in NoSQL too.
func Shown(field string) string {
	path := Path(field)
	if field == Element {
		return "the element"
	}
	if IsPointer(field) {
		path = strings.ReplaceAll(path[1:], "/", ".")
	}
	return path
}

// signs are the operators in the output of Text.
var signs = map[Op]string{
	Eq: "=", Ne: "!=", Lt: "<", Le: "<=", Gt: ">", Ge: ">=", Between: "between", In: "in", EqFold: "equals, in any case,",
	StartsWith: "starts with", EndsWith: "ends with", Contains: "contains", Exists: "has a value",
	Defined: "is defined", Null: "is null", HasElement: "has the element", IsEmpty: "is empty",
	HasText: "has the text", HasAllWords: "has all the words", HasSomeWord: "has one of the words",
}

func plain(n Node) string {
	joined := func(terms []Node, word, none string) string {
		var all []string
		for _, term := range terms {
			if text := plain(term); text != none {
				all = append(all, "("+text+")")
			}
		}
		if len(all) == 0 {
			return none
		}
		return strings.Join(all, " "+word+" ")
	}
	switch n := n.(type) {
	case Elements:
		which := " has an element with "
		if n.Every {
			which = " has only elements with "
		}
		return Shown(n.Property) + which + "(" + plain(n.Of) + ")"
	case Length:
		of := *n.Of
		of.Zero = false // the rest of Text describes values
		return "the length of " + plain(&of)
	case *Comparison:
		texts := make([]string, len(n.Values))
		for i, v := range n.Values {
			switch own := v.(type) {
			case string:
				v = strconv.Quote(own)
			case json.RawMessage:
				v = string(own)
			case time.Time:
				v = own.UTC().Format(time.RFC3339Nano)
			}
			texts[i] = fmt.Sprint(" ", v)
		}
		comma := ","
		if n.Op == Between {
			comma = " and"
		}
		text := Shown(n.Property) + " " + signs[n.Op] + strings.Join(texts, comma)
		if n.Zero && (n.Omitted || strings.HasPrefix(n.Property, "?")) {
			text += " or absent"
		}
		return text
	case All:
		return joined(n, "AND", "true")
	case Any:
		return joined(n, "OR", "false")
	case Not:
		return "NOT (" + plain(n.Of) + ")"
	}
	return fmt.Sprintf("a %T", n)
}
