package cosmossql

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// maxReplicated is the longest text that REPLICATE makes, by Microsoft's page
// "REPLICATE".
const maxReplicated = 10_000

// textFunctions make strings. Positions and lengths count UTF-16 code units, as
// the reference interpreter in the .NET SDK's tests does.
var textFunctions = []*function{
	textFunction("LOWER", "the text in lower case", func(s string) Value { return stringValue(strings.ToLower(s)) }),
	textFunction("UPPER", "the text in upper case", func(s string) Value { return stringValue(strings.ToUpper(s)) }),
	textFunction("LENGTH", "the number of characters, those beyond U+FFFF counting twice", func(s string) Value {
		return numberValue(float64(utf16Len(s)))
	}),
	textFunction("REVERSE", "the text backwards", func(s string) Value {
		runes := []rune(s)
		slices.Reverse(runes)
		return stringValue(string(runes))
	}),
	trimFunction("TRIM", "at both ends", strings.TrimSpace, strings.Trim),
	trimFunction("LTRIM", "at the beginning", func(s string) string { return strings.TrimLeftFunc(s, unicode.IsSpace) }, strings.TrimLeft),
	trimFunction("RTRIM", "at the end", func(s string) string { return strings.TrimRightFunc(s, unicode.IsSpace) }, strings.TrimRight),
	{
		name: "CONCAT", args: "text, text [, …]", least: 2, most: -1, help: "the texts one after another",
		list: func(c *call, args []Value) Value { return joinTexts(c, args, "") },
	},
	{
		name: "STRINGJOIN", args: "array, separator", least: 2, most: 2, help: "the texts of an array with a separator between them",
		list: func(c *call, args []Value) Value {
			if args[0].kind != Array || args[1].kind != String {
				return Value{}
			}
			return joinTexts(c, args[0].comp.items, args[1].str)
		},
	},
	{
		name: "STRINGSPLIT", args: "text, separator", least: 2, most: 2, help: "the parts of a text between separators, as an array",
		list: func(c *call, args []Value) Value {
			if args[0].kind != String || args[1].kind != String {
				return Value{}
			}
			if args[1].str == "" {
				return arrayOf(c, args[0])
			}
			var b builder
			for part := range strings.SplitSeq(args[0].str, args[1].str) {
				b.add(stringValue(part))
			}
			return finished(c, &b)
		},
	},
	{
		name: "REPLACE", args: "text, old, new", least: 3, most: 3, help: "the text with every old replaced by new",
		list: replace,
	},
	{
		name: "REPLICATE", args: "text, count", least: 2, most: 2, help: "the text repeated, at most 10,000 characters",
		fixed: replicate,
	},
	{
		name: "LEFT", args: "text, length", least: 2, most: 2, help: "the first characters",
		list: func(c *call, args []Value) Value { return substring(c, args[0], numberValue(0), args[1]) },
	},
	{
		name: "RIGHT", args: "text, length", least: 2, most: 2, help: "the last characters",
		list: func(c *call, args []Value) Value {
			if args[0].kind != String || args[1].kind != Number {
				return Value{}
			}
			all := float64(utf16Len(args[0].str))
			return substring(c, args[0], numberValue(max(all-args[1].num, 0)), numberValue(min(args[1].num, all)))
		},
	},
	{
		name: "SUBSTRING", args: "text, start, length", least: 3, most: 3, help: "the characters from a position on, counted from 0",
		list: func(c *call, args []Value) Value { return substring(c, args[0], args[1], args[2]) },
	},
}

// textFunction makes a function of one string.
func textFunction(name, help string, f func(string) Value) *function {
	return &function{
		name: name, args: "text", help: help, least: 1, most: 1,
		fixed: func(args [maxFixed]Value) Value {
			if args[0].kind != String {
				return Value{}
			}
			return f(args[0].str)
		},
	}
}

// trimFunction makes a function that takes white space, or the characters of a
// second text, away from a text.
func trimFunction(name, where string, space func(string) string, cut func(text, characters string) string) *function {
	return &function{
		name: name, args: "text [, characters]", least: 1, most: 2, defaults: []Value{nullValue},
		help: "the text without white space, or without the given characters, " + where,
		fixed: func(args [maxFixed]Value) Value {
			switch {
			case args[0].kind != String:
				return Value{}
			case args[1].kind == String:
				return stringValue(cut(args[0].str, args[1].str))
			case args[1].kind == Null:
				return stringValue(space(args[0].str))
			default:
				return Value{}
			}
		},
	}
}

func joinTexts(c *call, texts []Value, separator string) Value {
	size := len(separator) * len(texts)
	for _, v := range texts {
		if v.kind != String {
			return Value{}
		}
		size += len(v.str)
	}
	if size > maxMadeBytes {
		return c.fail("%s makes a text of more than %d bytes", strings.ToUpper(c.token.word), maxMadeBytes)
	}
	var b strings.Builder
	b.Grow(size)
	for i, v := range texts {
		if i > 0 {
			b.WriteString(separator)
		}
		b.WriteString(v.str)
	}
	return stringValue(b.String())
}

// replace is undefined for an empty old text, as in the reference interpreter.
func replace(c *call, args []Value) Value {
	if args[0].kind != String || args[1].kind != String || args[2].kind != String || args[1].str == "" {
		return Value{}
	}
	text, old, by := args[0].str, args[1].str, args[2].str
	if grown := len(by) - len(old); grown > 0 && len(text)+grown*strings.Count(text, old) > maxMadeBytes {
		return c.fail("REPLACE makes a text of more than %d bytes", maxMadeBytes)
	}
	return stringValue(strings.ReplaceAll(text, old, by))
}

func replicate(args [maxFixed]Value) Value {
	if args[0].kind != String || args[1].kind != Number {
		return Value{}
	}
	n := math.Trunc(args[1].num)
	if !(args[1].num >= 0) || n*float64(utf16Len(args[0].str)) > maxReplicated || n > maxReplicated {
		return Value{}
	}
	return stringValue(strings.Repeat(args[0].str, int(n)))
}

// substring returns length characters from start on, or fewer at the end of the
// text. It is undefined unless start and length are whole numbers.
func substring(c *call, text, start, length Value) Value {
	if text.kind != String || start.kind != Number || length.kind != Number {
		return Value{}
	}
	if text.str == "" {
		return text
	}
	if start.num != math.Trunc(start.num) || length.num != math.Trunc(length.num) {
		return Value{}
	}
	all := utf16Len(text.str)
	if start.num < 0 || start.num >= float64(all) || length.num <= 0 {
		return stringValue("")
	}
	from := int(start.num)
	part, ok := slice16(text.str, from, from+int(min(length.num, float64(all-from))))
	if !ok {
		return c.fail("%s cuts a character beyond U+FFFF into halves, and a text cannot hold half a character", strings.ToUpper(c.token.word))
	}
	return stringValue(part)
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
