package cosmossql

import (
	"math"
	"strings"
)

// searchFunctions look for one text in another.
var searchFunctions = []*Function{
	textTest("STARTSWITH", "prefix", "whether the text begins with another", strings.HasPrefix),
	textTest("ENDSWITH", "suffix", "whether the text ends with another", strings.HasSuffix),
	textTest("CONTAINS", "part", "whether the text holds another", strings.Contains),
	textTest("STRINGEQUALS", "other", "whether two texts are equal", func(a, b string) bool { return a == b }),
	containsMany("CONTAINS_ANY_CI", "whether the text holds one of others, ignoring case", or, isFalse, true),
	containsMany("CONTAINS_ANY_CS", "whether the text holds one of others", or, isFalse, false),
	containsMany("CONTAINS_ALL_CI", "whether the text holds all of others, ignoring case", and, isTrue, true),
	containsMany("CONTAINS_ALL_CS", "whether the text holds all of others", and, isTrue, false),
	{
		Name: "INDEX_OF", Args: "text, part [, start]", least: 2, most: 3, defaults: []Value{numberValue(0)},
		Help: "the first position of a part, counted from 0, or -1", fixed: indexOf,
	},
	{
		Name: "LASTINDEXOF", Args: "text, part [, start]", least: 2, most: 3, defaults: []Value{nullOf()},
		Help: "the last position of a part that ends at or before start, or -1", fixed: lastIndexOf,
	},
	{
		Name: "REGEXMATCH", Args: "text, pattern [, modifiers]", least: 2, most: 3, matcher: regexMatch,
		Help: "whether a regular expression matches; modifiers are m, s, i and x; pattern and modifiers must be constants or parameters",
	},
}

// textTest makes a test of two strings with an optional third argument that
// ignores case.
func textTest(name, part, help string, test func(a, b string) bool) *Function {
	return &Function{
		Name: name, Args: "text, " + part + " [, ignoreCase]", Help: help,
		least: 2, most: 3, defaults: []Value{boolValue(false)},
		fixed: func(args [maxFixed]Value) Value {
			a, b, fold := args[0], args[1], args[2]
			if a.kind != String || b.kind != String || fold.kind != Bool {
				return Value{}
			}
			if fold.Bool() {
				return boolValue(test(strings.ToLower(a.str), strings.ToLower(b.str)))
			}
			return boolValue(test(a.str, b.str))
		},
	}
}

// containsMany makes CONTAINS for several parts, joined by a logical operator:
// Microsoft's pages say that it is short for that.
func containsMany(name, help string, join func(a, b truth) truth, start truth, fold bool) *Function {
	return &Function{
		Name: name, Args: "text, part [, …]", Help: help, least: 2, most: -1, total: true,
		list: func(_ string, args []Value) (Value, error) {
			text, result := args[0].str, start
			if fold {
				text = strings.ToLower(text)
			}
			for _, part := range args[1:] {
				found := isUndefined
				if args[0].kind == String && part.kind == String {
					wanted := part.str
					if fold {
						wanted = strings.ToLower(wanted)
					}
					found = truthOf(strings.Contains(text, wanted))
				}
				result = join(result, found)
			}
			return result.value(), nil
		},
	}
}

// position counts the UTF-16 code units before a byte offset; -1 stays -1.
func position(s string, offset int) Value {
	if offset < 0 {
		return numberValue(-1)
	}
	return numberValue(float64(utf16Len(s[:offset])))
}

func indexOf(args [maxFixed]Value) Value {
	text, part, start := args[0], args[1], args[2]
	if text.kind != String || part.kind != String || start.kind != Number || start.num != math.Trunc(start.num) || start.num < 0 {
		return Value{}
	}
	from, _ := byteOffset(text.str, int(min(start.num, math.MaxInt32)))
	found := strings.Index(text.str[from:], part.str)
	if found >= 0 {
		found += from
	}
	return position(text.str, found)
}

// lastIndexOf takes its start as .NET's LastIndexOf does: the part must end at or
// before that position, as the example of Microsoft's page "LASTINDEXOF" shows.
func lastIndexOf(args [maxFixed]Value) Value {
	text, part, start := args[0], args[1], args[2]
	if text.kind != String || part.kind != String {
		return Value{}
	}
	end := len(text.str)
	if start.kind == Number {
		if start.num != math.Trunc(start.num) || start.num < 0 {
			return Value{}
		}
		end, _ = byteOffset(text.str, int(min(start.num, math.MaxInt32))+1)
	} else if start.kind != Null {
		return Value{}
	}
	return position(text.str, strings.LastIndex(text.str[:end], part.str))
}
