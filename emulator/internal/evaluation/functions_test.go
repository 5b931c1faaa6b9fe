package evaluation

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/function"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// functionCases call every function at least once. Without a note, the result comes from
// Microsoft's page about the function; notes name other sources. "undefined" means no row.
var functionCases = []struct{ expr, want string }{
	// Type checking.
	{`IS_DEFINED(c.z)`, `true`}, {`IS_DEFINED(c.none)`, `false`}, {`NOT IS_DEFINED(c.o.none)`, `true`},
	{`IS_NULL(c.z)`, `true`}, {`IS_NULL(c.none)`, `false`},
	{`IS_NUMBER(c.n)`, `true`}, {`IS_NUMBER("1")`, `false`},
	{`IS_STRING(c.n)`, `false`}, {`IS_STRING("")`, `true`},
	{`IS_BOOL(c.f)`, `true`},
	{`IS_BOOLEAN(c.f)`, `true`},
	{`IS_BOOLEAN(c.none)`, `false`},
	{`IS_ARRAY(c.a)`, `true`}, {`IS_ARRAY([])`, `true`},
	{`IS_OBJECT(c.a)`, `false`}, {`IS_OBJECT(c)`, `true`},
	{`IS_PRIMITIVE(c.z)`, `true`}, {`IS_PRIMITIVE(c.o)`, `false`}, {`IS_PRIMITIVE({}.category)`, `false`},
	{`IS_FINITE_NUMBER(1234.567)`, `true`}, {`IS_FINITE_NUMBER(8.9 / 0.0)`, `false`}, {`IS_FINITE_NUMBER(SQRT(-1.0))`, `false`},
	{`IS_FINITE_NUMBER("1")`, `false`},
	{`IS_INTEGER(3454.123)`, `false`}, {`IS_INTEGER(5523432)`, `true`}, {`IS_INTEGER(-9223372036854775808)`, `true`},
	{`IS_INTEGER(9223372036854775807)`, `true`}, {`IS_INTEGER(18446744073709551615)`, `false`},
	{`IS_DATETIME("2024-12-12")`, `true`}, {`IS_DATETIME("2024-12-12Z")`, `true`}, {`IS_DATETIME("2024-12-12 20:21:25")`, `true`},
	{`IS_DATETIME("2024-12-12T20:21:25.123")`, `true`}, {`IS_DATETIME("2024-12-12 20:21:25.1234567Z")`, `true`},
	{`IS_DATETIME("2024-12-12T20Z")`, `false`}, {`IS_DATETIME("2024-12-12 20:21:25.")`, `false`},
	{`IS_DATETIME("2024-12-12 20:21:25.12345678")`, `false`}, {`IS_DATETIME("2024-12-12x20:21:25")`, `false`},
	{`IS_DATETIME("2024-02-30")`, `false`}, {`IS_DATETIME("2024-12-12T20:21:25+01:00")`, `false`}, {`IS_DATETIME("2024-12-12T20:21:25,5")`, `false`},
	{`IS_DATETIME("0000-01-01")`, `false`}, {`IS_DATETIME(1)`, `false`}, {`IS_DATETIME(c.none)`, `false`},

	// Vectors: the formulas are those of every textbook.
	{`VECTORDISTANCE([3, 4], [4, 3], true, {"distanceFunction": "Cosine"})`, `0.96`},
	{`VectorDistance([1, 2], [3, 4], false, {distanceFunction: "dotproduct", dataType: "int8"})`, `11`},
	{`VectorDistance([1, 2], [4, 6], false, {distanceFunction: "euclidean", searchListSizeMultiplier: 10})`, `5`},
	{`VectorDistance([1, 2], [4, 6, 7], false, {distanceFunction: "euclidean"})`, `undefined`},
	{`VectorDistance([0, 0], [4, 6], false, {distanceFunction: "cosine"})`, `undefined`},
	{`VectorDistance(c.none, [4, 6], false, {distanceFunction: "cosine"})`, `undefined`},

	// Shapes. TestShapes has more.
	{`ST_ISVALID({type: "Point", coordinates: [31.9, -132.8]})`, `false`}, {`ST_ISVALID({type: "Point", coordinates: [-122.3, 47.6]})`, `true`},
	{`ST_ISVALIDDETAILED({type: "Point", coordinates: [31.9, -132.8]})`, `{"valid":false,"reason":"Latitude values must be between -90 and 90 degrees."}`},
	{`ST_WITHIN({type: "Point", coordinates: [1, 1]}, {type: "Polygon", coordinates: [[[0, 0], [2, 0], [2, 2], [0, 2], [0, 0]]]})`, `true`},
	{`ST_INTERSECTS({type: "Point", coordinates: [0, 0]}, {type: "Polygon", coordinates: [[[0, 0], [2, 0], [2, 2], [0, 2], [0, 0]]]})`, `true`},
	{`ST_DISTANCE({type: "Point", coordinates: [1, 1]}, {type: "Point", coordinates: [1, 1]})`, `0`},

	// Search in strings.
	{`STARTSWITH(c.s, "ab")`, `true`}, {`startswith(c.s, "AB")`, `false`}, {`STARTSWITH(c.s, "AB", true)`, `true`},
	{`STARTSWITH(c.s, "AB", false)`, `false`}, {`STARTSWITH(c.s, "")`, `true`}, {`STARTSWITH(c.n, "5")`, `undefined`},
	{`STARTSWITH(c.none, "5")`, `undefined`}, {`STARTSWITH(c.s, "ab", 1)`, `undefined`},
	{`ENDSWITH(c.s, "BC", true)`, `true`}, {`ENDSWITH("AdventureWorks", "Works")`, `true`},
	{`CONTAINS(c.s, "b")`, `true`}, {`CONTAINS(c.s, "B")`, `false`}, {`CONTAINS("Hello", "")`, `true`},
	{`StringEquals("ABC", c.s)`, `false`}, {`StringEquals("ABC", c.s, true)`, `true`},
	{`StringEquals(null, null)`, `undefined`}, // Azure/azure-cosmos-dotnet-v3#1800
	{`CONTAINS_ANY_CI("Have a nice day!", "HAD", "NICE")`, `true`}, {`CONTAINS_ANY_CI("Have a nice day!", undefined, "nice")`, `true`},
	{`CONTAINS_ANY_CS("Have a nice day!", "HAD", "NICE")`, `false`}, {`CONTAINS_ANY_CS("Have a nice day!", undefined, "had")`, `undefined`},
	{`CONTAINS_ALL_CI("Have a nice day!", "have", "DAY!")`, `true`}, {`CONTAINS_ALL_CI("Have a nice day!", undefined, "had")`, `false`},
	{`CONTAINS_ALL_CS("Have a nice day!", "Have", "day!")`, `true`}, {`CONTAINS_ALL_CS("Have a nice day!", undefined, "Have")`, `undefined`},
	{`CONTAINS_ALL_CS(1, "Have")`, `undefined`},
	{`INDEX_OF("AdventureWorks", "s")`, `13`}, {`INDEX_OF("AdventureWorks", "aD")`, `-1`}, {`INDEX_OF("AdventureWorks", "Works", 5)`, `9`},
	{`INDEX_OF("AdventureWorks", "Adventure", 5)`, `-1`}, {`INDEX_OF("😀x", "x")`, `2`}, {`INDEX_OF("abc", "b", 0.5)`, `undefined`},
	{`INDEX_OF("abc", "b", 99)`, `-1`}, {`INDEX_OF(1, "b")`, `undefined`},
	{`LASTINDEXOF("abcdeabc", "abc")`, `5`}, {`LASTINDEXOF("abcdeabc", "abc", 6)`, `0`}, {`LASTINDEXOF("abcdeabc", "abc", 7)`, `5`},
	{`LASTINDEXOF("abcdeabc", "fg")`, `-1`}, {`LASTINDEXOF("abc", "a", -1)`, `undefined`}, {`LASTINDEXOF("abc", "a", "x")`, `undefined`}, {`LASTINDEXOF(1, "a")`, `undefined`},
	{`REGEXMATCH("abcd", "ABC")`, `false`}, {`REGEXMATCH("abcd", "ABC", "i")`, `true`}, {`REGEXMATCH("abcd", "ab.", "")`, `true`},
	{`REGEXMATCH("abcd", "ab c", "x")`, `true`}, {`REGEXMATCH("abcd", "aB c", "ix")`, `true`}, {`REGEXMATCH("03a", "[0-9]")`, `true`},
	{`REGEXMATCH("a b", "a[ ]b # blank", "x")`, `true`}, {`REGEXMATCH("a b", "a\\ b", "x")`, `true`}, {`REGEXMATCH("a\nb", "^b$", "m")`, `true`},
	{`REGEXMATCH("a\nb", "a.b", "s")`, `true`}, {`REGEXMATCH(c.n, "a")`, `undefined`}, {`REGEXMATCH(c.s, 1)`, `undefined`},

	// Strings.
	{`LOWER("AbÉ")`, `"abé"`}, {`UPPER(c.s)`, `"ABC"`},
	{`LENGTH(c.u)`, `6`}, {`LENGTH("😀")`, `2`}, {`LENGTH(c.e)`, `0`}, {`LENGTH(c.n)`, `undefined`},
	{`CONCAT("Ferpal", "Ropes")`, `"FerpalRopes"`}, {`CONCAT("a", c.s, "b")`, `"aabcb"`}, {`CONCAT("a", 1)`, `undefined`},
	{`LEFT(c.s, 2)`, `"ab"`}, {`LEFT("Hello", -3)`, `""`}, {`LEFT("Hello", 0)`, `""`}, {`LEFT("Hello", 6)`, `"Hello"`}, // BuiltinFunctionEvaluatorTests of the .NET SDK
	{`RIGHT("Hello", -3)`, `""`}, {`RIGHT("Hello", 1.5)`, `undefined`}, {`RIGHT("Hello", 2)`, `"lo"`}, {`RIGHT("Hello", 2147483648)`, `"Hello"`},
	{`RIGHT(1, 2)`, `undefined`}, {`LEFT("Straße", 5)`, `"Straß"`},
	{`SUBSTRING("AdventureWorks", 0, 9)`, `"Adventure"`}, {`SUBSTRING("AdventureWorks", 9, 5)`, `"Works"`}, {`SUBSTRING("Hello", -3, 5)`, `""`},
	{`SUBSTRING("AdventureWorks", 0, -1)`, `""`}, {`SUBSTRING("", 0, 1)`, `""`}, {`SUBSTRING("abc", 1, "x")`, `undefined`}, {`SUBSTRING("😀x", 2, 9)`, `"x"`},
	{`REPLACE("AdventureWorksLT", "LT", "LT2")`, `"AdventureWorksLT2"`},
	{`REPLACE("Hello", "", "World")`, `undefined`},                                                                                                                             // BuiltinFunctionEvaluatorTests
	{`REPLICATE("Cosmic", 3)`, `"CosmicCosmicCosmic"`},                                                                                                                         //
	{`REPLICATE("Hello", -1)`, `undefined`}, {`REPLICATE("Hello", 1.5)`, `"Hello"`}, {`REPLICATE("Hello", 10000)`, `undefined`}, {`REPLICATE("Hello", EXP(400))`, `undefined`}, // the same
	{`REPLICATE(1, 1)`, `undefined`}, {`REPLICATE("", 1e9)`, `undefined`}, {`REPLICATE("a", 0 / 0)`, `undefined`},
	{`REVERSE("AdventureWorks")`, `"skroWerutnevdA"`},
	{`TRIM("   AdventureWorks   ")`, `"AdventureWorks"`}, {`TRIM("___AdventureWorks___", "_")`, `"AdventureWorks"`}, {`TRIM("-_-AdventureWorks-_-", "-_")`, `"AdventureWorks"`},
	{`TRIM("a", 1)`, `undefined`}, {`TRIM(1)`, `undefined`},
	{`LTRIM("   AdventureWorks ")`, `"AdventureWorks "`}, {`LTRIM("AdventureWorks", "Adventure")`, `"Works"`}, {`LTRIM("AdventureWorks", "")`, `"AdventureWorks"`},
	{`RTRIM(" AdventureWorks   ")`, `" AdventureWorks"`}, {`RTRIM("AdventureWorks", "Works")`, `"Adventure"`},
	{`STRINGJOIN(["Iropa", "Mountain", "Bike"], " ")`, `"Iropa Mountain Bike"`}, {`STRINGJOIN(["a"], undefined)`, `undefined`}, {`STRINGJOIN([1], "")`, `undefined`}, {`STRINGJOIN("a", "")`, `undefined`},
	{`STRINGSPLIT("CARBON_STEEL", "_")`, `["CARBON","STEEL"]`}, {`STRINGSPLIT("xenmoun mountain bike", "moun")`, `["xen"," ","tain bike"]`},
	{`STRINGSPLIT("Helmet", "")`, `["Helmet"]`}, {`STRINGSPLIT("", "")`, `[""]`}, {`STRINGSPLIT(1, "")`, `undefined`},
	{`TOSTRING(125)`, `"125"`}, {`TOSTRING(0.1234)`, `"0.1234"`}, {`TOSTRING(false)`, `"false"`}, {`TOSTRING([ 1, "2", 3 ])`, `"[1,\"2\",3]"`},
	{`TOSTRING({ "department": "Bicycles", "n": null })`, `"{\"department\":\"Bicycles\",\"n\":null}"`}, {`TOSTRING("Hello World")`, `"Hello World"`}, {`TOSTRING(undefined)`, `undefined`},
	{`STRINGTONUMBER("  60 ")`, `60`}, {`STRINGTONUMBER("-1.79769e+308")`, `-1.79769e+308`}, {`STRINGTONUMBER("Hello")`, `undefined`}, {`STRINGTONUMBER("1e999")`, `undefined`},
	{`STRINGTOBOOLEAN(" false ")`, `false`}, {`STRINGTOBOOLEAN("TRUE")`, `undefined`}, {`STRINGTOBOOLEAN(true)`, `undefined`},
	{`STRINGTONULL("null ")`, `null`}, {`STRINGTONULL("Null")`, `undefined`},
	{`STRINGTOARRAY('["a",[1]]')`, `["a",[1]]`}, {`STRINGTOARRAY("['a']")`, `undefined`}, {`STRINGTOARRAY("{}")`, `undefined`},
	{`STRINGTOOBJECT('{"a":{"b":1}}').a.b`, `1`}, {`STRINGTOOBJECT("{'a':1}")`, `undefined`},

	// Arrays.
	{`ARRAY_CONTAINS(c.a, "x")`, `true`}, {`ARRAY_CONTAINS(c.a, "y")`, `false`}, {`ARRAY_CONTAINS(c.s, "a")`, `undefined`},
	{`ARRAY_CONTAINS(c.a, c.none)`, `undefined`}, {`ARRAY_CONTAINS(c.a, c.a[2])`, `true`}, {`ARRAY_CONTAINS(c.a, {k: 1}, true)`, `true`},
	{`ARRAY_CONTAINS(c.a, {k: 1})`, `false`}, {`ARRAY_CONTAINS(c.a, 1, c.none)`, `true`}, {`ARRAY_CONTAINS(c.a, 1, "yes")`, `undefined`},
	{`ARRAY_CONTAINS_ANY([1, true, "3", [1,2,3]], 1, [1,2,3])`, `true`}, {`ARRAY_CONTAINS_ANY([1, 2, 3, 4], 5, undefined)`, `undefined`},
	{`ARRAY_CONTAINS_ANY([1, 2, 3, 4], 1, undefined)`, `true`}, {`ARRAY_CONTAINS_ANY([], 1, 2)`, `false`},
	{`ARRAY_CONTAINS_ALL([1, true, "3", [1,2,3]], 1, [1,2,3])`, `true`}, {`ARRAY_CONTAINS_ALL([1, 2], 1, undefined)`, `undefined`},
	{`ARRAY_CONTAINS_ALL([1, 2], 5, undefined)`, `false`},
	{`ARRAY_LENGTH([70, 86, 92])`, `3`}, {`ARRAY_LENGTH(null)`, `undefined`},
	{`ARRAY_CONCAT(["backpacks", "daypacks"], ["hippacks"], [])`, `["backpacks","daypacks","hippacks"]`}, {`ARRAY_CONCAT([1], 2)`, `undefined`},
	{`ARRAY_SLICE(["A", "B", "C"], 1)`, `["B","C"]`}, {`ARRAY_SLICE(["A", "B", "C"], -2, 1)`, `["B"]`}, {`ARRAY_SLICE(["A", "B", "C"], 1, 1000)`, `["B","C"]`},
	{`ARRAY_SLICE(["A", "B", "C"], 1, 0)`, `[]`}, {`ARRAY_SLICE(["A", "B", "C"], 1, -100)`, `[]`}, {`ARRAY_SLICE(["A"], -5)`, `["A"]`}, {`ARRAY_SLICE(["A"], 5)`, `[]`},
	{`ARRAY_SLICE(["A"], 0.5)`, `undefined`},
	{`SETINTERSECT([1, 2, "A", "B"], ["A", 1])`, `["A",1]`}, {`SETINTERSECT([1, 2, 3, 4], [1, 1, 1, 1])`, `[1]`}, {`SETINTERSECT([1], 1)`, `undefined`},
	{`SETUNION([1, 2, 3, 4], [3, 4, 5, 6])`, `[1,2,3,4,5,6]`}, {`SetUnion([1, 1], [])`, `[1]`},
	{`SETDIFFERENCE([1, 2, 6, 7], [1, 2, 3])`, `[6,7]`}, {`SETDIFFERENCE([1, 1, 1, 1], [2, 3, 4])`, `[1]`},
	{`SETEQUAL([1, 2, 3, 3], [1, 2, 2, 3, 1, 2])`, `true`}, {`SETEQUAL([], [1])`, `false`}, {`SETEQUAL([1], [])`, `false`}, {`SETEQUAL(1, [])`, `undefined`},
	{`SETEQUAL([{"a": 1, "b": 2}], [{"b": 2.0, "a": 1}])`, `true`},
	{`ARRAY_SUM([1, 2, 3, 4, undefined])`, `10`}, {`ARRAY_SUM(["abc"])`, `undefined`}, {`ARRAY_SUM(1)`, `undefined`},
	{`ARRAY_AVG([1, -2.7, 3, -4, undefined])`, `-0.675`}, {`ARRAY_AVG([12, "abc", true])`, `undefined`},
	{`ARRAY_MIN([12, "abc", true, false, null])`, `null`}, {`ARRAY_MIN(["abc", "ABC"])`, `"ABC"`}, {`ARRAY_MIN([1, []])`, `undefined`},
	{`ARRAY_MAX([12, "abc", true, false, null])`, `"abc"`}, {`ARRAY_MAX([true, false])`, `true`},
	{`ARRAY_MEDIAN([1, 2, 3, 4])`, `2.5`}, {`ARRAY_MEDIAN([1.0, 2.0, 3.3, 4.7, 7.8])`, `3.3`}, {`ARRAY_MEDIAN([1, null])`, `undefined`},
	{`OBJECTTOARRAY({"a": "12345", "b": "67890"})`, `[{"k":"a","v":"12345"},{"k":"b","v":"67890"}]`},
	{`OBJECTTOARRAY({"a": 1}, "key", "value")`, `[{"key":"a","value":1}]`}, {`OBJECTTOARRAY({"a": 1}, 1, "value")`, `undefined`}, {`OBJECTTOARRAY({"a": 1}, "n")`, `[{"n":"a","v":1}]`},

	// Conditional.
	{`IIF(true, 123, 456)`, `123`}, {`IIF(123, 123, 456)`, `456`}, {`IIF({"name": "Alice"}, 123, 456)`, `456`}, {`IIF(c.none, 1, 2)`, `undefined`},
	{`CHOOSE(1, "Vimero", "Hydration", "Pack")`, `"Vimero"`}, {`CHOOSE(0, "a", "b")`, `undefined`}, {`CHOOSE(3, "a", "b")`, `undefined`}, {`CHOOSE(1.5, "a", "b")`, `undefined`},

	// Numbers.
	{`ABS(-1)`, `1`}, {`ABS("x")`, `undefined`}, {`ACOS(-1)`, `3.141592653589793`}, {`ASIN(1) * 2 = PI()`, `true`}, {`ROUND(ATAN(-45.01) * 1000)`, `-1549`},
	{`ROUND(ATN2(35.175643, 129.44) * 1000000)`, `265345`}, {`CEILING(-45.72)`, `-45`}, {`ROUND(COS(14.78) * 1000000)`, `-599465`}, {`ROUND(COT(124.1332) * 1000000)`, `-40312`},
	{`DEGREES(PI())`, `180`}, {`EXP(0)`, `1`}, {`FLOOR(-145.12)`, `-146`}, {`FLOOR(null)`, `undefined`},
	{`LOG(5)`, `1.6094379124341003`}, {`LOG(2, 10)`, `0.3010299956639812`}, {`LOG(8, 2)`, `3`}, {`ROUND(LOG(9, 3) * 1000)`, `2000`}, {`LOG(2, "x")`, `undefined`}, {`LOG10(100)`, `2`},
	{`NUMBERBIN(37.752, -100)`, `100`}, {`NUMBERBIN(37.752, 10)`, `30`}, {`NUMBERBIN(37.752, 0)`, `undefined`}, {`NUMBERBIN(37.752)`, `37`}, {`NUMBERBIN(37.752, 0.01)`, `37.75`},
	{`PI()`, `3.141592653589793`}, {`POWER(3, 3)`, `27`}, {`POWER(null, 3)`, `undefined`}, {`RADIANS(180)`, `3.141592653589793`},
	{`RAND() >= 0 AND RAND() < 1`, `true`},
	{`ROUND(2.5)`, `3`}, {`ROUND(-6.5)`, `-7`}, {`ROUND(0.5)`, `1`}, {`ROUND(4840904997601420)`, `4840904997601420`},
	{`SIGN(-2)`, `-1`}, {`SIGN(0)`, `0`}, {`SIGN(2)`, `1`}, {`ROUND(SIN(45.175643) * 1000000)`, `929607`}, {`SQRT(25)`, `5`}, {`SQUARE(3)`, `9`}, {`SQUARE(null)`, `undefined`},
	{`ROUND(TAN(124.1332) * 1000)`, `-24807`}, {`TRUNC(-2.78)`, `-2`},
	{`INTADD(20, 10)`, `30`}, {`INTADD(20, 0.10)`, `undefined`}, {`INTSUB(25, 10)`, `15`}, {`INTMUL(5, -2)`, `-10`}, {`INTDIV(10, -2)`, `-5`}, {`INTDIV(10, 0)`, `undefined`},
	{`INTMOD(12, -5)`, `2`}, {`INTMOD(-12, -5)`, `-2`}, {`INTMOD(12, 0)`, `undefined`}, {`INTBITAND(15, 25)`, `9`}, {`INTBITOR(56, 100)`, `124`}, {`INTBITXOR(56, 100)`, `92`},
	{`INTBITNOT(65)`, `-66`}, {`INTBITNOT(0.1)`, `undefined`}, {`INTBITLEFTSHIFT(16, 4)`, `256`}, {`INTBITRIGHTSHIFT(16, 4)`, `1`},
	{`INTADD(9223372036854775806, 1)`, `9223372036854775807`}, {`INTADD("1", 1)`, `undefined`},

	// Date and time.
	{`DATETIMEADD("yyyy", 1, "2020-07-03T00:00:00.0000000")`, `"2021-07-03T00:00:00.0000000Z"`}, {`DATETIMEADD("mm", -1, "2020-07-03T00:00:00.0000000")`, `"2020-06-03T00:00:00.0000000Z"`},
	{`DATETIMEADD("ss", 5 * -5, "2020-07-03T00:00:00.0000000")`, `"2020-07-02T23:59:35.0000000Z"`}, {`DATETIMEADD("mm", 1, "2020-01-31T10:11:12.5")`, `"2020-02-29T10:11:12.5000000Z"`},
	{`DATETIMEADD("ns", 100, "2020-01-01")`, `"2020-01-01T00:00:00.0000001Z"`}, {`DATETIMEADD("dd", 1e9, "2020-01-01")`, `undefined`}, {`DATETIMEADD("yy", 1e6, "2020-01-01")`, `undefined`},
	{`DATETIMEADD("yy", 9000, "2020-01-01")`, `undefined`}, {`DATETIMEADD("d", 3000000, "2020-01-01")`, `undefined`},
	{`DATETIMEADD("fortnight", 1, "2020-01-01")`, `undefined`}, {`DATETIMEADD("dd", 0.5, "2020-01-01")`, `undefined`}, {`DATETIMEADD("dd", 1, "01.01.2020")`, `undefined`},
	{`DATETIMEDIFF("yyyy", "2019-02-04T16:00:00.0000000", "2018-03-05T05:00:00.0000000")`, `-1`}, {`DATETIMEDIFF("mm", "2019-02-04T16:00:00", "2018-03-05T05:00:00")`, `-11`},
	{`DATETIMEDIFF("dd", "2018-03-05T05:00:00", "2019-02-04T16:00:00")`, `336`}, {`DATETIMEDIFF("hh", "2018-03-05T05:00:00", "2019-02-04T16:00:00")`, `8075`},
	{`DATETIMEDIFF("ss", "2018-03-05T05:00:00", "2019-02-04T16:00:00")`, `29070000`}, {`DATETIMEDIFF("ms", "1969-12-31T23:59:59.999", "1970-01-01T00:00:00.001")`, `2`},
	{`DATETIMEDIFF("ns", "2018-03-05", "2018-03-06")`, `86400000000000`}, {`DATETIMEDIFF("dd", "x", "2018-03-06")`, `undefined`},
	{`DATETIMEPART("yyyy", "2016-05-29T08:30:00.1301617")`, `2016`}, {`DATETIMEPART("mm", "2016-05-29T08:30:00.1301617")`, `5`}, {`DATETIMEPART("dd", "2016-05-29T08:30:00.1301617")`, `29`},
	{`DATETIMEPART("hh", "2016-05-29T08:30:00.1301617")`, `8`}, {`DATETIMEPART("mi", "2016-05-29T08:30:00.1301617")`, `30`}, {`DATETIMEPART("ss", "2016-05-29T08:30:00.1301617")`, `0`},
	{`DATETIMEPART("ms", "2016-05-29T08:30:00.1301617")`, `130`}, {`DATETIMEPART("mcs", "2016-05-29T08:30:00.1301617")`, `130161`}, {`DATETIMEPART("ns", "2016-05-29T08:30:00.1301617")`, `130161700`},
	{`DATETIMEPART("x", "2016-05-29")`, `undefined`},
	{`DATETIMEFROMPARTS(2017, 4, 20, 13, 15, 20, 3456789)`, `"2017-04-20T13:15:20.3456789Z"`}, {`DATETIMEFROMPARTS(2017, 4, 20)`, `"2017-04-20T00:00:00.0000000Z"`},
	{`DATETIMEFROMPARTS(-2000, -1, -1)`, `undefined`}, {`DATETIMEFROMPARTS(2017, 2, 29)`, `undefined`}, {`DATETIMEFROMPARTS(2017, 2, 1.5)`, `undefined`},
	{`DATETIMETOTICKS("2015-05-19T12:00:00.0000000")`, `14320368000000000`}, {`DATETIMETOTICKS("2020-08-13T23:19:54.3002653")`, `15973607943002653`}, {`DATETIMETOTIMESTAMP("2015-05-19T12:00:00")`, `1432036800000`},
	{`TICKSTODATETIME(15973607943002653)`, `"2020-08-13T23:19:54.3002653Z"`}, {`TICKSTODATETIME(-116444736000000000)`, `"1601-01-01T00:00:00.0000000Z"`}, {`TICKSTODATETIME(1e18)`, `"5138-11-16T09:46:40.0000000Z"`},
	{`TICKSTODATETIME(1e30)`, `undefined`}, {`TICKSTODATETIME(9e18)`, `undefined`},
	{`TIMESTAMPTODATETIME(1597360794300)`, `"2020-08-13T23:19:54.3000000Z"`}, {`TIMESTAMPTODATETIME(-11644473600000)`, `"1601-01-01T00:00:00.0000000Z"`}, {`TIMESTAMPTODATETIME(1e18)`, `undefined`},
	{`YEAR("2000-10-10")`, `2000`}, {`MONTH("1989-03-04T12:12:12.1234567Z")`, `3`}, {`DAY("2000-12-13T10:00:00")`, `13`}, {`DAY("tomorrow")`, `undefined`},
	{`DATETIMEBIN("2021-01-08T18:35:00.0000000", "dd")`, `"2021-01-08T00:00:00.0000000Z"`}, {`DATETIMEBIN("2021-01-08T18:35:00.0000000", "hh", 5)`, `"2021-01-08T15:00:00.0000000Z"`},
	{`DATETIMEBIN("2021-01-08T18:35:00.0000000", "dd", 7)`, `"2021-01-07T00:00:00.0000000Z"`}, {`DATETIMEBIN("2021-01-08T18:35:00", "dd", 7, "1601-01-01T00:00:00")`, `"2021-01-04T00:00:00.0000000Z"`},
	{`DATETIMEBIN("1969-12-31T23:59:59.5", "ss")`, `"1969-12-31T23:59:59.0000000Z"`}, {`DATETIMEBIN("2021-08-08", "mm", 6)`, `"2021-07-01T00:00:00.0000000Z"`},
	{`DATETIMEBIN("2021-08-08", "yyyy", 1, "2000-09-01")`, `"2020-09-01T00:00:00.0000000Z"`}, {`DATETIMEBIN("2021-08-08T00:00:00.1239", "ms")`, `"2021-08-08T00:00:00.1230000Z"`},
	{`DATETIMEBIN("2021-08-08T00:00:00.1", "ss", 1, "2021-08-07T00:00:00.5")`, `"2021-08-07T23:59:59.5000000Z"`},
	{`DATETIMEBIN("2021-08-08", "dd", 0)`, `undefined`}, {`DATETIMEBIN("2021-08-08", "dd", 1, "1600-01-01")`, `undefined`},
	{`GETCURRENTDATETIME() >= GETCURRENTDATETIMESTATIC() AND IS_DATETIME(GETCURRENTDATETIME())`, `true`},
	{`GETCURRENTTICKS() >= GETCURRENTTICKSSTATIC() AND GETCURRENTTICKS() > 17000000000000000`, `true`},
	{`GETCURRENTTIMESTAMP() >= GETCURRENTTIMESTAMPSTATIC() AND IS_INTEGER(GETCURRENTTIMESTAMP())`, `true`},

	// Full text.
	{`FULLTEXTCONTAINS("Azure Cosmos DB Full Text Search", "search")`, `true`}, {`FULLTEXTCONTAINS("Not related", "search")`, `false`}, {`FULLTEXTCONTAINS(1, "search")`, `undefined`},
	{`FullTextContainsAll("Full-text search of red bicycles", "red", "SEARCH")`, `true`}, {`FullTextContainsAll("red", "red", "blue")`, `false`},
	{`FullTextContainsAny("a red one", "blue", "red")`, `true`}, {`FullTextContainsAny("a red one", "blue", "green")`, `false`}, {`FullTextContainsAny(c.none, "blue")`, `undefined`},
	{`FULLTEXTCONTAINS("powerful full-text search capabilities", "TEXT")`, `true`},
	{`FULLTEXTCONTAINS("word17, word18", "word19")`, `false`}, // stems keep digits

	// What the queries of plans call.
	{`_FullTextWordCount("Full-text search: 2 words, or é日本")`, `7`}, {`_FullTextWordCount("")`, `0`}, {`_FullTextWordCount(["a"])`, `undefined`},
	{`_FullTextScore(c.none, ["red"], 10, 50, [3]) ?? -1`, `-1`}, {`_FullTextScore(5, ["red"], 10, 50, [3])`, `undefined`},
	{`_FullTextScore("a blue one", ["red"], 10, 50, [3])`, `0`}, {`_FullTextScore("", ["red"], 0, 0, [0])`, `0`},
	{`ROUND(1e9 * _FullTextScore("One red, RED bike", ["red"], 10, 50, [3]))`, `1668404682`},
	{`_FullTextScore("one red bike", ["red"], 10, 50, [20]) < 0.1`, `true`}, // more hits than documents
	{`_FullTextScore("red and blue", ["red", "blue"], 10, 50, [3, 4]) > _FullTextScore("red and green", ["red", "blue"], 10, 50, [3, 4])`, `true`},
	{`_VectorScore([1, 2], [4, 6], false, {distanceFunction: "euclidean"})`, `-5`}, {`_VectorScore([1, 2], [3, 4], true, {distanceFunction: "dotproduct"})`, `11`},
	{`_VectorScore(c.none, [4, 6], false, {distanceFunction: "euclidean"}) ?? -1.79769e+308`, `-1.79769e+308`},
}

