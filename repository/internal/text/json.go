package text

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/jsonscan"
)

// ValueAt returns the JSON at a path of names within a JSON object, or nil. It reads only
// up to the end of that value and does not allocate. encoding/json would read the whole
// document, which costs more than decoding it.
//
// The object must be valid JSON without duplicate names. For other text the result is some
// part of it, or nil.
func ValueAt(object json.RawMessage, path []string) json.RawMessage {
	for _, name := range path {
		if object = Member(object, name); object == nil {
			return nil
		}
	}
	return object
}

// Member returns the value of the property with this name, or nil.
func Member(object []byte, name string) []byte {
	s := jsonscan.Of(object)
	for ok := s.Enter('{'); ok && s.More(); {
		key, value := s.Raw(), s.Raw()
		if jsonscan.Spells(key, name) {
			return value
		}
	}
	return nil
}

// Without returns an object without the named properties; see [jsonscan.AppendWithout].
func Without(object []byte, names []string) []byte {
	return jsonscan.AppendWithout(make([]byte, 0, len(object)), object, names)
}

// Elements returns the elements of a JSON array, or nil for other text.
func Elements(list []byte) (all []json.RawMessage) {
	if json.Unmarshal(list, &all) != nil {
		return nil
	}
	return all
}

// Length returns the number of elements of a JSON array, or -1 for other text. It does not
// allocate.
func Length(list []byte) int {
	s := jsonscan.Of(list)
	if !s.Enter('[') {
		return -1
	}
	n := 0
	for ; s.More(); n++ {
		s.Skip()
	}
	return n
}

// SetText sets the property at path, such as "/partitionKey" or "/meta/key", to text, and
// returns the new document.
func SetText(body []byte, path, text string) ([]byte, error) {
	value, err := json.Marshal(text)
	if err != nil {
		return nil, err
	}
	body, err = SetProperty(body, strings.Split(strings.TrimPrefix(path, "/"), "/"), value)
	if err != nil {
		return nil, fmt.Errorf("cannot write the partition key to %s: %w", path, err)
	}
	return body, nil
}

// SetProperty sets the property at path within a JSON object to value, which is JSON, and
// returns the new object. It creates missing objects on the way.
func SetProperty(object []byte, path []string, value []byte) ([]byte, error) {
	name, err := json.Marshal(path[0])
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(object, []byte("{")) {
		return nil, errors.New("the document is not a JSON object")
	}
	var start, end int
	// The property can only exist if its name occurs, or an escape that may spell it.
	if bytes.Contains(object, name) || bytes.Contains(object, []byte(`\u`)) {
		if start, end, err = findProperty(object, path[0]); err != nil {
			return nil, err
		}
	}
	if len(path) > 1 {
		inner := []byte("{}")
		if end > 0 && string(object[start:end]) != "null" {
			inner = object[start:end:end]
		}
		if value, err = SetProperty(inner, path[1:], value); err != nil {
			return nil, fmt.Errorf("property %s: %w", path[0], err)
		}
	}
	if end > 0 {
		return bytes.Join([][]byte{object[:start], value, object[end:]}, nil), nil
	}
	return AppendProperty(object, name, value), nil
}

// AppendProperty appends a property to an object that json.Marshal wrote, so that its last
// byte is the closing brace. Name and value are JSON.
func AppendProperty(object, name, value []byte) []byte {
	last := len(object) - 1
	grown := make([]byte, 0, len(object)+len(name)+len(value)+2)
	grown = append(grown, object[:last]...)
	if last > 1 {
		grown = append(grown, ',')
	}
	grown = append(grown, name...)
	grown = append(grown, ':')
	grown = append(grown, value...)
	return append(grown, '}')
}

// findProperty returns the bounds of the value of a property, or zeros.
func findProperty(object []byte, name string) (start, end int, err error) {
	dec := json.NewDecoder(bytes.NewReader(object))
	if _, err := dec.Token(); err != nil {
		return 0, 0, err
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return 0, 0, err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return 0, 0, err
		}
		if key != name {
			continue
		}
		if end > 0 {
			return 0, 0, fmt.Errorf("the document has the property %s twice", name)
		}
		end = int(dec.InputOffset())
		start = end - len(value)
	}
	return start, end, nil
}

