package function

import "github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"

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
	{Name: "COUNT", Args: "value", Least: 1, Most: 1, operator: aggregateCount, Help: "the number of rows with a defined value"},
	{Name: "SUM", Args: "number", Least: 1, Most: 1, operator: aggregateSum, Help: "the sum; undefined if a defined value is not a number"},
	{Name: "MIN", Args: "value", Least: 1, Most: 1, operator: aggregateMin, Help: "the least value in the order of types; undefined if there is an array or object"},
	{Name: "MAX", Args: "value", Least: 1, Most: 1, operator: aggregateMax, Help: "the greatest value in the order of types; undefined if there is an array or object"},
	{Name: "AVG", Args: "number", Least: 1, Most: 1, operator: aggregateAvg, Help: "the average; undefined if a defined value is not a number"},
}

// Accumulator collects the values of one aggregate.
type Accumulator struct {
	operator aggregateOperator
	count    int // of defined values
	sum      float64
	extreme  value.Value
	spoiled  bool // whether there was a value of a type that the aggregate does not take
}

// Accumulator makes an empty accumulator of an aggregate.
func (f *Function) Accumulator() Accumulator { return Accumulator{operator: f.operator} }

// IsAggregate reports whether f is a function of many rows.
func (f *Function) IsAggregate() bool { return f.operator != notAggregate }

// Add adds the value of one row.
func (a *Accumulator) Add(v value.Value) {
	if v.Kind() == value.Undefined {
		return
	}
	a.count++
	switch a.operator {
	case aggregateSum, aggregateAvg:
		a.spoiled = a.spoiled || v.Kind() != value.Number
		a.sum += v.Float()
	case aggregateMin, aggregateMax:
		a.spoiled = a.spoiled || v.Kind() >= value.Array
		order := value.Compare(v, a.extreme)
		if a.operator == aggregateMin {
			order = -order
		}
		if a.count == 1 || order > 0 {
			a.extreme = v
		}
	}
}

// Result returns the aggregate of the values so far.
func (a *Accumulator) Result() value.Value {
	switch {
	case a.operator == aggregateCount:
		return value.OfFloat(float64(a.count))
	case a.spoiled:
		return value.Value{}
	case a.operator == aggregateSum:
		return value.OfFloat(a.sum)
	case a.operator == aggregateAvg && a.count == 0:
		return value.Value{}
	case a.operator == aggregateAvg:
		return value.OfFloat(a.sum / float64(a.count))
	default:
		return a.extreme
	}
}
