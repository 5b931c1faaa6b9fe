// Package condition has the conditions of queries as trees, which each API writes in its own
// language: SQL, OData, BSON or Gremlin. It knows no API.
package condition

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Node is a condition on a document.
//
// A comparison holds only where the property has a value of the kind of the
// comparison. Not holds exactly where its condition does not.
type Node interface{ node() }

// Comparison compares a property with values.
type Comparison struct {
	// Property is the name of the property, as the API stores it: "speed". In
	// MongoDB it may be a path: "meta.speed".
	Property string

	// Omitted says that a zero value is left out of stored documents, so that an
	// absent property counts as zero.
	Omitted bool

	Op Op

	// Values are what the property is compared with: one, but two of Between, any
	// number of In, and none of Exists. Each is a string, a bool, an int64, a uint64, a
	// float64, a time.Time, a []byte, or a type that only the API's driver knows.
	Values []any

	// Zero says that the condition holds for the zero value of the property's type,
	// and so where an omitted property is absent.
	Zero bool
}

// Op is how a property is compared.
type Op int

// The comparisons.
const (
	Eq         Op = iota + 1
	Ne            // holds where there is another value
	Lt            // less than the value
	Le            // the value or less
	Gt            // greater than the value
	Ge            // the value or greater
	Between       // from the first value to the second, both included
	In            // one of the values
	EqFold        // a text that equals the value if the case of ASCII letters is ignored
	StartsWith    // a text that begins with the value
	EndsWith      // a text that ends with the value
	Contains      // a text that contains the value
	Exists        // there is a value
)

// All holds where all its conditions hold: everywhere if there are none.
type All []Node

// Any holds where one of its conditions holds: nowhere if there is none.
type Any []Node

// Not holds where its condition does not.
type Not struct{ Of Node }

// Own is a condition that the fields of one API make, which that API alone can write.
type Own struct {
	Of interface{ Text(Node) string }
}

// Wrong is a condition that cannot be written. A query with it is refused with the error.
type Wrong struct{ Err error }

func (*Comparison) node() {}
func (All) node()         {}
func (Any) node()         {}
func (Not) node()         {}
func (Own) node()         {}
func (Wrong) node()       {}

// Check returns the error of the first Wrong in nodes, or of a node that is nil, or nil.
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

// Text returns a condition for people to read: as its own API writes it, if it has a condition
// that only one API has, and else in words of its own, such as speed > 120.
func Text(n Node) string {
	if err := Check(n); err != nil {
		return "invalid: " + err.Error()
	}
	if own := ownIn(n); own != nil {
		return own.Text(n)
	}
	return plain(n)
}

// ownIn returns the first condition of an API in n, nil if there is none.
func ownIn(n Node) interface{ Text(Node) string } {
	var terms []Node
	switch n := n.(type) {
	case Own:
		return n.Of
	case All:
		terms = n
	case Any:
		terms = n
	case Not:
		terms = []Node{n.Of}
	}
	for _, term := range terms {
		if own := ownIn(term); own != nil {
			return own
		}
	}
	return nil
}

// signs are comparisons as Text has them.
var signs = map[Op]string{
	Eq: "=", Ne: "!=", Lt: "<", Le: "<=", Gt: ">", Ge: ">=", Between: "between", In: "in", EqFold: "equals, in any case,",
	StartsWith: "starts with", EndsWith: "ends with", Contains: "contains", Exists: "has a value",
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
	case *Comparison:
		texts := make([]string, len(n.Values))
		for i, v := range n.Values {
			if s, ok := v.(string); ok {
				v = strconv.Quote(s)
			}
			texts[i] = fmt.Sprint(" ", v)
		}
		return n.Property + " " + signs[n.Op] + strings.Join(texts, ",")
	case All:
		return joined(n, "AND", "true")
	case Any:
		return joined(n, "OR", "false")
	case Not:
		return "NOT (" + plain(n.Of) + ")"
	}
	return fmt.Sprintf("a %T", n)
}