// parseRenamed is ParseFieldOf for a field whose first property has aliases.
func parseRenamed(of, mark, pointer string, aliases []string) (Field, error) {
	p, err := ParseFieldOf(of, mark+"/"+pointer)
	if err != nil {
		return p, err
	}
	top, within, nested := strings.Cut(pointer, "/")
	p.Top = Within(of, "/"+top)
	for _, name := range aliases {
		path := "/" + jsonpointer.Escape(name)
		if nested {
			path += "/" + within
		}
		f, err := ParseFieldOf(of, mark+path)
		if err != nil {
			return p, err
		}
		f.Top = Within(of, "/"+jsonpointer.Escape(name))
		p.Aliases = append(p.Aliases, f)
	}
	return p, nil
}

// Renamed splits a field with aliases into its pointer and the aliases. It returns a field
// without aliases unchanged.
func Renamed(field string) (pointer string, aliases []string) {
	mark, rest, ok := strings.Cut(field, "/")
	_, names, renamed := strings.Cut(mark, "<")
	if !ok || !renamed {
		return field, nil
	}
	return "/" + rest, strings.Split(names, "<")
}

// ErrRenamed is the error of an operation that is not possible on a property with aliases.
var ErrRenamed = errors.New("old documents have the property under another name, which the service does not sort, compare or add up together with this one: rewrite the documents, and remove was= from its tag; see docs/evolution.md")

// Aliased is a property and its names in old documents, the newest first.
type Aliased struct {
	Name    string
	Aliases []string
}

// Rename gives the properties of an object their present names. An absent property takes
// the value of its newest alias, and the aliases are removed. All other bytes are kept,
// apart from commas. An object without aliases is returned unchanged, without an
// allocation.
func Rename(object []byte, all []Aliased) []byte {
	for _, p := range all {
		var found []byte
		there := false
		for _, name := range p.Aliases {
			value := Member(object, name)
			if value == nil {
				continue
			}
			if there = true; found == nil {
				found = value
			}
		}
		if !there {
			continue
		}
		absent := Member(object, p.Name) == nil
		object = Without(object, p.Aliases)
		if absent {
			object = AppendProperty(object, []byte(Quote(p.Name)), found)
		}
	}
	return object
}

// EntryID is the property of an index entry with the id of the source document. The service
// gives each entry its own id.
const EntryID = "_id"

// OfEntry returns an index entry as its document is stored in the source: under the id of
// the document, with the properties that the index has. All other bytes are kept.
func OfEntry(entry []byte) []byte {
	s := jsonscan.Of(entry)
	document := append(make([]byte, 0, len(entry)), '{')
	for ok := s.Enter('{'); ok && s.More(); {
		name, value := s.Raw(), s.Raw()
		switch {
		case jsonscan.Spells(name, "id"):
			continue
		case jsonscan.Spells(name, EntryID):
			name = []byte(`"id"`)
		}
		if len(document) > 1 {
			document = append(document, ',')
		}
		document = append(append(append(document, name...), ':'), value...)
	}
	return append(document, '}')
}

// A float64 holds every integer up to 2^53, but not all larger ones. Documents are searched
// as JSON, which works alike for fields, lists, maps and types with their own MarshalJSON.
// A number of fewer than 16 digits is exact, and a run of 16 digits covers an offset that
// is one less than a multiple of 16, so only one byte in 16 is examined. Only larger
// numbers cost more.

// mostExact is 2^53, and exactDigits the number of its digits.
const (
	mostExact   = "9007199254740992"
	exactDigits = len(mostExact)
)

// LargeIntegers calls judge for each integer in JSON text beyond 2^53, with its digits and
// its path: names of properties, and indexes of list elements. It returns the first error
// of judge. Without such integers it does not allocate.
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

// integerAt reports whether a run of digits is delimited like an integer. It may still be
// inside a string.
func integerAt(body []byte, start, end int) bool {
	if start > 0 && body[start-1] == '-' {
		start--
	}
	return (start == 0 || strings.IndexByte(":,[", body[start-1]) >= 0) &&
		(end == len(body) || strings.IndexByte(",]}", body[end]) >= 0)
}

// numberAt returns the path of the number whose digits begin at an offset: names of
// properties, and indexes of list elements. It returns false if the offset is inside a
// string.
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
			end := jsonscan.StringEnd(body, i)
			if i < offset && offset < end {
				return nil, false
			}
			if top >= 0 && !levels[top].list && end < len(body) && body[end] == ':' {
				levels[top].name = string(jsonscan.Unquoted(body[i:end]))
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
