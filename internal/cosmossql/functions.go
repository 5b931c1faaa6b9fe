package cosmossql

import (
	"fmt"
	"strings"
	"sync"
)

// Function is the signature of a system function, from its page in Microsoft's reference "System
// functions". If an argument is undefined or has a wrong type, the result is undefined.
type Function struct {
	Name     string // in upper case; queries may write it in any case
	Category string // such as "String" or "Aggregate"
	Args     string // such as "text, prefix [, ignoreCase]"
	Help     string // its result, in one phrase
	Result   Kinds  // kinds of results, besides undefined

	Least, Most int // the number of arguments, from Args; Most is -1 without a limit

	// Volatile is set if each call may return another result.
	Volatile bool
	// Clock is set if the result is constant only within one query.
	Clock bool
	// RankOnly is set for functions that only ORDER BY RANK allows.
	RankOnly bool
}

// VectorDistance is the function by which ORDER BY finds the nearest vectors.
const VectorDistance = "VECTORDISTANCE"

// Categories with rules of their own.
const (
	aggregates  = "Aggregate"
	conditional = "Conditional"
	fullText    = "Full text"
)

// Spatial is the category of geometric functions.
const Spatial = "Spatial"

// IsAggregate reports whether f aggregates rows.
func (f *Function) IsAggregate() bool { return f.Category == aggregates }

// Arity describes how many arguments f takes.
func (f *Function) Arity() string {
	switch {
	case f.Most < 0:
		return fmt.Sprintf("at least %d arguments", f.Least)
	case f.Most > f.Least:
		return fmt.Sprintf("%d to %d arguments", f.Least, f.Most)
	case f.Least == 1:
		return "1 argument"
	default:
		return fmt.Sprintf("%d arguments", f.Least)
	}
}

// Functions lists all functions, by category and name.
func Functions() []*Function { return functions().list }

// FindFunction returns the function with a name in upper case.
func FindFunction(name string) (*Function, bool) {
	f, ok := functions().byName[name]
	return f, ok
}

// table holds all functions.
type table struct {
	list   []*Function
	byName map[string]*Function
}

// functions is built on first use: programs that only quote names do not need it.
var functions = sync.OnceValue(func() table {
	t := table{byName: map[string]*Function{}}
	for _, category := range categories() {
		for _, f := range category.list {
			f.Category = category.name
			f.Least, f.Most = arity(f.Args)
			t.list = append(t.list, f)
			t.byName[f.Name] = f
		}
	}
	return t
})

// arity returns the numbers of arguments in a signature; most is -1 with an ellipsis.
func arity(args string) (least, most int) {
	if args == "" {
		return 0, 0
	}
	required, optional, _ := strings.Cut(args, " [")
	least = strings.Count(required, ",") + 1
	if strings.Contains(optional, "…") {
		return least, -1
	}
	return least, least + strings.Count(optional, ",")
}

// category is a group of functions, sorted by name.
type category struct {
	name string
	list []*Function
}

