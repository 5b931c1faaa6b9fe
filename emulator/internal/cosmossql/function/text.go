package cosmossql

import (
	"fmt"
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
var textFunctions = []*Function{
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
		Name: "CONCAT", Args: "text, text [, …]", least: 2, most: -1, Help: "the texts one after another",
		list: func(name string, args []Value) (Value, error) { return joinTexts(name, args, "") },
	},
	{
		Name: "STRINGJOIN", Args: "array, separator", least: 2, most: 2, Help: "the texts of an array with a separator between them",
		list: func(name string, args []Value) (Value, error) {
			if args[0].kind != Array || args[1].kind != String {
				return Value{}, nil
			}
			return joinTexts(name, args[0].items(), args[1].str)
		},
	},
	{
		Name: "STRINGSPLIT", Args: "text, separator", least: 2, most: 2, Help: "the parts of a text between separators, as an array",
		list: func(name string, args []Value) (Value, error) {
			if args[0].kind != String || args[1].kind != String {
				return Value{}, nil
			}
			if args[1].str == "" {
				return arrayOf(name, args[0])
			}
			var b builder
			for part := range strings.SplitSeq(args[0].str, args[1].str) {
				b.add(stringValue(part))
			}
			return finished(name, &b)
		},
	},
	{
		Name: "REPLACE", Args: "text, old, new", least: 3, most: 3, Help: "the text with every old replaced by new",
		list: replace,
	},
	{
		Name: "REPLICATE", Args: "text, count", least: 2, most: 2, Help: "the text repeated, at most 10,000 characters",
		fixed: replicate,
	},
	{
		Name: "LEFT", Args: "text, length", least: 2, most: 2, Help: "the first characters",
		list: func(name string, args []Value) (Value, error) {
			return substring(name, args[0], numberValue(0), args[1])
		},
	},
	{
		Name: "RIGHT", Args: "text, length", least: 2, most: 2, Help: "the last characters",
		list: func(name string, args []Value) (Value, error) {
			if args[0].kind != String || args[1].kind != Number {
				return Value{}, nil
			}
			all := float64(utf16Len(args[0].str))
			return substring(name, args[0], numberValue(max(all-args[1].num, 0)), numberValue(min(args[1].num, all)))
		},
	},
	{
		Name: "SUBSTRING", Args: "text, start, length", least: 3, most: 3, Help: "the characters from a position on, counted from 0",
		list: func(name string, args []Value) (Value, error) { return substring(name, args[0], args[1], args[2]) },
	},
}

// textFunction makes a function of one string.
func textFunction(name, help string, f func(string) Value) *Function {
	return &Function{
		Name: name, Args: "text", Help: help, least: 1, most: 1,
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
func trimFunction(name, where string, space func(string) string, cut func(text, characters string) string) *Function {
	return &Function{
		Name: name, Args: "text [, characters]", least: 1, most: 2, defaults: []Value{nullOf()},
		Help: "the text without white space, or without the given characters, " + where,
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

func joinTexts(name string, texts []Value, separator string) (Value, error) {
	size := len(separator) * len(texts)
	for _, v := range texts {
		if v.kind != String {
			return Value{}, nil
		}
		size += len(v.str)
	}
	if size > maxMadeBytes {
		return Value{}, fmt.Errorf("%s makes a text of more than %d bytes", name, maxMadeBytes)
	}
	var b strings.Builder
	b.Grow(size)
	for i, v := range texts {
		if i > 0 {
			b.WriteString(separator)
		}
		b.WriteString(v.str)
	}
	return stringValue(b.String()), nil
}

// replace is undefined for an empty old text, as in the reference interpreter.
func replace(_ string, args []Value) (Value, error) {
	if args[0].kind != String || args[1].kind != String || args[2].kind != String || args[1].str == "" {
		return Value{}, nil
	}
	text, old, by := args[0].str, args[1].str, args[2].str
	if grown := len(by) - len(old); grown > 0 && len(text)+grown*strings.Count(text, old) > maxMadeBytes {
		return Value{}, fmt.Errorf("REPLACE makes a text of more than %d bytes", maxMadeBytes)
	}
	return stringValue(strings.ReplaceAll(text, old, by)), nil
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
func substring(name string, text, start, length Value) (Value, error) {
	if text.kind != String || start.kind != Number || length.kind != Number {
		return Value{}, nil
	}
	if text.str == "" {
		return text, nil
	}
	if start.num != math.Trunc(start.num) || length.num != math.Trunc(length.num) {
		return Value{}, nil
	}
	all := utf16Len(text.str)
	if start.num < 0 || start.num >= float64(all) || length.num <= 0 {
		return stringValue(""), nil
	}
	from := int(start.num)
	part, ok := slice16(text.str, from, from+int(min(length.num, float64(all-from))))
	if !ok {
		return Value{}, fmt.Errorf("%s cuts a character beyond U+FFFF into halves, and a text cannot hold half a character", name)
	}
	return stringValue(part), nil
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
