package advice

import (
	"fmt"
	"strings"
)

// noIndex maps functions in a condition to their alternatives. Microsoft's reference of the query
// language says that these functions use no index. Functions whose pages are silent, or that an
// index serves in part, are not listed: ABS, CONTAINS, ENDSWITH, FLOOR, INDEX_OF, LEFT, REGEXMATCH,
// RIGHT, ROUND, SUBSTRING from the beginning, comparisons with != and NOT.
var noIndex = map[string]string{
	"ARRAY_CONCAT":        combined,
	"ARRAY_LENGTH":        stored,
	"ARRAY_SLICE":         "compare the elements by their positions",
	"CONCAT":              combined,
	"DATETIMEPART":        "store the part as a property, or compare the time with the bounds of a range",
	"GETCURRENTDATETIME":  now + "GetCurrentDateTimeStatic",
	"GETCURRENTTICKS":     now + "GetCurrentTicksStatic",
	"GETCURRENTTIMESTAMP": now + "GetCurrentTimestampStatic",
	"LENGTH":              stored,
	"LOWER":               inOneCase,
	"LTRIM":               stored,
	"POWER":               inverse,
	"REPLACE":             stored,
	"REPLICATE":           stored,
	"REVERSE":             stored,
	"RTRIM":               stored,
	"SETINTERSECT":        "compare the elements by ARRAY_CONTAINS",
	"SETUNION":            combined,
	"SIGN":                "compare the property with 0",
	"SIN":                 stored,
	"SQRT":                inverse,
	"SQUARE":              inverse,
	"STRINGTONULL":        "store the value in its own type",
	"STRINGTONUMBER":      "store the value in its own type",
	"TOSTRING":            "compare the property with a value of its own type",
	"TRIM":                stored,
	"UPPER":               inOneCase,
}

// Alternatives that several functions share.
const (
	stored    = "store the result as a property, or declare a computed property of it"
	combined  = "compare the properties one by one"
	inverse   = "compare the property with the inverse of the value"
	inOneCase = "store the text in one case, declare a computed property of it, or use EqualFold, which scans a part of the index"
	now       = "give the time as a parameter, or use "
)

// NoIndex returns the alternative to a function of a property, by its name in any case, and whether
// conditions with it use no index.
func NoIndex(function string) (instead string, ok bool) {
	instead, ok = noIndex[strings.ToUpper(function)]
	return instead, ok
}

// NotIndexed returns the alternative to conditions on a property that generated containers do not
// index, by its path in a document.
func NotIndexed(path string, vector bool) (instead string, ok bool) {
	switch {
	case path == "/_etag":
		return "find documents by their keys, and compare their ETags in Go", true
	case vector:
		return "use Nearest, or a property that shows whether there is a vector", true
	}
	return "", false
}

// Warning returns the message that no index serves a condition, with the alternative.
func Warning(condition, instead string) string {
	return fmt.Sprintf("no index serves %s, so the query reads every document that its other conditions match; %s", condition, instead)
}
