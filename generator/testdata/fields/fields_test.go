package fields

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/netip"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository"
)

// TestPointers looks for every field of the documents in what encoding/json
// writes of one in which nothing is zero, of one in which all is but for
// pointers to structs, and of the zero value.
func TestPointers(t *testing.T) {
	check[Vehicle](t, VehicleFields)
	check[event](t, eventFields)
	check[Bare](t, BareFields)
	check[Visit](t, VisitFields)
}

func check[D any](t *testing.T, fields any) {
	t.Helper()
	full, empty, none := document[D](t, filled), document[D](t, pointers), document[D](t, zeros)
	seen := map[string]bool{}
	eachField(reflect.ValueOf(fields), func(kind, text string) {
		marked := strings.HasPrefix(text, "?")
		pointer := text[strings.Index(text, "/"):]
		seen[pointer] = true
		value, err := lookup(full, pointer)
		if err != nil {
			t.Errorf("%T: %s: %v", *new(D), text, err)
			return
		}
		if want := jsonKind(kind); want != "" && want != fmt.Sprintf("%T", value) {
			t.Errorf("%T: %s is a %s, and JSON has %T", *new(D), text, kind, value)
		}
		zero, err := lookup(empty, pointer)
		absent := err != nil
		if strings.HasPrefix(text, "?/") { // what a pointer may keep from being zero
			zero, err = lookup(none, pointer)
		}
		switch {
		case marked && err == nil:
			t.Errorf("%T: %s is marked, and written as %v when it is zero", *new(D), text, zero)
		case !marked && absent && !isPointer(reflect.TypeFor[D](), pointer):
			t.Errorf("%T: %s is not marked, and left out when it is zero", *new(D), text)
		}
		checkHolder(t, reflect.TypeFor[D](), text, pointer)
	})
	checkComplete(t, full, "", seen)
}

// checkHolder expects behind a mark how many names lead to the last struct that
// is held by a pointer.
func checkHolder(t *testing.T, typ reflect.Type, text, pointer string) {
	t.Helper()
	mark, _, _ := strings.Cut(text, "/")
	if mark == "" {
		return
	}
	want, names := 0, strings.Split(pointer[1:], "/")
	for i := 1; i < len(names); i++ {
		if isPointer(typ, "/"+strings.Join(names[:i], "/")) {
			want = i
		}
	}
	if got, _ := strconv.Atoi(mark[1:]); got != want {
		t.Errorf("%s: %d names lead to the last pointer", text, want)
	}
}

// checkComplete expects a field for every property of an object of which some
// are referred to.
func checkComplete(t *testing.T, value any, pointer string, seen map[string]bool) {
	object, ok := value.(map[string]any)
	if !ok {
		return
	}
	any := pointer == ""
	for name := range object {
		any = any || seen[pointer+"/"+escape.Replace(name)]
	}
	if !any {
		return
	}
	for name, inner := range object {
		at := pointer + "/" + escape.Replace(name)
		if !seen[at] {
			t.Errorf("no field for %s", at)
		}
		checkComplete(t, inner, at, seen)
	}
}

var (
	escape   = strings.NewReplacer("~", "~0", "/", "~1")
	unescape = strings.NewReplacer("~1", "/", "~0", "~")
)

// eachField calls yield with the kind and the text of every field.
func eachField(v reflect.Value, yield func(kind, text string)) {
	if v.Kind() == reflect.String {
		kind, _, _ := strings.Cut(v.Type().Name(), "[")
		yield(kind, v.String())
		return
	}
	for i := range v.NumField() {
		eachField(v.Field(i), yield)
	}
}

// jsonKind is how package json reads what a kind of field refers to.
func jsonKind(kind string) string {
	return map[string]string{
		"String": "string", "Text": "string", "Instant": "string", "Number": "float64", "Bool": "bool",
		"List": "[]interface {}", "Map": "map[string]interface {}", "Object": "map[string]interface {}",
	}[kind]
}

// lookup follows a JSON pointer.
func lookup(value any, pointer string) (any, error) {
	for _, name := range strings.Split(pointer[1:], "/") {
		object, ok := value.(map[string]any)
		if value, ok = object[unescape.Replace(name)]; !ok {
			return nil, errors.New("JSON has no " + name)
		}
	}
	return value, nil
}

// isPointer reports whether the property at a JSON pointer is held by a Go
// pointer.
func isPointer(typ reflect.Type, pointer string) bool {
	for _, name := range strings.Split(pointer[1:], "/") {
		for typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		for _, f := range reflect.VisibleFields(typ) {
			tagged, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if tagged == unescape.Replace(name) || tagged == "" && f.Name == name {
				typ = f.Type
				break
			}
		}
	}
	return typ.Kind() == reflect.Pointer
}

// document returns what encoding/json writes of a document.
func document[D any](t *testing.T, what contents) any {
	t.Helper()
	doc := new(D)
	fill(reflect.ValueOf(doc).Elem(), what, 0)
	data, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

// contents says what of a document is not zero.
type contents int

const (
	zeros    contents = iota // nothing
	pointers                 // pointers to structs
	filled                   // everything
)

// fill gives a value to v and what is in it.
func fill(v reflect.Value, what contents, depth int) {
	if depth > 6 || !v.CanSet() && v.Kind() != reflect.Struct {
		return
	}
	known := map[reflect.Type]any{
		reflect.TypeFor[repository.Time](): repository.NewTime(time.Unix(1, 0)), reflect.TypeFor[time.Time](): time.Unix(1, 0),
		reflect.TypeFor[json.Number](): json.Number("1"), reflect.TypeFor[json.RawMessage](): json.RawMessage("1"),
		reflect.TypeFor[netip.Addr](): netip.MustParseAddr("::1"), reflect.TypeFor[*big.Int](): big.NewInt(1),
	}
	if value, ok := known[v.Type()]; ok {
		if what == filled {
			v.Set(reflect.ValueOf(value))
		} else if v.Type() == reflect.TypeFor[json.Number]() {
			v.SetString("0")
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), what, depth+1)
		}
	case reflect.Pointer:
		if what == filled || what == pointers && v.Type().Elem().Kind() == reflect.Struct && v.Type().Elem() != reflect.TypeFor[repository.Time]() {
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), what, depth+1)
		}
	default:
		if what == filled {
			fillValue(v, depth)
		}
	}
}

// fillValue gives a value to v, which is no struct and no pointer.
func fillValue(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), filled, depth+1)
	case reflect.Map:
		key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, filled, depth+1)
		fill(elem, filled, depth+1)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, elem)
	case reflect.Interface:
		v.Set(reflect.ValueOf(1))
	case reflect.Array:
		fill(v.Index(0), filled, depth+1)
	default:
		v.Set(reflect.ValueOf(1).Convert(v.Type()))
	}
}
