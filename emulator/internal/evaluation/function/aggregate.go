package function

import (
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// aggregateOperator is one of the aggregate functions.
type aggregateOperator uint8

const (
	aggregateCount aggregateOperator = iota
	aggregateCountIf
	aggregateSum
	aggregateMin
	aggregateMax
	aggregateAvg
)

// operators are the aggregate functions by name.
var operators = map[string]aggregateOperator{
	"COUNT": aggregateCount, "COUNTIF": aggregateCountIf, "SUM": aggregateSum, "MIN": aggregateMin, "MAX": aggregateMax, "AVG": aggregateAvg,
}

// Accumulator collects the values of one aggregate.
type Accumulator struct {
	operator aggregateOperator
	count    int // of defined values
	sum      float64
	extreme  value.Value
	spoiled  bool // whether a value had a type that the aggregate does not accept
}

// Accumulate makes an empty accumulator of an aggregate.
func Accumulate(f *cosmossql.Function) Accumulator { return Accumulator{operator: operators[f.Name]} }

// Add adds the value of one row.
func (a *Accumulator) Add(v value.Value) {
	if v.Kind() == value.Undefined || a.operator == aggregateCountIf && v.Condition() != value.True {
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
	case a.operator == aggregateCount, a.operator == aggregateCountIf:
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
