package simulate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/files"
	"github.com/cosmos-pkgen/pkgen/internal/spelling"
)

// Read reads a scenario file and checks it. The error names the property.
func Read(path string) (*Scenario, error) {
	text, err := files.Read(path)
	if err != nil {
		return nil, err
	}
	s, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s.folder = filepath.Dir(path)
	return s, nil
}

// parse reads a scenario and checks it.
func parse(text []byte) (*Scenario, error) {
	var s Scenario
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(new(json.RawMessage)); err != nil {
		return nil, located(text, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("line %d: text follows the scenario: remove it", line(text, int(decoder.InputOffset())))
	}
	if err := known(text, reflect.TypeFor[Scenario](), ""); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, located(text, err)
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	return &s, nil
}

// located adds the position to an error of JSON.
func located(text []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("line %d: %w", line(text, int(syntax.Offset)), err)
	case errors.As(err, &kind):
		what := kind.Field
		if what == "" {
			what = "the scenario"
		}
		return fmt.Errorf("line %d: %s is a JSON %s: write %s", line(text, int(kind.Offset)), what, kind.Value, wanted(kind.Type))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("line %d: the file ends within the scenario: write one JSON object", line(text, len(text)))
	}
	return err
}

// wanted returns the JSON type for a Go type.
func wanted(typ reflect.Type) string {
	switch typ.Kind() {
	case reflect.Int:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "an array"
	default:
		return "an object"
	}
}

// line returns the line at an offset, from 1.
func line(text []byte, offset int) int {
	return 1 + bytes.Count(text[:min(offset, len(text))], []byte("\n"))
}

// known refuses unknown properties of a type, at any depth, and suggests corrections. It ignores
// values of other JSON types.
func known(text json.RawMessage, typ reflect.Type, at string) error {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	var elements []json.RawMessage
	var members map[string]json.RawMessage
	switch {
	case typ == reflect.TypeFor[json.RawMessage]():
	case typ.Kind() == reflect.Slice && json.Unmarshal(text, &elements) == nil:
		for i, element := range elements {
			if err := known(element, typ.Elem(), fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
	case (typ.Kind() == reflect.Struct || typ.Kind() == reflect.Map) && json.Unmarshal(text, &members) == nil:
		return knownMembers(members, typ, at)
	}
	return nil
}

// knownMembers is known for the members of an object.
func knownMembers(members map[string]json.RawMessage, typ reflect.Type, at string) error {
	types := fields(typ)
	for _, name := range sortedNames(members) {
		inner, ok := types[name]
		if typ.Kind() == reflect.Map {
			inner, ok = typ.Elem(), true
		}
		where := strings.TrimPrefix(at+"."+name, ".")
		if !ok {
			return unknown(where, name, sortedNames(types))
		}
		if err := known(members[name], inner, where); err != nil {
			return err
		}
	}
	return nil
}

// fields returns the types of a struct's exported fields by their JSON names.
func fields(typ reflect.Type) map[string]reflect.Type {
	types := make(map[string]reflect.Type)
	if typ.Kind() != reflect.Struct {
		return types
	}
	for i := range typ.NumField() {
		if f := typ.Field(i); f.IsExported() {
			types[f.Tag.Get("json")] = f.Type
		}
	}
	return types
}

// unknown returns the error for a word that is not in words.
func unknown(where, word string, words []string) error {
	if near := spelling.Nearest(word, words); near != "" {
		return fmt.Errorf("%s: there is no %q: did you mean %q?", where, word, near)
	}
	return fmt.Errorf("%s: there is no %q: use one of %q", where, word, words)
}

// sortedNames returns the keys of a map in order.
func sortedNames[V any](m map[string]V) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
