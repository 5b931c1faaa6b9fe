package repository

import (
	"bytes"
	"encoding/json"
)

// valueAt returns the JSON at a path of names within a JSON object, or nil. It
// reads no further than that and allocates nothing: what encoding/json does with
// a whole document, to find one property of it, would cost more than decoding
// the document.
//
// The object is valid JSON in which no name stands twice. For other text the
// result is whatever was found, or nil.
func valueAt(object json.RawMessage, path []string) json.RawMessage {
	for _, name := range path {
		if object = member(object, name); object == nil {
			return nil
		}
	}
	return object
}

// member returns the value of the property of this name, or nil.
func member(object []byte, name string) []byte {
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
		if spells(key, name) {
			return object[start:end]
		}
		i = skipSpace(object, end)
		if i == len(object) || object[i] != ',' {
			return nil
		}
	}
	return nil
}

// spells reports whether a JSON string is this text.
func spells(key []byte, text string) bool {
	if bytes.IndexByte(key, '\\') < 0 {
		return len(key) == len(text)+2 && string(key[1:len(key)-1]) == text
	}
	var unquoted string
	return json.Unmarshal(key, &unquoted) == nil && unquoted == text
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
				return i // of what holds the value
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
