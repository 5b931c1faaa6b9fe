package cosmossql

// aggregateOperator is one of the aggregate functions.
type aggregateOperator uint8

const (
	aggregateCount aggregateOperator = iota
	aggregateSum
	aggregateMin
	aggregateMax
	aggregateAvg
)

var aggregateOperators = map[string]aggregateOperator{
	"COUNT": aggregateCount, "SUM": aggregateSum, "MIN": aggregateMin, "MAX": aggregateMax, "AVG": aggregateAvg,
}

// accumulator collects the values of one aggregate.
type accumulator struct {
	operator aggregateOperator
	count    int // of defined values
	sum      float64
	extreme  Value
	spoiled  bool // a value of a type that the aggregate does not take
}

func (a *accumulator) add(v Value) {
	if v.kind == Undefined {
		return
	}
	a.count++
	switch a.operator {
	case aggregateSum, aggregateAvg:
		a.spoiled = a.spoiled || v.kind != Number
		a.sum += v.num
	case aggregateMin, aggregateMax:
		a.spoiled = a.spoiled || v.kind >= Array
		order := Compare(v, a.extreme)
		if a.operator == aggregateMin {
			order = -order
		}
		if a.count == 1 || order > 0 {
			a.extreme = v
		}
	}
}

func (a *accumulator) result() Value {
	switch {
	case a.operator == aggregateCount:
		return numberValue(float64(a.count))
	case a.spoiled:
		return Value{}
	case a.operator == aggregateSum:
		return numberValue(a.sum)
	case a.operator == aggregateAvg:
		return numberValue(a.sum / float64(a.count)) // undefined for 0/0
	default:
		return a.extreme
	}
}

// Aggregation computes the aggregates of a query. It is not safe for concurrent
// use.
type Aggregation struct {
	plan         *Plan
	accumulators []accumulator
}

// Aggregation starts the aggregates of the plan over no documents.
func (p *Plan) Aggregation() *Aggregation {
	a := &Aggregation{plan: p, accumulators: make([]accumulator, len(p.query.aggregates))}
	for i, e := range p.query.aggregates {
		a.accumulators[i].operator = e.operator
	}
	return a
}

// Add takes a document into account. The caller adds those for which Match is
// true. It allocates nothing.
func (a *Aggregation) Add(doc Value) {
	for i, argument := range a.plan.arguments {
		a.accumulators[i].add(argument(row{doc: doc}))
	}
}

// Result gives the one row of the query as JSON. ok is false if the query gives
// none, because the value that it selects is undefined. It may be called several
// times, with more documents added in between.
func (a *Aggregation) Result() (raw []byte, ok bool) {
	results := make([]Value, len(a.accumulators))
	for i := range a.accumulators {
		results[i] = a.accumulators[i].result()
	}
	return a.plan.project(row{aggregates: results})
}
