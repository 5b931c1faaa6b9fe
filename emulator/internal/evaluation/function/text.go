package function

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
)

// maxReplicated is the maximum length of a result of REPLICATE (Microsoft's page "REPLICATE").
const maxReplicated = 10_000

// textFunctions make strings. Positions and lengths count UTF-16 code units, as
// the reference interpreter in the .NET SDK's tests does.
var textFunctions = []*Function{
	textFunction("LOWER", func(s string) value.Value { return value.OfString(strings.ToLower(s)) }),
	textFunction("UPPER", func(s string) value.Value { return value.OfString(strings.ToUpper(s)) }),
	textFunction("LENGTH", func(s string) value.Value {
		return value.OfFloat(float64(utf16Len(s)))
	}),
	textFunction("REVERSE", func(s string) value.Value {
		runes := []rune(s)
		slices.Reverse(runes)
		return value.OfString(string(runes))
	}),
	trimFunction("TRIM", strings.TrimSpace, strings.Trim),
	trimFunction("LTRIM", func(s string) string { return strings.TrimLeftFunc(s, unicode.IsSpace) }, strings.TrimLeft),
	trimFunction("RTRIM", func(s string) string { return strings.TrimRightFunc(s, unicode.IsSpace) }, strings.TrimRight),
	{
		Name: "CONCAT",
		List: func(name string, args []value.Value) (value.Value, error) { return joinTexts(name, args, "") },
	},
	{
		Name: "STRINGJOIN",
		List: func(name string, args []value.Value) (value.Value, error) {
			if args[0].Kind() != value.Array || args[1].Kind() != value.String {
				return value.Value{}, nil
			}
			return joinTexts(name, args[0].Items(), args[1].Text())
		},
	},
	{
		Name: "STRINGSPLIT",
		List: func(name string, args []value.Value) (value.Value, error) {
			if args[0].Kind() != value.String || args[1].Kind() != value.String {
				return value.Value{}, nil
			}
			if args[1].Text() == "" {
				return arrayOf(name, args[0])
			}
			var b value.Builder
			for part := range strings.SplitSeq(args[0].Text(), args[1].Text()) {
				b.Add(value.OfString(part))
			}
			return finished(name, &b)
		},
	},
	{
		Name: "REPLACE",
		List: replace,
	},
	{
		Name:  "REPLICATE",
		Fixed: replicate,
	},
	{
		Name: "LEFT",
		List: func(name string, args []value.Value) (value.Value, error) {
			return substring(name, args[0], value.OfFloat(0), args[1])
		},
	},
	{
		Name: "RIGHT",
		List: func(name string, args []value.Value) (value.Value, error) {
			if args[0].Kind() != value.String || args[1].Kind() != value.Number {
				return value.Value{}, nil
			}
			all := float64(utf16Len(args[0].Text()))
			return substring(name, args[0], value.OfFloat(max(all-args[1].Float(), 0)), value.OfFloat(min(args[1].Float(), all)))
		},
	},
	{
		Name: "SUBSTRING",
		List: func(name string, args []value.Value) (value.Value, error) {
			return substring(name, args[0], args[1], args[2])
		},
	},
}

// textFunction makes a function of one string.
func textFunction(name string, f func(string) value.Value) *Function {
	return &Function{
		Name: name,
		Fixed: func(args [MaxFixed]value.Value) value.Value {
			if args[0].Kind() != value.String {
				return value.Value{}
			}
			return f(args[0].Text())
		},
	}
}

// trimFunction makes a function that trims white space, or the characters of a second text.
func trimFunction(name string, space func(string) string, cut func(text, characters string) string) *Function {
	return &Function{
		Name: name, Defaults: []value.Value{value.OfNull()},
		Fixed: func(args [MaxFixed]value.Value) value.Value {
			switch {
			case args[0].Kind() != value.String:
				return value.Value{}
			case args[1].Kind() == value.String:
				return value.OfString(cut(args[0].Text(), args[1].Text()))
			case args[1].Kind() == value.Null:
				return value.OfString(space(args[0].Text()))
			default:
				return value.Value{}
			}
		},
	}
}

func joinTexts(name string, texts []value.Value, separator string) (value.Value, error) {
	size := len(separator) * len(texts)
	for _, v := range texts {
		if v.Kind() != value.String {
			return value.Value{}, nil
		}
		size += len(v.Text())
	}
	if size > value.MaxBytes {
		return value.Value{}, fmt.Errorf("%s makes a text of more than %d bytes", name, value.MaxBytes)
	}
	var b strings.Builder
	b.Grow(size)
	for i, v := range texts {
		if i > 0 {
			b.WriteString(separator)
		}
		b.WriteString(v.Text())
	}
	return value.OfString(b.String()), nil
}

// replace is undefined for an empty old text, as in the reference interpreter.
func replace(_ string, args []value.Value) (value.Value, error) {
	if args[0].Kind() != value.String || args[1].Kind() != value.String || args[2].Kind() != value.String || args[1].Text() == "" {
		return value.Value{}, nil
	}
	text, old, by := args[0].Text(), args[1].Text(), args[2].Text()
	if grown := len(by) - len(old); grown > 0 && len(text)+grown*strings.Count(text, old) > value.MaxBytes {
		return value.Value{}, fmt.Errorf("REPLACE makes a text of more than %d bytes", value.MaxBytes)
	}
	return value.OfString(strings.ReplaceAll(text, old, by)), nil
}

func replicate(args [MaxFixed]value.Value) value.Value {
	if args[0].Kind() != value.String || args[1].Kind() != value.Number {
		return value.Value{}
	}
	n := math.Trunc(args[1].Float())
	if !(args[1].Float() >= 0) || n*float64(utf16Len(args[0].Text())) > maxReplicated || n > maxReplicated {
		return value.Value{}
	}
	return value.OfString(strings.Repeat(args[0].Text(), int(n)))
}

// substring returns length characters from start on, or fewer at the end of the
// text. It is undefined unless start and length are whole numbers.
func substring(name string, text, start, length value.Value) (value.Value, error) {
	if text.Kind() != value.String || start.Kind() != value.Number || length.Kind() != value.Number {
		return value.Value{}, nil
	}
	if text.Text() == "" {
		return text, nil
	}
	if start.Float() != math.Trunc(start.Float()) || length.Float() != math.Trunc(length.Float()) {
		return value.Value{}, nil
	}
	all := utf16Len(text.Text())
	if start.Float() < 0 || start.Float() >= float64(all) || length.Float() <= 0 {
		return value.OfString(""), nil
	}
	from := int(start.Float())
	part, ok := slice16(text.Text(), from, from+int(min(length.Float(), float64(all-from))))
	if !ok {
		return value.Value{}, fmt.Errorf("%s cuts a character beyond U+FFFF into halves, and a text cannot hold half a character", name)
	}
	return value.OfString(part), nil
}

// utf16Len counts UTF-16 code units.
func utf16Len(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// slice16 cuts a text at positions counted in UTF-16 code units. ok is false if a
// position is in the middle of a character.
func slice16(s string, from, to int) (part string, ok bool) {
	start, okStart := byteOffset(s, from)
	end, okEnd := byteOffset(s, to)
	return s[start:end], okStart && okEnd
}

// byteOffset turns a position in UTF-16 code units into a byte offset. A position in
// the middle of a character becomes the beginning of that character, and ok is false.
func byteOffset(s string, position int) (offset int, ok bool) {
	n := 0
	for i, r := range s {
		width := 1
		if r > 0xFFFF {
			width = 2
		}
		if n+width > position {
			return i, n == position
		}
		n += width
	}
	return len(s), n == position
}
