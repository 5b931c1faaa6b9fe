package text

import (
	"encoding/json"
	"strconv"
	"strings"
)

// A float64 holds every integer up to 2^53, and not every one above. Documents are
// looked through as JSON, which is the same for fields, lists, maps and types with a
// MarshalJSON of their own. A number of fewer than 16 digits is exact, and a run of
// 16 digits has one at a multiple of 16, so that one byte in 16 is looked at. Only
// what looks like a larger number costs more.

// mostExact is 2^53, and exactDigits the number of its digits.
const (
	mostExact   = "9007199254740992"
	exactDigits = len(mostExact)
)

// LargeIntegers calls judge with the digits of each integer in JSON text that is
// beyond 2^53, and with the way to it: names of properties, and for elements of lists
// their indexes. It returns the first error of judge. Text without such integers
// costs no allocation.
func LargeIntegers(body []byte, judge func(digits string, path []string) error) error {
	for i := exactDigits - 1; i < len(body); i += exactDigits {
		if !digit(body[i]) {
			continue
		}
		start, end := i, i+1
		for start > 0 && digit(body[start-1]) {
			start--
		}
		for end < len(body) && digit(body[end]) {
			end++
		}
		short := end-start < exactDigits || end-start == exactDigits && string(body[start:end]) <= mostExact
		if short || !integerAt(body, start, end) {
			continue
		}
		if within, ok := numberAt(body, start); ok {
			if err := judge(string(body[start:end]), within); err != nil {
				return err
			}
		}
		i += (end - i) / exactDigits * exactDigits
	}
	return nil
}

func digit(b byte) bool { return '0' <= b && b <= '9' }

// integerAt reports whether a run of digits is between the characters between which
// an integer is. It may still be within a string.
func integerAt(body []byte, start, end int) bool {
	if start > 0 && body[start-1] == '-' {
		start--
	}
	return (start == 0 || strings.IndexByte(":,[", body[start-1]) >= 0) &&
		(end == len(body) || strings.IndexByte(",]}", body[end]) >= 0)
}

// numberAt returns the way to the number whose digits begin at an offset: names of
// properties, and for elements of lists their indexes. It returns false if the offset
// is within a string.
func numberAt(body []byte, offset int) (path []string, ok bool) {
	type level struct {
		list bool
		name string
		n    int
	}
	var levels []level
	for i := 0; i < len(body); {
		top := len(levels) - 1
		switch c := body[i]; c {
		case '{', '[':
			levels = append(levels, level{list: c == '['})
			i++
		case '}', ']':
			levels = levels[:max(top, 0)]
			i++
		case ',':
			if top >= 0 {
				levels[top].n++
			}
			i++
		case '"':
			end := skipString(body, i)
			if i < offset && offset < end {
				return nil, false
			}
			if top >= 0 && !levels[top].list && end < len(body) && body[end] == ':' {
				levels[top].name = textOf(body[i:end])
			}
			i = end
		default:
			if i >= offset {
				for _, l := range levels {
					if l.list {
						l.name = strconv.Itoa(l.n)
					}
					path = append(path, l.name)
				}
				return path, true
			}
			i++
		}
	}
	return nil, false
}

// textOf returns the text of a JSON string.
func textOf(quoted []byte) string {
	var text string
	_ = json.Unmarshal(quoted, &text) // what encoding/json has written
	return text
}
