package evaluation

import (
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// row is the input of an expression: a document, which is an object, and a frame for all but
// the simplest queries. It is passed by value, so that the evaluation of a plain filter
// allocates nothing, and it is small, so that it stays in registers.
type row struct {
	doc   *value.Members
	frame *frame
}

// frame holds the state of one evaluation of a plan.
type frame struct {
	slots      []value.Value    // of the names of FROM, from slot 1 on
	aggregates []value.Value    // results, by slot
	tuples     int              // combinations of FROM seen for the current document
	err        *cosmossql.Error // the first error, which ends the evaluation
	buffer     []byte
}

// at returns the value of a slot.
func (r row) at(slot int) value.Value {
	if slot == 0 {
		return r.doc.Object()
	}
	return r.frame.slots[slot-1]
}

// fail records the error that ends the evaluation. It returns undefined, with which the
// evaluation continues until the error is checked.
func (f *frame) fail(err *cosmossql.Error) value.Value {
	if f.err == nil {
		f.err = err
	}
	return value.Value{}
}

// result returns the error; it is a nil interface if there is no error.
func (f *frame) result() error {
	if f.err == nil {
		return nil
	}
	return f.err
}

// newFrame makes a frame for a query.
func newFrame(q *cosmossql.Query) *frame {
	values := make([]value.Value, q.Slots+q.Aggregates)
	return &frame{slots: values[:q.Slots:q.Slots], aggregates: values[q.Slots:]}
}