func categories() []category { //nolint:funlen // a table
	const (
		null     = Kinds(1 << KindNull)
		boolean  = Kinds(1 << KindBool)
		number   = Kinds(1 << KindNumber)
		text     = Kinds(1 << KindString)
		array    = Kinds(1 << KindArray)
		object   = Kinds(1 << KindObject)
		scalar   = null | boolean | number | text
		anything = AnyKind
	)
	return []category{
		{aggregates, []*Function{
			{Name: "AVG", Args: "number", Result: number, Help: "the average; undefined if a defined value is not a number"},
			{Name: "COUNT", Args: "value", Result: number, Help: "the number of rows with a defined value"},
			{Name: "COUNTIF", Args: "condition", Result: number, Help: "the number of rows for which a condition is true"},
			{Name: "MAX", Args: "value", Result: scalar, Help: "the greatest value in the order of types; undefined if there is an array or object"},
			{Name: "MIN", Args: "value", Result: scalar, Help: "the least value in the order of types; undefined if there is an array or object"},
			{Name: "SUM", Args: "number", Result: number, Help: "the sum; undefined if a defined value is not a number"},
		}},
		{"Array", []*Function{
			{Name: "ARRAY_AVG", Args: "array", Result: number, Help: "the average of the elements, all numbers"},
			{Name: "ARRAY_CONCAT", Args: "array, array [, …]", Result: array, Help: "the elements of several arrays in one"},
			{Name: "ARRAY_CONTAINS", Args: "array, value [, partly]", Result: boolean, Help: "whether an array holds a value or, partly, an object with all properties of the value"},
			{Name: "ARRAY_CONTAINS_ALL", Args: "array, value [, …]", Result: boolean, Help: "whether an array holds all of several values"},
			{Name: "ARRAY_CONTAINS_ANY", Args: "array, value [, …]", Result: boolean, Help: "whether an array holds one of several values"},
			{Name: "ARRAY_LENGTH", Args: "array", Result: number, Help: "the number of elements"},
			{Name: "ARRAY_MAX", Args: "array", Result: scalar, Help: "the greatest element in the order of types, not arrays or objects"},
			{Name: "ARRAY_MEDIAN", Args: "array", Result: number, Help: "the median of the elements, all numbers"},
			{Name: "ARRAY_MIN", Args: "array", Result: scalar, Help: "the least element in the order of types, not arrays or objects"},
			{Name: "ARRAY_SLICE", Args: "array, start [, count]", Result: array, Help: "some elements, from a position on; a negative one counts from the end"},
			{Name: "ARRAY_SUM", Args: "array", Result: number, Help: "the sum of the elements, all numbers"},
			{Name: "OBJECTTOARRAY", Args: "object [, nameProperty, valueProperty]", Result: array, Help: "an array of the properties of an object, by default as objects of k and v"},
			{Name: "SETDIFFERENCE", Args: "array, array", Result: array, Help: "the values that only the first array holds, once each"},
			{Name: "SETEQUAL", Args: "array, array", Result: boolean, Help: "whether two arrays hold the same values, however often"},
			{Name: "SETINTERSECT", Args: "array, array", Result: array, Help: "the values that both arrays hold, once each, in the order of the second"},
			{Name: "SETUNION", Args: "array, array", Result: array, Help: "the values that one of the arrays holds, once each"},
		}},
		{conditional, []*Function{
			{Name: "CHOOSE", Args: "position, value [, …]", Result: anything, Help: "the argument at a position, counted from 1 after the position itself"},
			{Name: "IIF", Args: "condition, then, otherwise", Result: anything, Help: "the second argument if the first is true, else the third"},
		}},
		{"Date and time", []*Function{
			{Name: "DATETIMEADD", Args: "unit, number, time", Result: text, Help: "the time moved by a number of units"},
			{Name: "DATETIMEBIN", Args: "time, unit [, size] [, origin]", Result: text, Help: "the beginning of the bin of some units, counted from 1970 or an origin, that a time falls into"},
			{Name: "DATETIMEDIFF", Args: "unit, from, to", Result: number, Help: "how many boundaries of a unit lie between two times"},
			{Name: "DATETIMEFROMPARTS", Args: "year, month, day [, hour] [, minute] [, second] [, fraction]", Result: text, Help: "the time of its parts, the fraction in units of 100 ns"},
			{Name: "DATETIMEPART", Args: "unit, time", Result: number, Help: "one part of a time"},
			{Name: "DATETIMETOTICKS", Args: "time", Result: number, Help: "a time in units of 100 ns since 1970"},
			{Name: "DATETIMETOTIMESTAMP", Args: "time", Result: number, Help: "a time in milliseconds since 1970"},
			{Name: "DAY", Args: "time", Result: number, Help: "the day of the month"},
			{Name: "GETCURRENTDATETIME", Result: text, Volatile: true, Help: "the time now, as text"},
			{Name: "GETCURRENTDATETIMESTATIC", Result: text, Clock: true, Help: "the time when the query began, as text"},
			{Name: "GETCURRENTTICKS", Result: number, Volatile: true, Help: "the time now, in units of 100 ns since 1970"},
			{Name: "GETCURRENTTICKSSTATIC", Result: number, Clock: true, Help: "the time when the query began, in units of 100 ns since 1970"},
			{Name: "GETCURRENTTIMESTAMP", Result: number, Volatile: true, Help: "the time now, in milliseconds since 1970"},
			{Name: "GETCURRENTTIMESTAMPSTATIC", Result: number, Clock: true, Help: "the time when the query began, in milliseconds since 1970"},
			{Name: "MONTH", Args: "time", Result: number, Help: "the month, from 1"},
			{Name: "TICKSTODATETIME", Args: "ticks", Result: text, Help: "the time of units of 100 ns since 1970"},
			{Name: "TIMESTAMPTODATETIME", Args: "milliseconds", Result: text, Help: "the time of milliseconds since 1970"},
			{Name: "YEAR", Args: "time", Result: number, Help: "the year"},
		}},
		{fullText, []*Function{
			{Name: "FULLTEXTCONTAINS", Args: "text, word", Result: boolean, Help: "whether a text holds a word, ignoring case; an error where that would depend on stemming or on stop words"},
			{Name: "FULLTEXTCONTAINSALL", Args: "text, word [, …]", Result: boolean, Help: "whether a text holds all of several words, found as by FULLTEXTCONTAINS"},
			{Name: "FULLTEXTCONTAINSANY", Args: "text, word [, …]", Result: boolean, Help: "whether a text holds one of several words, found as by FULLTEXTCONTAINS"},
		}},
		{"Integer", []*Function{
			{Name: "INTADD", Args: "a, b", Result: number, Help: "the sum"},
			{Name: "INTBITAND", Args: "a, b", Result: number, Help: "the bitwise AND"},
			{Name: "INTBITLEFTSHIFT", Args: "a, b", Result: number, Help: "a shifted left by b bits"},
			{Name: "INTBITNOT", Args: "a", Result: number, Help: "the bitwise complement"},
			{Name: "INTBITOR", Args: "a, b", Result: number, Help: "the bitwise OR"},
			{Name: "INTBITRIGHTSHIFT", Args: "a, b", Result: number, Help: "a shifted right by b bits"},
			{Name: "INTBITXOR", Args: "a, b", Result: number, Help: "the bitwise exclusive OR"},
			{Name: "INTDIV", Args: "a, b", Result: number, Help: "the quotient without its fraction"},
			{Name: "INTMOD", Args: "a, b", Result: number, Help: "the remainder of a division"},
			{Name: "INTMUL", Args: "a, b", Result: number, Help: "the product"},
			{Name: "INTSUB", Args: "a, b", Result: number, Help: "the difference"},
		}},
		{"Mathematical", []*Function{
			{Name: "ABS", Args: "x", Result: number, Help: "the absolute value"},
			{Name: "ACOS", Args: "x", Result: number, Help: "the angle in radians whose cosine is x"},
			{Name: "ASIN", Args: "x", Result: number, Help: "the angle in radians whose sine is x"},
			{Name: "ATAN", Args: "x", Result: number, Help: "the angle in radians whose tangent is x"},
			{Name: "ATN2", Args: "y, x", Result: number, Help: "the angle in radians of the point (x, y)"},
			{Name: "CEILING", Args: "x", Result: number, Help: "the smallest whole number that is not smaller"},
			{Name: "COS", Args: "x", Result: number, Help: "the cosine of an angle in radians"},
			{Name: "COT", Args: "x", Result: number, Help: "the cotangent of an angle in radians"},
			{Name: "DEGREES", Args: "x", Result: number, Help: "radians as degrees"},
			{Name: "EXP", Args: "x", Result: number, Help: "e to the power of x"},
			{Name: "FLOOR", Args: "x", Result: number, Help: "the largest whole number that is not larger"},
			{Name: "LOG", Args: "x [, base]", Result: number, Help: "the logarithm, natural without a base"},
			{Name: "LOG10", Args: "x", Result: number, Help: "the logarithm to base 10"},
			{Name: "NUMBERBIN", Args: "x [, size]", Result: number, Help: "x rounded down to a multiple of size"},
			{Name: "PI", Result: number, Help: "the number pi"},
			{Name: "POWER", Args: "x, y", Result: number, Help: "x to the power of y"},
			{Name: "RADIANS", Args: "x", Result: number, Help: "degrees as radians"},
			{Name: "RAND", Result: number, Volatile: true, Help: "a random number from 0 to below 1"},
			{Name: "ROUND", Args: "x", Result: number, Help: "the nearest whole number, halves away from zero"},
			{Name: "SIGN", Args: "x", Result: number, Help: "-1, 0 or 1"},
			{Name: "SIN", Args: "x", Result: number, Help: "the sine of an angle in radians"},
			{Name: "SQRT", Args: "x", Result: number, Help: "the square root"},
			{Name: "SQUARE", Args: "x", Result: number, Help: "the square"},
			{Name: "TAN", Args: "x", Result: number, Help: "the tangent of an angle in radians"},
			{Name: "TRUNC", Args: "x", Result: number, Help: "the whole part"},
		}},
		{"Query plans", []*Function{
			{Name: PlanTextScore, Args: "text, words, documents, count, hits", Result: number, Help: "FULLTEXTSCORE by statistics that a client has filled in"},
			{Name: PlanWordCount, Args: "text", Result: number, Help: "the number of words of a text"},
			{Name: PlanVectorScore, Args: "vector, vector [, bruteForce] [, options]", Result: number, Help: "VECTORDISTANCE, the greatest for the nearest"},
		}},
		{"Ranking", []*Function{
			{Name: FullTextScore, Args: "text, word [, …]", Result: number, RankOnly: true, Help: "how relevant a text is for words; in ORDER BY RANK only"},
			{Name: fusion, Args: "score, score [, …] [, weights]", Result: number, RankOnly: true, Help: "the fusion of the ranks by several scores; in ORDER BY RANK only"},
		}},
		{Spatial, []*Function{
			{Name: "ST_DISTANCE", Args: "shape, shape", Result: number, Help: "how far two shapes of GeoJSON are apart, in metres; undefined unless both are valid"},
			{Name: "ST_INTERSECTS", Args: "shape, shape", Result: boolean, Help: "whether two shapes have a position in common, edges included; undefined unless both are valid"},
			{Name: "ST_ISVALID", Args: "shape", Result: boolean, Help: "whether a value is a valid Point, LineString, Polygon or MultiPolygon"},
			{Name: "ST_ISVALIDDETAILED", Args: "shape", Result: object, Help: "the same as valid, with a reason if it is false"},
			{Name: "ST_WITHIN", Args: "shape, shape", Result: boolean, Help: "whether all of the first shape is in the second, and not only on its edge; undefined unless both are valid"},
		}},
		{"String", []*Function{
			{Name: "CONCAT", Args: "text, text [, …]", Result: text, Help: "the texts one after another"},
			{Name: "CONTAINS", Args: "text, part [, ignoreCase]", Result: boolean, Help: "whether the text holds another"},
			{Name: "CONTAINS_ALL_CI", Args: "text, part [, …]", Result: boolean, Help: "whether the text holds all of others, ignoring case"},
			{Name: "CONTAINS_ALL_CS", Args: "text, part [, …]", Result: boolean, Help: "whether the text holds all of others"},
			{Name: "CONTAINS_ANY_CI", Args: "text, part [, …]", Result: boolean, Help: "whether the text holds one of others, ignoring case"},
			{Name: "CONTAINS_ANY_CS", Args: "text, part [, …]", Result: boolean, Help: "whether the text holds one of others"},
			{Name: "ENDSWITH", Args: "text, suffix [, ignoreCase]", Result: boolean, Help: "whether the text ends with another"},
			{Name: "INDEX_OF", Args: "text, part [, start]", Result: number, Help: "the first position of a part, counted from 0, or -1"},
			{Name: "LASTINDEXOF", Args: "text, part [, start]", Result: number, Help: "the last position of a part that ends at or before start, or -1"},
			{Name: "LEFT", Args: "text, length", Result: text, Help: "the first characters"},
			{Name: "LENGTH", Args: "text", Result: number, Help: "the number of characters, those beyond U+FFFF counting twice"},
			{Name: "LOWER", Args: "text", Result: text, Help: "the text in lower case"},
			{Name: "LTRIM", Args: "text [, characters]", Result: text, Help: "the text without white space, or without the given characters, at the beginning"},
			{Name: "REGEXMATCH", Args: "text, pattern [, modifiers]", Result: boolean, Help: "whether a regular expression matches; modifiers are m, s, i and x; pattern and modifiers must be constants or parameters"},
			{Name: "REPLACE", Args: "text, old, new", Result: text, Help: "the text with every old replaced by new"},
			{Name: "REPLICATE", Args: "text, count", Result: text, Help: "the text repeated, at most 10,000 characters"},
			{Name: "REVERSE", Args: "text", Result: text, Help: "the text backwards"},
			{Name: "RIGHT", Args: "text, length", Result: text, Help: "the last characters"},
			{Name: "RTRIM", Args: "text [, characters]", Result: text, Help: "the text without white space, or without the given characters, at the end"},
			{Name: "STARTSWITH", Args: "text, prefix [, ignoreCase]", Result: boolean, Help: "whether the text begins with another"},
			{Name: "STRINGEQUALS", Args: "text, other [, ignoreCase]", Result: boolean, Help: "whether two texts are equal"},
			{Name: "STRINGJOIN", Args: "array, separator", Result: text, Help: "the texts of an array with a separator between them"},
			{Name: "STRINGSPLIT", Args: "text, separator", Result: array, Help: "the parts of a text between separators, as an array"},
			{Name: "STRINGTOARRAY", Args: "text", Result: array, Help: "the array that a text holds as JSON"},
			{Name: "STRINGTOBOOLEAN", Args: "text", Result: boolean, Help: "the boolean that a text holds as JSON"},
			{Name: "STRINGTONULL", Args: "text", Result: null, Help: "null, if the text is that"},
			{Name: "STRINGTONUMBER", Args: "text", Result: number, Help: "the number that a text holds as JSON"},
			{Name: "STRINGTOOBJECT", Args: "text", Result: object, Help: "the object that a text holds as JSON"},
			{Name: "SUBSTRING", Args: "text, start, length", Result: text, Help: "the characters from a position on, counted from 0"},
			{Name: "TOSTRING", Args: "value", Result: text, Help: "the value as text, JSON for arrays and objects"},
			{Name: "TRIM", Args: "text [, characters]", Result: text, Help: "the text without white space, or without the given characters, at both ends"},
			{Name: "UPPER", Args: "text", Result: text, Help: "the text in upper case"},
		}},
		{"Type checking", []*Function{
			{Name: "IS_ARRAY", Args: "value", Result: boolean, Help: "whether a value is an array"},
			{Name: "IS_BOOL", Args: "value", Result: boolean, Help: "whether a value is a boolean"},
			{Name: "IS_BOOLEAN", Args: "value", Result: boolean, Help: "another name of IS_BOOL, which SDKs use"},
			{Name: "IS_DATETIME", Args: "value", Result: boolean, Help: "whether a value is a date and time in ISO 8601"},
			{Name: "IS_DEFINED", Args: "value", Result: boolean, Help: "whether a value is defined"},
			{Name: "IS_FINITE_NUMBER", Args: "value", Result: boolean, Help: "whether a value is a number and finite"},
			{Name: "IS_INTEGER", Args: "value", Result: boolean, Help: "whether a value is a whole number of at most 64 bits"},
			{Name: "IS_NULL", Args: "value", Result: boolean, Help: "whether a value is null"},
			{Name: "IS_NUMBER", Args: "value", Result: boolean, Help: "whether a value is a number"},
			{Name: "IS_OBJECT", Args: "value", Result: boolean, Help: "whether a value is an object"},
			{Name: "IS_PRIMITIVE", Args: "value", Result: boolean, Help: "whether a value is null, a boolean, a number or a string"},
			{Name: "IS_STRING", Args: "value", Result: boolean, Help: "whether a value is a string"},
		}},
		{"Vector", []*Function{
			{Name: VectorDistance, Args: "vector, vector [, bruteForce] [, options]", Result: number, Help: "how near two vectors are, by the metric of the container's policy or of the options; undefined unless both have equally many numbers"},
		}},
	}
}
