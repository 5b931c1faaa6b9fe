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

var aggregateFunctions = []*function{
	{name: "COUNT", args: "value", least: 1, most: 1, aggregate: true, help: "the number of rows with a defined value"},
	{name: "SUM", args: "number", least: 1, most: 1, aggregate: true, help: "the sum; undefined if a defined value is not a number"},
	{name: "MIN", args: "value", least: 1, most: 1, aggregate: true, help: "the least value in the order of types; undefined if there is an array or object"},
	{name: "MAX", args: "value", least: 1, most: 1, aggregate: true, help: "the greatest value in the order of types; undefined if there is an array or object"},
	{name: "AVG", args: "number", least: 1, most: 1, aggregate: true, help: "the average; undefined if a defined value is not a number"},
}

// accumulator collects the values of one aggregate.
type accumulator struct {
	operator aggregateOperator
	count    int // of defined values
	sum      float64
	extreme  Value
	spoiled  bool // whether there was a value of a type that the aggregate does not take
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
	case a.operator == aggregateAvg && a.count == 0:
		return Value{}
	case a.operator == aggregateAvg:
		return numberValue(a.sum / float64(a.count))
	default:
		return a.extreme
	}
}
