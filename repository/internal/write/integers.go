package write

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// Integers checks the integers in documents of a type: Cosmos DB would round some, since
// it keeps numbers as float64.
type Integers struct{ Document reflect.Type }

// acknowledged reports whether what operations set may be rounded, by the tag of
// the field. It is false of no operations, and of a nil receiver.
func (n *Integers) acknowledged(operations []PatchOperation) bool {
	if n == nil || len(operations) == 0 {
		return false
	}
	return !slices.ContainsFunc(operations, func(o PatchOperation) bool {
		_, _, known := describe(n.Document, o.names())
		return !known
	})
}

// names returns the path of an operation by names and indexes.
func (o PatchOperation) names() []string {
	names := strings.Split(strings.TrimPrefix(o.Path, "/"), "/")
	for i := range names {
		names[i] = text.Unescape(names[i])
	}
	return names
}

// check returns an error for an integer in the JSON of a document, or in that of
// what is at a path within it, which Cosmos DB would round. It names the property,
// not the value. A nil receiver checks nothing.
func (n *Integers) check(body []byte, path ...string) error {
	if n == nil {
		return nil
	}
	return text.LargeIntegers(body, func(digits string, within []string) error {
		return n.judge(digits, append(slices.Clone(path), within...))
	})
}

// judge returns an error for an integer that is rounded, at a path of names and
// indexes. Digits that come back as they were may be those of a float64, unless
// the type says that they are not. If a tag acknowledges that integers are rounded, the
// error is about one that would be rounded beyond its type, and never be read.
func (n *Integers) judge(digits string, path []string) error {
	property, t, acknowledged := describe(n.Document, path)
	f, err := strconv.ParseFloat(digits, 64)
	integer := t != nil && reflect.Int <= t.Kind() && t.Kind() <= reflect.Uint64
	if acknowledged {
		if integer && (err != nil || !holds(t, f)) {
			return fmt.Errorf("property %q: it has an integer that Cosmos DB would round to a number beyond the type %s, which could never be read: store it as text, such as by the option string of its json tag", property, t.Kind())
		}
		return nil
	}
	same := err == nil && strconv.FormatFloat(f, 'f', -1, 64) == digits
	if same && !integer {
		return nil
	}
	return fmt.Errorf("property %q: it has an integer beyond 2^53, which Cosmos DB would round, since it keeps numbers as float64: store it as text, such as by the option string of its json tag", property)
}

// holds reports whether an integer type holds the digits in which a large number comes
// back: all of them, or as few as tell it from its neighbours, with zeros after them.
func holds(t reflect.Type, f float64) bool {
	for _, precision := range []int{0, -1} {
		digits := strconv.FormatFloat(f, 'f', precision, 64)
		var err error
		if t.Kind() >= reflect.Uint {
			_, err = strconv.ParseUint(digits, 10, t.Bits())
		} else {
			_, err = strconv.ParseInt(digits, 10, t.Bits())
		}
		if err != nil {
			return false
		}
	}
	return true
}

// noteInt64 is the name by which a tag says that integers may be rounded.
const noteInt64 = "int64"

// describe follows a path in the JSON of a type. It returns how to name what is
// there, without the keys of maps, which are data; its type, nil if that is not
// known; and whether the tag of a field on the way acknowledges that its integers
// are rounded.
func describe(t reflect.Type, path []string) (property string, at reflect.Type, acknowledged bool) {
	var names []string
	for _, name := range path {
		for t != nil && t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t == nil || len(names) > 0 && writesItself(t) {
			return strings.Join(names, "."), nil, acknowledged
		}
		switch t.Kind() {
		case reflect.Struct:
			field, ok := jsonField(t, name)
			if !ok {
				return strings.Join(append(names, name), "."), nil, acknowledged
			}
			names, t = append(names, name), field.Type
			acknowledged = acknowledged || acknowledges(field.Tag.Get("cosmos"))
		case reflect.Map:
			names, t = append(names, "*"), t.Elem()
		case reflect.Slice, reflect.Array:
			t = t.Elem()
		default:
			t = nil
		}
	}
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t != nil && writesItself(t) {
		t = nil
	}
	return strings.Join(names, "."), t, acknowledged
}

var jsonMarshaler = reflect.TypeFor[json.Marshaler]()

// writesItself reports whether a type has its own JSON.
func writesItself(t reflect.Type) bool {
	return t.Implements(jsonMarshaler) || reflect.PointerTo(t).Implements(jsonMarshaler)
}

// acknowledges reports whether a cosmos tag has the note about integers.
func acknowledges(tag string) bool {
	for word := range strings.SplitSeq(tag, ",") {
		if value, ok := strings.CutPrefix(strings.TrimSpace(word), "note="); ok && slices.Contains(strings.Split(value, "+"), noteInt64) {
			return true
		}
	}
	return false
}

// jsonField returns the field of a struct type that encoding/json writes as a
// property: the shallowest of those that could be.
func jsonField(t reflect.Type, property string) (reflect.StructField, bool) {
	var embedded []reflect.Type
	seen := map[reflect.Type]bool{t: true}
	for level := []reflect.Type{t}; len(level) > 0; level, embedded = embedded, nil {
		for _, t := range level {
			for i := range t.NumField() {
				f := t.Field(i)
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				inner := f.Type
				if inner.Kind() == reflect.Pointer {
					inner = inner.Elem()
				}
				switch {
				case f.Anonymous && name == "" && inner.Kind() == reflect.Struct:
					if !seen[inner] {
						seen[inner] = true
						embedded = append(embedded, inner)
					}
				case f.IsExported() && (name == property || name == "" && f.Name == property):
					return f, true
				}
			}
		}
	}
	return reflect.StructField{}, false
}
