// Package flat views Go structs as flat lists of named properties, as the Table and Gremlin APIs
// store documents: the properties of a struct, with the names of encoding/json, their kinds, and
// how to set them from values read. It knows no API.
package flat

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/cosmos-pkgen/pkgen/documents"
)

// Kind is the kind of a property.
type Kind int

// The kinds, each with the Go type of its values.
const (
	Text      Kind = iota + 1 // string
	Bool                      // bool
	Int32                     // int32: an int8, int16, int32, uint8 or uint16
	Int64                     // int64: an int, int64, uint, uint32 or uint64
	Float                     // float64
	Time                      // time.Time
	Binary                    // []byte
	Marshaled                 // string, made by MarshalText and read by UnmarshalText
)

var kindNames = map[Kind]string{
	Text: "a text", Bool: "a bool", Int32: "an integer of 32 bits", Int64: "an integer of 64 bits",
	Float: "a number", Time: "a time", Binary: "bytes", Marshaled: "a text",
}

// String returns the kind for errors, such as "a text".
func (k Kind) String() string { return kindNames[k] }

// Property is one property of a struct.
type Property struct {
	Name     string // as in encoding/json
	Field    string // the Go field, for errors: "Speed", or "Meta.Speed" if embedded
	Kind     Kind
	Optional bool // a pointer leads to it; the property is absent if the pointer is nil
	UUID     bool // a Marshaled of 16 bytes in Go

	index []int
	typ   reflect.Type // without pointers
}

// Shape lists the properties of a struct type. It is immutable, and safe for concurrent use.
type Shape struct {
	Type       reflect.Type
	Properties []Property // in the order of encoding/json

	byName map[string]int
}

// Property returns the property with a name, or nil.
func (s *Shape) Property(name string) *Property {
	i, ok := s.byName[name]
	if !ok {
		return nil
	}
	return &s.Properties[i]
}

var shapes sync.Map // reflect.Type to made

type made struct {
	shape *Shape
	err   error
}

// Of returns the shape of a struct type, which is computed once. The error is a
// *documents.FieldError for the first field that cannot be a flat property. Embedded structs are
// flattened as in encoding/json, and fields with `json:"-"` are skipped. The options omitempty,
// omitzero and string are ignored: a property is absent only if a pointer to it is nil.
func Of[T any]() (*Shape, error) {
	return OfType(reflect.TypeFor[T]())
}

// OfType is Of for a type that is known at run time.
func OfType(t reflect.Type) (*Shape, error) {
	if m, ok := shapes.Load(t); ok {
		return m.(made).shape, m.(made).err
	}
	shape, err := shapeOf(t)
	shapes.Store(t, made{shape, err})
	return shape, err
}

// candidate is a field and its embedding depth.
type candidate struct {
	Property
	tagged bool
}

func shapeOf(t reflect.Type) (*Shape, error) {
	if t.Kind() != reflect.Struct {
		return nil, &documents.FieldError{Type: t.String(), Reason: "is not a struct"}
	}
	c := collector{of: t, open: map[reflect.Type]bool{}}
	if err := c.collect(t, nil, "", false); err != nil {
		return nil, err
	}
	s := &Shape{Type: t, byName: map[string]int{}}
	for _, found := range c.found {
		if !c.dominant(found) {
			continue
		}
		if err := found.classify(t); err != nil {
			return nil, err
		}
		s.Properties = append(s.Properties, found.Property)
	}
	slices.SortStableFunc(s.Properties, func(a, b Property) int { return slices.Compare(a.index, b.index) })
	for i := range s.Properties {
		s.byName[s.Properties[i].Name] = i
	}
	return s, nil
}

// collector collects the fields of a struct and of its embedded structs.
type collector struct {
	of    reflect.Type
	found []candidate
	open  map[reflect.Type]bool // types in progress, which stops recursion
}

func (c *collector) collect(t reflect.Type, index []int, path string, optional bool) error {
	if c.open[t] {
		return nil
	}
	c.open[t] = true
	defer delete(c.open, t)
	for i := range t.NumField() {
		f := t.Field(i)
		inner, viaPointer := f.Type, false
		if f.Anonymous && inner.Kind() == reflect.Pointer {
			inner, viaPointer = inner.Elem(), true
		}
		if !f.IsExported() && (!f.Anonymous || inner.Kind() != reflect.Struct) {
			continue
		}
		tag := f.Tag.Get("json")
		if tag == "-" {
			continue
		}
		name, _, _ := strings.Cut(tag, ",")
		at := append(slices.Clone(index), i)
		if f.Anonymous && name == "" && inner.Kind() == reflect.Struct && !isScalar(inner) {
			if viaPointer && !f.IsExported() {
				return &documents.FieldError{Type: c.of.String(), Field: path + f.Name, Reason: "is an embedded pointer to an unexported struct, which cannot be set: embed the struct itself"}
			}
			if err := c.collect(inner, at, path+f.Name+".", optional || viaPointer); err != nil {
				return err
			}
			continue
		}
		if !f.IsExported() {
			continue
		}
		p := Property{Name: name, Field: path + f.Name, Optional: optional, index: at, typ: f.Type}
		if name == "" {
			p.Name = f.Name
		}
		c.found = append(c.found, candidate{p, name != ""})
	}
	return nil
}

// dominant reports whether no other field hides this one, by the rules of encoding/json: of the
// fields with one name, the least deep wins, and then the only one with a tag. Several equal ones
// hide each other.
func (c *collector) dominant(x candidate) bool {
	for _, y := range c.found {
		if y.Name != x.Name || slices.Equal(y.index, x.index) {
			continue
		}
		switch {
		case len(y.index) < len(x.index):
			return false
		case len(y.index) == len(x.index) && (y.tagged || !x.tagged):
			return false
		}
	}
	return true
}
