package function

import (
	"math"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
)

// searchFunctions look for one text in another.
var searchFunctions = []*Function{
	textTest("STARTSWITH", strings.HasPrefix),
	textTest("ENDSWITH", strings.HasSuffix),
	textTest("CONTAINS", strings.Contains),
	textTest("STRINGEQUALS", func(a, b string) bool { return a == b }),
	containsMany("CONTAINS_ANY_CI", value.Or, value.False, true),
	containsMany("CONTAINS_ANY_CS", value.Or, value.False, false),
	containsMany("CONTAINS_ALL_CI", value.And, value.True, true),
	containsMany("CONTAINS_ALL_CS", value.And, value.True, false),
	{
		Name: "INDEX_OF", Defaults: []value.Value{value.OfFloat(0)},
		Fixed: indexOf,
	},
	{
		Name: "LASTINDEXOF", Defaults: []value.Value{value.OfNull()},
		Fixed: lastIndexOf,
	},
	{
		Name: "REGEXMATCH", Matcher: regexMatch,
	},
}

// textTest makes a test of two strings, with an optional third argument to ignore case.
func textTest(name string, test func(a, b string) bool) *Function {
	return &Function{
		Name:     name,
		Defaults: []value.Value{value.OfBool(false)},
		Fixed: func(args [MaxFixed]value.Value) value.Value {
			a, b, fold := args[0], args[1], args[2]
			if a.Kind() != value.String || b.Kind() != value.String || fold.Kind() != value.Bool {
				return value.Value{}
			}
			if fold.Bool() {
				return value.OfBool(test(strings.ToLower(a.Text()), strings.ToLower(b.Text())))
			}
			return value.OfBool(test(a.Text(), b.Text()))
		},
	}
}

// containsMany makes CONTAINS for several parts, joined by a logical operator, as Microsoft's
// pages define it.
func containsMany(name string, join func(a, b value.Truth) value.Truth, start value.Truth, fold bool) *Function {
	return &Function{
		Name: name, Total: true,
		List: func(_ string, args []value.Value) (value.Value, error) {
			text, result := args[0].Text(), start
			if fold {
				text = strings.ToLower(text)
			}
			for _, part := range args[1:] {
				found := value.Unknown
				if args[0].Kind() == value.String && part.Kind() == value.String {
					wanted := part.Text()
					if fold {
						wanted = strings.ToLower(wanted)
					}
					found = value.TruthOf(strings.Contains(text, wanted))
				}
				result = join(result, found)
			}
			return result.Value(), nil
		},
	}
}

// position counts the UTF-16 code units before a byte offset; -1 stays -1.
func position(s string, offset int) value.Value {
	if offset < 0 {
		return value.OfFloat(-1)
	}
	return value.OfFloat(float64(utf16Len(s[:offset])))
}

func indexOf(args [MaxFixed]value.Value) value.Value {
	text, part, start := args[0], args[1], args[2]
	if text.Kind() != value.String || part.Kind() != value.String || start.Kind() != value.Number || start.Float() != math.Trunc(start.Float()) || start.Float() < 0 {
		return value.Value{}
	}
	from, _ := byteOffset(text.Text(), int(min(start.Float(), math.MaxInt32)))
	found := strings.Index(text.Text()[from:], part.Text())
	if found >= 0 {
		found += from
	}
	return position(text.Text(), found)
}

// lastIndexOf takes its start as .NET's LastIndexOf does: the part must end at or
// before that position, as the example of Microsoft's page "LASTINDEXOF" shows.
func lastIndexOf(args [MaxFixed]value.Value) value.Value {
	text, part, start := args[0], args[1], args[2]
	if text.Kind() != value.String || part.Kind() != value.String {
		return value.Value{}
	}
	end := len(text.Text())
	if start.Kind() == value.Number {
		if start.Float() != math.Trunc(start.Float()) || start.Float() < 0 {
			return value.Value{}
		}
		end, _ = byteOffset(text.Text(), int(min(start.Float(), math.MaxInt32))+1)
	} else if start.Kind() != value.Null {
		return value.Value{}
	}
	return position(text.Text(), strings.LastIndex(text.Text()[:end], part.Text()))
}
