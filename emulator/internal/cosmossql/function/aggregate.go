package cosmossql

// aggregateOperator is one of the aggregate functions.
type aggregateOperator uint8

const (
	notAggregate aggregateOperator = iota
	aggregateCount
	aggregateSum
	aggregateMin
	aggregateMax
	aggregateAvg
)

var aggregateFunctions = []*Function{
	{Name: "COUNT", Args: "value", least: 1, most: 1, aggregate: aggregateCount, Help: "the number of rows with a defined value"},
	{Name: "SUM", Args: "number", least: 1, most: 1, aggregate: aggregateSum, Help: "the sum; undefined if a defined value is not a number"},
	{Name: "MIN", Args: "value", least: 1, most: 1, aggregate: aggregateMin, Help: "the least value in the order of types; undefined if there is an array or object"},
	{Name: "MAX", Args: "value", least: 1, most: 1, aggregate: aggregateMax, Help: "the greatest value in the order of types; undefined if there is an array or object"},
	{Name: "AVG", Args: "number", least: 1, most: 1, aggregate: aggregateAvg, Help: "the average; undefined if a defined value is not a number"},
}

// accumulator collects the values of one aggregate.
type accumulator struct {
	operator aggregateOperator
	count    int // of defined values
	sum      float64
	extreme  Value
	spoiled  bool // whether there was a value of a type that the aggregate does not take
}

// accumulator makes an empty accumulator of an aggregate.
func (f *Function) accumulator() accumulator { return accumulator{operator: f.aggregate} }

// isAggregate reports whether f is a function of many rows.
func (f *Function) isAggregate() bool { return f.aggregate != notAggregate }

// add adds the value of one row.
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

// result returns the aggregate of the values so far.
func (a *accumulator) result() Value {
	switch {
	case a.operator == aggregateCount:
		return numberValue(float64(a.count))
	case a.spoiled:
		return Value{}
	case a.operator == aggregateSum:
		return numberValue(a.sum)
	case a.operator == aggregateAvg && a.count == 0:
		return Value{}
	case a.operator == aggregateAvg:
		return numberValue(a.sum / float64(a.count))
	default:
		return a.extreme
	}
}