func TestFunctions(t *testing.T) {
	for _, tt := range functionCases {
		checkExpression(t, expressionDoc, tt.expr, tt.want)
	}
}

// TestFunctionTable checks that the list for the documentation is complete, sorted
// and true to what the parser takes, and that every function has a test.
func TestFunctionTable(t *testing.T) {
	tested := map[string]bool{}
	call := regexp.MustCompile(`(?i)[A-Z_][A-Z0-9_]*\(`)
	note := func(text string) {
		for _, name := range call.FindAllString(text, -1) {
			tested[strings.ToUpper(strings.TrimSuffix(name, "("))] = true
		}
	}
	for _, c := range functionCases {
		note(c.expr)
	}
	for _, c := range seedQueries() {
		note(c.query)
	}
	compiled := []string{cosmossql.VectorDistance, cosmossql.PlanVectorScore, cosmossql.PlanTextScore} // by the compiler
	list := cosmossql.Functions()
	if len(list) < 100 {
		t.Errorf("%d functions are listed", len(list))
	}
	categories := []string{}
	for i, f := range list {
		if len(categories) == 0 || categories[len(categories)-1] != f.Category {
			categories = append(categories, f.Category)
		} else if list[i-1].Name >= f.Name {
			t.Errorf("%s comes after %s", f.Name, list[i-1].Name)
		}
		known, _ := cosmossql.FindFunction(f.Name)
		if known != f || f.Name != strings.ToUpper(f.Name) || f.Help == "" || (f.Args == "") != (f.Most == 0) {
			t.Errorf("incomplete: %+v", f)
			continue
		}
		if f.RankOnly { // evaluated by the queries of plans
			continue
		}
		if !tested[f.Name] {
			t.Errorf("%s has no test", f.Name)
		}
		if evaluated := function.Of(f) != nil; evaluated == (f.IsAggregate() || f.Category == cosmossql.Spatial || slices.Contains(compiled, f.Name)) {
			t.Errorf("%s has an evaluation: %t", f.Name, evaluated)
		}
		for _, n := range []int{f.Least - 1, f.Most + 1} {
			if n < 0 || f.Most < 0 && n == 0 {
				continue
			}
			args := slices.Repeat([]string{"1"}, n)
			_, err := cosmossql.Parse("SELECT VALUE " + f.Name + "(" + strings.Join(args, ", ") + ")")
			if e, ok := err.(*cosmossql.Error); !ok || e.Code != cosmossql.CodeArity || e.Word != f.Name {
				t.Errorf("%s with %d arguments: %v", f.Name, n, err)
			}
		}
	}
	if !slices.IsSorted(categories) || len(slices.Compact(categories)) != len(categories) {
		t.Errorf("categories are not sorted: %q", categories)
	}
}

// TestVolatileFunctions checks that functions of the clock and of chance are
// called for every row, and the static ones once.
func TestVolatileFunctions(t *testing.T) {
	docs := mustDocs(t, strings.Repeat("{}\n", 50))
	rows := mustRun(t, mustBind(t, "SELECT VALUE RAND() FROM c", nil), docs)
	if slices.Sort(rows); len(slices.Compact(rows)) < 40 {
		t.Errorf("50 random numbers are %s", rows)
	}
	p := mustBind(t, "SELECT VALUE [GETCURRENTTICKSSTATIC(), GETCURRENTDATETIMESTATIC()] FROM c", nil)
	time.Sleep(time.Millisecond)
	rows = mustRun(t, p, docs)
	if slices.Sort(rows); len(slices.Compact(rows)) != 1 {
		t.Errorf("static times differ: %s", rows)
	}
	now := mustRun(t, mustBind(t, "SELECT VALUE GETCURRENTTIMESTAMP()", nil), nil)
	if got := mustDecode(t, now[0]); math.Abs(got.Float()-float64(time.Now().UnixMilli())) > 5000 {
		t.Errorf("the time is %v", got.Float())
	}
}
