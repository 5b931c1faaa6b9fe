package mongo

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// Values that a document cannot have. The texts are reasons of a documents.FieldError.
var (
	errFraction = failure.Says("the time has a part of a millisecond, which a BSON date cannot hold: use Truncate(time.Millisecond)")
	errFar      = failure.Says("the time is more than 292 million years from 1970, which a BSON date cannot hold: correct it")
	errUTF8     = failure.ErrNotUTF8
	errNaN      = failure.Says("the number is NaN, which compares with nothing: store a pointer, and nil for no value")
	errNothing  = failure.Says("the struct has no exported field and no method MarshalText, so that BSON would hold nothing of it: give it one, or tag the field bson:\"-\"")
	errRange    = failure.Says("the number is greater than the greatest int64, which BSON cannot hold: store it as a text")
	errName     = failure.Says("a key of the map is not valid UTF-8 or has a zero byte, and a name in BSON cannot: use other keys")
)

// registry encodes and decodes values of documents, for clients with any options.
var registry = newRegistry()

// plain is the driver's own registry, for values that ours leaves to it.
var plain = bson.NewRegistry()

func newRegistry() *bson.Registry {
	r := bson.NewRegistry()
	r.RegisterTypeEncoder(reflect.TypeFor[time.Time](), bson.ValueEncoderFunc(encodeTime))
	r.RegisterKindEncoder(reflect.String, bson.ValueEncoderFunc(encodeString))
	for _, kind := range []reflect.Kind{reflect.Float32, reflect.Float64} {
		r.RegisterKindEncoder(kind, bson.ValueEncoderFunc(encodeFloat))
	}
	for _, kind := range []reflect.Kind{reflect.Uint, reflect.Uint64} {
		inner, err := plainEncoder(kind)
		if err != nil {
			panic(err) // the driver has one
		}
		r.RegisterKindEncoder(kind, ranged{inner})
	}
	inner, err := bson.NewRegistry().LookupEncoder(reflect.TypeFor[struct{}]())
	if err != nil {
		panic(err) // the driver has one
	}
	r.RegisterKindEncoder(reflect.Struct, structs{inner})
	inner, err = bson.NewRegistry().LookupEncoder(reflect.TypeFor[map[string]struct{}]())
	if err != nil {
		panic(err) // the driver has one
	}
	r.RegisterKindEncoder(reflect.Map, maps{inner})
	r.RegisterInterfaceEncoder(reflect.TypeFor[encoding.TextMarshaler](), bson.ValueEncoderFunc(encodeText))
	r.RegisterInterfaceDecoder(reflect.TypeFor[encoding.TextUnmarshaler](), bson.ValueDecoderFunc(decodeText))
	r.RegisterTypeMapEntry(bson.TypeEmbeddedDocument, reflect.TypeFor[map[string]any]())
	return r
}

func plainEncoder(kind reflect.Kind) (bson.ValueEncoder, error) {
	if kind == reflect.Uint {
		return bson.NewRegistry().LookupEncoder(reflect.TypeFor[uint]())
	}
	return bson.NewRegistry().LookupEncoder(reflect.TypeFor[uint64]())
}

func encodeTime(_ bson.EncodeContext, w bson.ValueWriter, v reflect.Value) error {
	t, ok := reflect.TypeAssert[time.Time](v)
	if !ok {
		return fmt.Errorf("a %v is not a time", v.Type())
	}
	if t.Nanosecond()%int(time.Millisecond) != 0 {
		return errFraction
	}
	if isFar(t) {
		return errFar
	}
	return w.WriteDateTime(t.UnixMilli())
}

// isFar reports whether a time's milliseconds from 1970 overflow an int64.
func isFar(t time.Time) bool {
	s := t.Unix()
	return s > math.MaxInt64/1000-1 || s < math.MinInt64/1000
}

func encodeString(_ bson.EncodeContext, w bson.ValueWriter, v reflect.Value) error {
	if !utf8.ValidString(v.String()) {
		return errUTF8
	}
	return w.WriteString(v.String())
}

func encodeFloat(_ bson.EncodeContext, w bson.ValueWriter, v reflect.Value) error {
	if math.IsNaN(v.Float()) {
		return errNaN
	}
	return w.WriteDouble(v.Float())
}

// ranged writes unsigned integers, and refuses those beyond BSON's range.
type ranged struct{ inner bson.ValueEncoder }

func (e ranged) EncodeValue(c bson.EncodeContext, w bson.ValueWriter, v reflect.Value) error {
	if v.Uint() > math.MaxInt64 {
		return errRange
	}
	return e.inner.EncodeValue(c, w, v)
}

// structs writes structs, and refuses those without a field to write.
type structs struct{ inner bson.ValueEncoder }

func (e structs) EncodeValue(c bson.EncodeContext, w bson.ValueWriter, v reflect.Value) error {
	if hidden(v.Type()) {
		return errNothing
	}
	return e.inner.EncodeValue(c, w, v)
}

// maps writes maps, and refuses keys that are illegal in BSON.
type maps struct{ inner bson.ValueEncoder }

func (e maps) EncodeValue(c bson.EncodeContext, w bson.ValueWriter, v reflect.Value) error {
	if v.Type().Key().Kind() == reflect.String {
		for keys := v.MapRange(); keys.Next(); {
			if name := keys.Key().String(); !utf8.ValidString(name) || strings.IndexByte(name, 0) >= 0 {
				return errName
			}
		}
	}
	return e.inner.EncodeValue(c, w, v)
}

// hidden reports whether a struct has fields, but none is exported.
func hidden(t reflect.Type) bool {
	for i := range t.NumField() {
		if t.Field(i).IsExported() {
			return false
		}
	}
	return t.NumField() > 0
}

// encodeText writes the text of MarshalText. The driver calls it for types with the method, on
// a pointer or not, that have no encoder of the driver.
func encodeText(c bson.EncodeContext, w bson.ValueWriter, v reflect.Value) error {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return w.WriteNull()
		}
		// A pointer to a time has the method too, and a time is no text.
		inner, err := c.LookupEncoder(v.Type().Elem())
		if err != nil {
			return err
		}
		return inner.EncodeValue(c, w, v.Elem())
	}
	m, ok := v.Interface().(encoding.TextMarshaler)
	if !ok && v.CanAddr() {
		m, ok = v.Addr().Interface().(encoding.TextMarshaler)
	}
	if !ok {
		return fmt.Errorf("a %v has no MarshalText", v.Type())
	}
	text, err := m.MarshalText()
	if err != nil {
		return err
	}
	if !utf8.Valid(text) {
		return errUTF8
	}
	return w.WriteString(string(text))
}

// decodeText reads a text with UnmarshalText, and other values like the driver.
func decodeText(c bson.DecodeContext, r bson.ValueReader, v reflect.Value) error {
	if v.Kind() == reflect.Pointer {
		if r.Type() == bson.TypeNull {
			v.SetZero()
			return r.ReadNull()
		}
		inner, err := c.LookupDecoder(v.Type().Elem())
		if err != nil {
			return err
		}
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return inner.DecodeValue(c, r, v.Elem())
	}
	if r.Type() != bson.TypeString {
		decoder, err := plain.LookupDecoder(v.Type())
		if err != nil {
			return err
		}
		return decoder.DecodeValue(c, r, v)
	}
	text, err := r.ReadString()
	if err != nil {
		return err
	}
	if v.CanAddr() {
		if m, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
			return m.UnmarshalText([]byte(text))
		}
	}
	return fmt.Errorf("a %v has no UnmarshalText", v.Type())
}
