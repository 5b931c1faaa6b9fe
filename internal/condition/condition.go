// Package condition has the conditions of queries as trees, which the driver of each
// API writes in its own language: OData, BSON or Gremlin. It knows no API.
package condition

import "errors"

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

// Wrong is a condition that cannot be written. A query with it is refused with the error.
type Wrong struct{ Err error }

func (*Comparison) node() {}
func (All) node()         {}
func (Any) node()         {}
func (Not) node()         {}
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
