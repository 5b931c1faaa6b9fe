package flat

import (
	"encoding"
	"encoding/base64"
	"fmt"
	"iter"
	"math"
	"reflect"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
)

// Values yields the properties of doc, a pointer to the shape's struct, in order, with their
// values: a string, bool, int32, int64, float64, time.Time or []byte, by kind. It skips a property
// reached by a nil pointer. The value of an unwritable property is a *documents.FieldError: a uint64
// beyond int64, or a MarshalText that fails. Bytes are shared with the document and must not be
// changed.
func (s *Shape) Values(doc any) iter.Seq2[*Property, any] {
	return func(yield func(*Property, any) bool) {
		v := reflect.ValueOf(doc).Elem()
		for i := range s.Properties {
			p := &s.Properties[i]
			field, ok := p.find(v)
			if ok && !yield(p, s.read(p, field)) {
				return
			}
		}
	}
}

// find returns the field of a property, or false if a pointer on the way is nil.
func (p *Property) find(v reflect.Value) (reflect.Value, bool) {
	for _, i := range p.index {
		for v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return v, false
		}
		v = v.Elem()
	}
	return v, true
}

func (s *Shape) read(p *Property, v reflect.Value) any {
	switch p.Kind {
	case Text:
		return v.String()
	case Bool:
		return v.Bool()
	case Int32:
		if v.CanUint() {
			return int32(v.Uint()) // at most 16 bits
		}
		return int32(v.Int()) // at most 32 bits
	case Int64:
		if v.CanInt() {
			return v.Int()
		}
		n := v.Uint()
		if n > math.MaxInt64 {
			return s.fail(p, "is larger than an int64, and the service stores no larger integer", nil)
		}
		return int64(n)
	case Float:
		return v.Float()
	case Time:
		return v.Interface().(time.Time)
	case Binary:
		return v.Bytes()
	}
	m, ok := v.Addr().Interface().(encoding.TextMarshaler)
	if !ok {
		m = v.Interface().(encoding.TextMarshaler)
	}
	text, err := m.MarshalText()
	if err != nil {
		return s.fail(p, "its MarshalText fails", err)
	}
	return string(text)
}

func (s *Shape) fail(p *Property, reason string, err error) error {
	return &documents.FieldError{Type: s.Type.String(), Field: p.Field, Property: p.Name, Reason: reason, Err: err}
}

// Set sets the property with a name in doc, a pointer to the shape's struct. It takes the values
// that Values yields, and equivalent ones: any integer, a float64 without a fraction for an
// integer, RFC 3339 text for a time, base64 for bytes. Nil sets the zero value, or a nil pointer.
// Unknown names are ignored. The error is a *documents.FieldError.
func (s *Shape) Set(doc any, name string, value any) error {
	p := s.Property(name)
	if p == nil {
		return nil
	}
	v := reflect.ValueOf(doc).Elem()
	for i, n := range p.index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				if value == nil {
					return nil
				}
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(n)
	}
	if value == nil {
		v.SetZero()
		return nil
	}
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		v = v.Elem()
	}
	return s.write(p, v, value)
}

func (s *Shape) write(p *Property, v reflect.Value, value any) error {
	switch p.Kind {
	case Text:
		if text, ok := value.(string); ok {
			v.SetString(text)
			return nil
		}
	case Bool:
		if b, ok := value.(bool); ok {
			v.SetBool(b)
			return nil
		}
	case Int32, Int64:
		if n, ok := integer(value); ok {
			return s.writeInteger(p, v, n)
		}
	case Float:
		if f, ok := value.(float64); ok {
			v.SetFloat(f)
			return nil
		}
		if n, ok := integer(value); ok {
			v.SetFloat(float64(n))
			return nil
		}
	case Time:
		switch t := value.(type) {
		case time.Time:
			v.Set(reflect.ValueOf(t))
			return nil
		case string:
			parsed, err := time.Parse(time.RFC3339Nano, t)
			if err != nil {
				return s.fail(p, "the stored text is not a time", err)
			}
			v.Set(reflect.ValueOf(parsed))
			return nil
		}
	case Binary:
		switch b := value.(type) {
		case []byte:
			v.SetBytes(b)
			return nil
		case string:
			decoded, err := base64.StdEncoding.DecodeString(b)
			if err != nil {
				return s.fail(p, "the stored text is not base64", err)
			}
			v.SetBytes(decoded)
			return nil
		}
	case Marshaled:
		if text, ok := value.(string); ok {
			return s.unmarshal(p, v, text)
		}
	}
	return s.fail(p, fmt.Sprintf("%T is stored where the field takes %s", value, p.Kind), nil)
}

// writeInteger sets a field to an integer, or returns an error if it overflows.
func (s *Shape) writeInteger(p *Property, v reflect.Value, n int64) error {
	switch {
	case v.CanInt() && !v.OverflowInt(n):
		v.SetInt(n)
	case v.CanUint() && n >= 0 && !v.OverflowUint(uint64(n)):
		v.SetUint(uint64(n))
	default:
		return s.fail(p, "the stored integer does not fit into "+v.Type().String(), nil)
	}
	return nil
}

// integer returns a value as an integer, if it is one.
func integer(value any) (int64, bool) {
	switch n := value.(type) {
	case int32:
		return int64(n), true
	case int64:
		return n, true
	case int:
		return int64(n), true
	case float64:
		if n == math.Trunc(n) && n >= math.MinInt64 && n < math.MaxInt64 {
			return int64(n), true
		}
	}
	return 0, false
}
