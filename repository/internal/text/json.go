package text

import (
	"bytes"
	"encoding/json"
	"slices"
)

// ValueAt returns the JSON at a path of names within a JSON object, or nil. It
// reads no further than the end of that value and allocates nothing. encoding/json
// would read the whole document to find one property, which costs more than decoding
// the document.
//
// The object is valid JSON that has no name twice. For other text the result is
// some part of it, or nil.
func ValueAt(object json.RawMessage, path []string) json.RawMessage {
	for _, name := range path {
		if object = Member(object, name); object == nil {
			return nil
		}
	}
	return object
}

// Member returns the value of the property of this name, or nil.
func Member(object []byte, name string) []byte {
	i := skipSpace(object, 0)
	if i == len(object) || object[i] != '{' {
		return nil
	}
	for i < len(object) { // at the brace, or at a comma
		start := skipSpace(object, i+1)
		end := skipValue(object, start)
		key := object[start:end]
		i = skipSpace(object, end)
		if i == len(object) || object[i] != ':' {
			return nil
		}
		start = skipSpace(object, i+1)
		end = skipValue(object, start)
		if Spells(key, name) {
			return object[start:end]
		}
		i = skipSpace(object, end)
		if i == len(object) || object[i] != ',' {
			return nil
		}
	}
	return nil
}

// Without returns an object without the properties of some names. What is left is byte for
// byte as it was, but for the commas between.
func Without(object []byte, names []string) []byte {
	i := skipSpace(object, 0)
	if i == len(object) || object[i] != '{' {
		return object
	}
	left := append(make([]byte, 0, len(object)), '{')
	for i < len(object) && object[i] != '}' { // at the brace that opens, or at a comma
		start := skipSpace(object, i+1)
		end := skipValue(object, start)
		key := object[start:end]
		i = skipSpace(object, end)
		if i == len(object) || object[i] != ':' {
			break // the object is empty
		}
		end = skipValue(object, skipSpace(object, i+1))
		if !slices.ContainsFunc(names, func(name string) bool { return Spells(key, name) }) {
			if len(left) > 1 {
				left = append(left, ',')
			}
			left = append(left, object[start:end]...)
		}
		i = skipSpace(object, end)
	}
	return append(left, '}')
}

// Spells reports whether a JSON string, quotes included, is this text.
func Spells(key []byte, text string) bool {
	if bytes.IndexByte(key, '\\') < 0 {
		return len(key) == len(text)+2 && string(key[1:len(key)-1]) == text
	}
	var unquoted string
	return json.Unmarshal(key, &unquoted) == nil && unquoted == text
}

// Elements returns the elements of a JSON array, and nil for other text.
func Elements(list []byte) (all []json.RawMessage) {
	if json.Unmarshal(list, &all) != nil {
		return nil
	}
	return all
}

// Length returns how many elements a JSON array has, and -1 for other text. It allocates
// nothing.
func Length(list []byte) int {
	i := skipSpace(list, 0)
	if i == len(list) || list[i] != '[' {
		return -1
	}
	n := 0
	for i < len(list) && list[i] != ']' { // at the bracket that opens, or at a comma
		start := skipSpace(list, i+1)
		end := skipValue(list, start)
		if end > start {
			n++
		}
		i = skipSpace(list, end)
	}
	return n
}

// Complete reports whether text is a JSON object that ends where the text does.
func Complete(text []byte) bool {
	i := skipSpace(text, 0)
	if i == len(text) || text[i] != '{' {
		return false
	}
	for depth := 0; i < len(text); {
		switch text[i] {
		case '"':
			i = skipString(text, i)
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return skipSpace(text, i+1) == len(text)
			}
		}
		i++
	}
	return false
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// skipValue returns where the value ends that begins at b[i].
func skipValue(b []byte, i int) int {
	for depth := 0; i < len(b); {
		switch b[i] {
		case '"':
			i = skipString(b, i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			if depth == 0 {
				return i // the end of the object or array around the value
			}
			depth--
			i++
		case ',', ':', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return i
			}
			i++
			continue
		default:
			i++
			continue
		}
		if depth == 0 {
			return i
		}
	}
	return len(b)
}

// skipString returns where the string ends whose opening quote is b[i].
func skipString(b []byte, i int) int {
	for i++; i < len(b); {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			break
		}
		i += n + 1
		slashes := 0
		for b[i-2-slashes] == '\\' { // ends at the opening quote at the latest
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
	}
	return len(b)
}
