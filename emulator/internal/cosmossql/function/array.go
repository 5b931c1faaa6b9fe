package cosmossql

import (
	"fmt"
	"math"
	"slices"
)

var arrayFunctions = []*Function{
	{
		Name: "ARRAY_CONTAINS", Args: "array, value [, partly]", least: 2, most: 3, defaults: []Value{boolValue(false)}, total: true,
		Help:  "whether an array holds a value or, partly, an object with all properties of the value",
		fixed: arrayContains,
	},
	arrayContainsMany("ARRAY_CONTAINS_ANY", "whether an array holds one of several values", or, isFalse),
	arrayContainsMany("ARRAY_CONTAINS_ALL", "whether an array holds all of several values", and, isTrue),
	{
		Name: "ARRAY_LENGTH", Args: "array", least: 1, most: 1, Help: "the number of elements",
		fixed: func(args [maxFixed]Value) Value {
			if args[0].kind != Array {
				return Value{}
			}
			return numberValue(float64(args[0].Len()))
		},
	},
	{
		Name: "ARRAY_CONCAT", Args: "array, array [, …]", least: 2, most: -1, Help: "the elements of several arrays in one",
		list: func(name string, args []Value) (Value, error) {
			var b builder
			for _, v := range args {
				if v.kind != Array {
					return Value{}, nil
				}
				for _, item := range v.items() {
					if b.add(item); b.full() {
						return finished(name, &b)
					}
				}
			}
			return finished(name, &b)
		},
	},
	{
		Name: "ARRAY_SLICE", Args: "array, start [, count]", least: 2, most: 3, Help: "some elements, from a position on; a negative one counts from the end",
		list: arraySlice,
	},
	setFunction("SETINTERSECT", "the values that both arrays hold, once each, in the order of the second", func(a, b *valueSet, _, second []Value, out *builder) {
		for _, v := range second {
			if a.has(v) && b.add(v) {
				out.add(v)
			}
		}
	}),
	setFunction("SETUNION", "the values that one of the arrays holds, once each", func(_, b *valueSet, first, second []Value, out *builder) {
		for _, list := range [][]Value{first, second} {
			for _, v := range list {
				if b.add(v) {
					out.add(v)
				}
			}
		}
	}),
	setFunction("SETDIFFERENCE", "the values that only the first array holds, once each", func(_, b *valueSet, first, second []Value, out *builder) {
		for _, v := range second {
			b.add(v)
		}
		for _, v := range first {
			if b.add(v) {
				out.add(v)
			}
		}
	}),
	{
		Name: "SETEQUAL", Args: "array, array", least: 2, most: 2, Help: "whether two arrays hold the same values, however often",
		list: func(_ string, args []Value) (Value, error) {
			if args[0].kind != Array || args[1].kind != Array {
				return Value{}, nil
			}
			return boolValue(setOf(args[0]).equal(setOf(args[1]))), nil
		},
	},
	arrayAggregate("ARRAY_SUM", "the sum of the elements, all numbers", Number, func(items []Value) Value {
		return accumulated(aggregateSum, items)
	}),
	arrayAggregate("ARRAY_AVG", "the average of the elements, all numbers", Number, func(items []Value) Value {
		return accumulated(aggregateAvg, items)
	}),
	arrayAggregate("ARRAY_MIN", "the least element in the order of types, not arrays or objects", String, func(items []Value) Value {
		return accumulated(aggregateMin, items)
	}),
	arrayAggregate("ARRAY_MAX", "the greatest element in the order of types, not arrays or objects", String, func(items []Value) Value {
		return accumulated(aggregateMax, items)
	}),
	arrayAggregate("ARRAY_MEDIAN", "the median of the elements, all numbers", Number, func(items []Value) Value {
		sorted := slices.SortedFunc(slices.Values(items), Compare)
		low, high := sorted[(len(sorted)-1)/2], sorted[len(sorted)/2]
		return numberValue((low.num + high.num) / 2)
	}),
	{
		Name: "OBJECTTOARRAY", Args: "object [, nameProperty, valueProperty]", least: 1, most: 3,
		Help: "an array of the properties of an object, by default as objects of k and v", list: objectToArray,
	},
}

