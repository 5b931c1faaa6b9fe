package function

import (
	"fmt"
	"math"
	"slices"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

var arrayFunctions = []*Function{
	{
		Name: "ARRAY_CONTAINS", Defaults: []value.Value{value.OfBool(false)}, Total: true,

		Fixed: arrayContains,
	},
	arrayContainsMany("ARRAY_CONTAINS_ANY", value.Or, value.False),
	arrayContainsMany("ARRAY_CONTAINS_ALL", value.And, value.True),
	{
		Name: "ARRAY_LENGTH",
		Fixed: func(args [MaxFixed]value.Value) value.Value {
			if args[0].Kind() != value.Array {
				return value.Value{}
			}
			return value.OfFloat(float64(args[0].Len()))
		},
	},
	{
		Name: "ARRAY_CONCAT",
		List: func(name string, args []value.Value) (value.Value, error) {
			var b value.Builder
			for _, v := range args {
				if v.Kind() != value.Array {
					return value.Value{}, nil
				}
				for _, item := range v.Items() {
					if b.Add(item); b.Full() {
						return finished(name, &b)
					}
				}
			}
			return finished(name, &b)
		},
	},
	{
		Name: "ARRAY_SLICE",
		List: arraySlice,
	},
	setFunction("SETINTERSECT", func(a, b *value.Set, _, second []value.Value, out *value.Builder) {
		for _, v := range second {
			if a.Has(v) && b.Add(v) {
				out.Add(v)
			}
		}
	}),
	setFunction("SETUNION", func(_, b *value.Set, first, second []value.Value, out *value.Builder) {
		for _, list := range [][]value.Value{first, second} {
			for _, v := range list {
				if b.Add(v) {
					out.Add(v)
				}
			}
		}
	}),
	setFunction("SETDIFFERENCE", func(_, b *value.Set, first, second []value.Value, out *value.Builder) {
		for _, v := range second {
			b.Add(v)
		}
		for _, v := range first {
			if b.Add(v) {
				out.Add(v)
			}
		}
	}),
	{
		Name: "SETEQUAL",
		List: func(_ string, args []value.Value) (value.Value, error) {
			if args[0].Kind() != value.Array || args[1].Kind() != value.Array {
				return value.Value{}, nil
			}
			return value.OfBool(setOf(args[0]).Equal(setOf(args[1]))), nil
		},
	},
	arrayAggregate("ARRAY_SUM", value.Number, func(items []value.Value) value.Value {
		return accumulated(aggregateSum, items)
	}),
	arrayAggregate("ARRAY_AVG", value.Number, func(items []value.Value) value.Value {
		return accumulated(aggregateAvg, items)
	}),
	arrayAggregate("ARRAY_MIN", value.String, func(items []value.Value) value.Value {
		return accumulated(aggregateMin, items)
	}),
	arrayAggregate("ARRAY_MAX", value.String, func(items []value.Value) value.Value {
		return accumulated(aggregateMax, items)
	}),
	arrayAggregate("ARRAY_MEDIAN", value.Number, func(items []value.Value) value.Value {
		sorted := slices.SortedFunc(slices.Values(items), value.Compare)
		low, high := sorted[(len(sorted)-1)/2], sorted[len(sorted)/2]
		return value.OfFloat((low.Float() + high.Float()) / 2)
	}),
	{
		Name: "OBJECTTOARRAY",
		List: objectToArray,
	},
}

// arrayContains looks for an element. An undefined third argument counts as
// false, as in the reference interpreter of the .NET SDK's tests.
func arrayContains(args [MaxFixed]value.Value) value.Value {
	array, needle, partly := args[0], args[1], args[2]
	if array.Kind() != value.Array || needle.Kind() == value.Undefined || partly.Kind() != value.Bool && partly.Kind() != value.Undefined {
		return value.Value{}
	}
	match := value.Equal
	if partly.Bool() {
		match = value.Includes
	}
	for _, item := range array.Items() {
		if match(needle, item) {
			return value.OfBool(true)
		}
	}
	return value.OfBool(false)
}

// arrayContainsMany makes ARRAY_CONTAINS for several values, joined by a logical
// operator.
func arrayContainsMany(name string, join func(a, b value.Truth) value.Truth, start value.Truth) *Function {
	return &Function{
		Name: name, Total: true,
		List: func(_ string, args []value.Value) (value.Value, error) {
			result := start
			for _, v := range args[1:] {
				result = join(result, arrayContains([MaxFixed]value.Value{args[0], v}).Condition())
			}
			return result.Value(), nil
		},
	}
}

// arraySlice is undefined unless positions and counts are whole numbers.
func arraySlice(name string, args []value.Value) (value.Value, error) {
	array, start, count := args[0], args[1], value.OfFloat(math.MaxInt32)
	if len(args) == 3 {
		count = args[2]
	}
	if array.Kind() != value.Array || start.Kind() != value.Number || count.Kind() != value.Number ||
		start.Float() != math.Trunc(start.Float()) || count.Float() != math.Trunc(count.Float()) {
		return value.Value{}, nil
	}
	size := float64(array.Len())
	from := start.Float()
	if from < 0 {
		from = max(from+size, 0)
	}
	to := min(from+count.Float(), size)
	if from >= to {
		return arrayOf(name)
	}
	return arrayOf(name, array.Items()[int(from):int(to)]...)
}

// setFunction makes a function from two arrays to an array. Its arguments to work are the
// values of the first array as a set, an empty set for seen values, and the elements of both
// arrays.
func setFunction(name string, work func(a, b *value.Set, first, second []value.Value, out *value.Builder)) *Function {
	return &Function{
		Name: name,
		List: func(name string, args []value.Value) (value.Value, error) {
			if args[0].Kind() != value.Array || args[1].Kind() != value.Array {
				return value.Value{}, nil
			}
			var out value.Builder
			work(setOf(args[0]), &value.Set{}, args[0].Items(), args[1].Items(), &out)
			return finished(name, &out)
		},
	}
}

func setOf(array value.Value) *value.Set {
	s := &value.Set{}
	for _, v := range array.Items() {
		s.Add(v)
	}
	return s
}

// arrayAggregate makes a function of the elements of an array. It is undefined unless all
// elements are numbers or, if most is String, unless each has a kind up to String.
func arrayAggregate(name string, most cosmossql.Kind, f func(items []value.Value) value.Value) *Function {
	return &Function{
		Name: name,
		List: func(name string, args []value.Value) (value.Value, error) {
			if args[0].Kind() != value.Array {
				return value.Value{}, nil
			}
			items := args[0].Items()
			for _, v := range items {
				if v.Kind() > most || most == value.Number && v.Kind() != value.Number {
					return value.Value{}, nil
				}
			}
			if len(items) == 0 {
				return value.Value{}, fmt.Errorf("the result of %s for an empty array is not documented; test ARRAY_LENGTH first", name)
			}
			return f(items), nil
		},
	}
}

func accumulated(operator aggregateOperator, items []value.Value) value.Value {
	a := Accumulator{operator: operator}
	for _, v := range items {
		a.Add(v)
	}
	return a.Result()
}

func objectToArray(name string, args []value.Value) (value.Value, error) {
	property, content := value.OfString("k"), value.OfString("v")
	if len(args) > 1 {
		property = args[1]
	}
	if len(args) > 2 {
		content = args[2]
	}
	if args[0].Kind() != value.Object || property.Kind() != value.String || content.Kind() != value.String {
		return value.Value{}, nil
	}
	var b value.Builder
	for name, v := range args[0].Properties() {
		var o value.Builder
		o.Set(property.Text(), value.OfString(name))
		o.Set(content.Text(), v)
		b.Add(o.Object())
	}
	return finished(name, &b)
}

// arrayOf makes an array of values.
func arrayOf(name string, values ...value.Value) (value.Value, error) {
	var b value.Builder
	for _, v := range values {
		b.Add(v)
	}
	return finished(name, &b)
}

// finished returns the array. It fails if the array is too large.
func finished(name string, b *value.Builder) (value.Value, error) {
	if b.Full() {
		return value.Value{}, fmt.Errorf("%s makes an array of more than %d elements or %d bytes", name, value.MaxItems, value.MaxBytes)
	}
	return b.Array(), nil
}
