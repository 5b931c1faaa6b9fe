package cosmossql

// row is what an expression is evaluated over: a document, which is an object,
// and for all but the simplest queries a frame. It is passed by value, so that the
// evaluation of a plain filter allocates nothing, and small, so that it stays in
// registers.
type row struct {
	doc   *composite
	frame *frame
}

// frame holds the state of one evaluation of a plan.
type frame struct {
	slots      []Value // of the names of FROM, from slot 1 on
	aggregates []Value // results, by slot
	tuples     int     // combinations of FROM seen for the current document
	err        *Error  // the first reason not to go on
	buffer     []byte
}

// at gives the value of a slot.
func (r row) at(slot int) Value {
	if slot == 0 {
		return Value{kind: Object, comp: r.doc}
	}
	return r.frame.slots[slot-1]
}

// fail notes why the evaluation cannot go on. What is evaluated until somebody
// looks is undefined. It returns undefined for the convenience of its callers.
func (f *frame) fail(err *Error) Value {
	if f.err == nil {
		f.err = err
	}
	return Value{}
}

// result gives the error as an error that is nil if there is none.
func (f *frame) result() error {
	if f.err == nil {
		return nil
	}
	return f.err
}

// newFrame makes a frame for the query.
func (q *Query) newFrame() *frame {
	values := make([]Value, q.slots+q.aggregates)
	return &frame{slots: values[:q.slots:q.slots], aggregates: values[q.slots:]}
}