// arrayContains looks for an element. An undefined third argument counts as
// false, as in the reference interpreter of the .NET SDK's tests.
func arrayContains(args [maxFixed]Value) Value {
	array, needle, partly := args[0], args[1], args[2]
	if array.kind != Array || needle.kind == Undefined || partly.kind != Bool && partly.kind != Undefined {
		return Value{}
	}
	match := Equal
	if partly.Bool() {
		match = partlyEqual
	}
	for _, item := range array.items() {
		if match(needle, item) {
			return boolValue(true)
		}
	}
	return boolValue(false)
}

// arrayContainsMany makes ARRAY_CONTAINS for several values, joined by a logical
// operator.
func arrayContainsMany(name, help string, join func(a, b truth) truth, start truth) *Function {
	return &Function{
		Name: name, Args: "array, value [, …]", Help: help, least: 2, most: -1, total: true,
		list: func(_ string, args []Value) (Value, error) {
			result := start
			for _, v := range args[1:] {
				result = join(result, arrayContains([maxFixed]Value{args[0], v}).condition())
			}
			return result.value(), nil
		},
	}
}

// arraySlice is undefined unless positions and counts are whole numbers.
func arraySlice(name string, args []Value) (Value, error) {
	array, start, count := args[0], args[1], numberValue(math.MaxInt32)
	if len(args) == 3 {
		count = args[2]
	}
	if array.kind != Array || start.kind != Number || count.kind != Number ||
		start.num != math.Trunc(start.num) || count.num != math.Trunc(count.num) {
		return Value{}, nil
	}
	size := float64(array.Len())
	from := start.num
	if from < 0 {
		from = max(from+size, 0)
	}
	to := min(from+count.num, size)
	if from >= to {
		return arrayOf(name)
	}
	return arrayOf(name, array.items()[int(from):int(to)]...)
}

// setFunction makes a function from two arrays to an array. work is called with the
// values of the first array as a set, an empty set to remember values in, and the
// elements of both arrays.
func setFunction(name, help string, work func(a, b *valueSet, first, second []Value, out *builder)) *Function {
	return &Function{
		Name: name, Args: "array, array", Help: help, least: 2, most: 2,
		list: func(name string, args []Value) (Value, error) {
			if args[0].kind != Array || args[1].kind != Array {
				return Value{}, nil
			}
			var out builder
			work(setOf(args[0]), &valueSet{}, args[0].items(), args[1].items(), &out)
			return finished(name, &out)
		},
	}
}

func setOf(array Value) *valueSet {
	s := &valueSet{}
	for _, v := range array.items() {
		s.add(v)
	}
	return s
}

// arrayAggregate makes a function of the elements of an array. It is undefined
// unless all elements are numbers or, if most is String, of a kind up to String.
func arrayAggregate(name, help string, most Kind, f func(items []Value) Value) *Function {
	return &Function{
		Name: name, Args: "array", Help: help, least: 1, most: 1,
		list: func(name string, args []Value) (Value, error) {
			if args[0].kind != Array {
				return Value{}, nil
			}
			items := args[0].items()
			for _, v := range items {
				if v.kind > most || most == Number && v.kind != Number {
					return Value{}, nil
				}
			}
			if len(items) == 0 {
				return Value{}, fmt.Errorf("the result of %s for an empty array is not documented; test ARRAY_LENGTH first", name)
			}
			return f(items), nil
		},
	}
}

func accumulated(operator aggregateOperator, items []Value) Value {
	a := accumulator{operator: operator}
	for _, v := range items {
		a.add(v)
	}
	return a.result()
}

func objectToArray(name string, args []Value) (Value, error) {
	property, content := stringValue("k"), stringValue("v")
	if len(args) > 1 {
		property = args[1]
	}
	if len(args) > 2 {
		content = args[2]
	}
	if args[0].kind != Object || property.kind != String || content.kind != String {
		return Value{}, nil
	}
	var b builder
	for name, v := range args[0].properties() {
		var o builder
		o.set(property.str, stringValue(name))
		o.set(content.str, v)
		b.add(o.object())
	}
	return finished(name, &b)
}

// arrayOf makes an array of values.
func arrayOf(name string, values ...Value) (Value, error) {
	var b builder
	for _, v := range values {
		b.add(v)
	}
	return finished(name, &b)
}

// finished returns the array. A call whose array is too large fails.
func finished(name string, b *builder) (Value, error) {
	if b.full() {
		return Value{}, fmt.Errorf("%s makes an array of more than %d elements or %d bytes", name, maxMadeItems, maxMadeBytes)
	}
	return b.array(), nil
}
