package flat

import (
	"encoding"
	"reflect"
	"time"
)

// Scalar is a value for [Shape.SetScalar]. Kind selects the field with the value: Text, Bool, Int64
// for Int, Float or Time.
type Scalar struct {
	Kind  Kind
	Text  string
	Bool  bool
	Int   int64
	Float float64
	Time  time.Time
}

// Any returns the value in the form that Set takes.
func (v Scalar) Any() any {
	switch v.Kind {
	case Text:
		return v.Text
	case Bool:
		return v.Bool
	case Int64:
		return v.Int
	case Float:
		return v.Float
	case Time:
		return v.Time
	}
	return nil
}

// SetScalar is Set for a property of the shape and a value that is not nil. It allocates only
// pointers and what the UnmarshalText of a field needs.
func (s *Shape) SetScalar(doc any, p *Property, value Scalar) error {
	v := p.reach(reflect.ValueOf(doc).Elem())
	switch {
	case p.Kind == Marshaled && value.Kind == Text:
		return s.unmarshal(p, v, value.Text)
	case (p.Kind == Int32 || p.Kind == Int64) && value.Kind == Int64:
		return s.writeInteger(p, v, value.Int)
	case p.Kind != value.Kind:
		return s.write(p, v, value.Any())
	}
	switch p.Kind {
	case Text:
		v.SetString(value.Text)
	case Bool:
		v.SetBool(value.Bool)
	case Float:
		v.SetFloat(value.Float)
	case Time:
		*v.Addr().Interface().(*time.Time) = value.Time
	default:
		return s.write(p, v, value.Any())
	}
	return nil
}

// reach returns the field of a property, and allocates nil pointers on the way.
func (p *Property) reach(v reflect.Value) reflect.Value {
	for _, n := range p.index {
		v = followed(v).Field(n)
	}
	return followed(v)
}

// followed dereferences pointers, and allocates nil ones.
func followed(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		v = v.Elem()
	}
	return v
}

// unmarshal sets a field by its UnmarshalText.
func (s *Shape) unmarshal(p *Property, v reflect.Value, text string) error {
	if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text)); err != nil {
		return s.fail(p, "its UnmarshalText refuses what is stored", err)
	}
	return nil
}
