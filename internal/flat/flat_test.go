package flat

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
)

type uuid [16]byte

func (u uuid) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(u[:])), nil }
func (u *uuid) UnmarshalText(b []byte) error {
	_, err := hex.Decode(u[:], b)
	return err
}

type failing string

func (failing) MarshalText() ([]byte, error) { return nil, errors.New("secret") }
func (*failing) UnmarshalText([]byte) error  { return errors.New("secret") }

// byPointer has both methods on its pointer.
type byPointer struct{ n byte }

func (p *byPointer) MarshalText() ([]byte, error) { return []byte{'a' + p.n}, nil }
func (p *byPointer) UnmarshalText(b []byte) error {
	p.n = b[0] - 'a'
	return nil
}

type (
	level uint8
	named string
	Inner struct {
		City   string  `json:"city"`
		Hidden string  `json:"id"` // hidden by that of all
		Score  float32 `json:"score,omitempty"`
	}
	Deep struct {
		Inner
		Street *string
	}
)

type all struct {
	_  struct{}
	ID string `json:"id"`
	//lint:ignore U1000 encoding/json does not see it
	private string
	Out     func()     `json:"-"`
	Name    named      `json:"name,omitempty"`
	On      bool       `json:"on"`
	Level   level      `json:"level"`
	Small   int16      `json:"small"`
	Big     uint64     `json:"big,string"`
	Count   int        `json:"count"`
	At      time.Time  `json:"at"`
	Seen    *time.Time `json:"seen"`
	Raw     []byte     `json:"raw"`
	Key     uuid       `json:"key"`
	Maybe   *uuid      `json:"maybe"`
	Addr    netip.Addr `json:"addr"`
	Ptr     byPointer  `json:"ptr"`
	Chain   **int32    `json:"chain"`
	*Deep
	//lint:ignore SA5008 the name is a hyphen
	Dash string `json:"-,"` //nolint:staticcheck // as above
}

func shape[T any](t *testing.T) *Shape {
	t.Helper()
	s, err := Of[T]()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func full() *all {
	street, seen, n := "Main", time.Date(2024, 2, 29, 1, 2, 3, 4500, time.UTC), int32(-7)
	chain := &n
	return &all{
		ID: "a", Name: "b", On: true, Level: 255, Small: -3, Big: math.MaxInt64, Count: math.MinInt64,
		At: seen.AddDate(1, 0, 0), Seen: &seen, Raw: []byte{0, 1}, Key: uuid{1}, Maybe: &uuid{2},
		Addr: netip.MustParseAddr("10.0.0.1"), Ptr: byPointer{2}, Chain: &chain,
		Deep: &Deep{Inner{"X", "hidden", 1.5}, &street}, Dash: "-",
	}
}

func TestShape(t *testing.T) {
	s := shape[all](t)
	want := []struct {
		name     string
		kind     Kind
		optional bool
	}{
		{"id", Text, false}, {"name", Text, false}, {"on", Bool, false}, {"level", Int32, false},
		{"small", Int32, false}, {"big", Int64, false}, {"count", Int64, false}, {"at", Time, false},
		{"seen", Time, true}, {"raw", Binary, false}, {"key", Marshaled, false}, {"maybe", Marshaled, true},
		{"addr", Marshaled, false}, {"ptr", Marshaled, false}, {"chain", Int32, true}, {"city", Text, true},
		{"score", Float, true}, {"Street", Text, true}, {"-", Text, false},
	}
	if len(s.Properties) != len(want) {
		t.Fatalf("%d properties, want %d: %+v", len(s.Properties), len(want), s.Properties)
	}
	for i, w := range want {
		p := s.Properties[i]
		if p.Name != w.name || p.Kind != w.kind || p.Optional != w.optional || p.UUID != (p.Name == "key" || p.Name == "maybe") {
			t.Errorf("property %d is %+v, want %+v", i, p, w)
		}
	}
	if again := shape[all](t); again != s {
		t.Error("the shape is made twice")
	}
	if p := s.Property("city"); p == nil || p.Field != "Deep.Inner.City" {
		t.Errorf("city is of field %+v", p)
	}
	if s.Property("none") != nil {
		t.Error("a property that is not there")
	}
}

// TestNamesAreThoseOfJSON compares names and their order with encoding/json.
func TestNamesAreThoseOfJSON(t *testing.T) {
	type left struct {
		A string
		B string `json:"b"`
		C string
	}
	type right struct {
		A string
		B string
		C string `json:"C"`
	}
	type both struct {
		left
		right
		D string
	}
	type named struct {
		Z    string
		Left Inner `json:"-"`
		Inner
		City int `json:"city"`
	}
	for _, doc := range []any{&both{}, &named{}} {
		s, err := OfType(reflect.TypeOf(doc).Elem())
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for p := range s.Values(doc) {
			names = append(names, p.Name)
		}
		text, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		text = []byte(strings.Replace(string(text), `"score"`, `"Score"`, 1))
		var want map[string]any
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		delete(want, "Score")
		names = without(names, "score")
		if len(names) != len(want) {
			t.Errorf("%T has properties %q, and JSON %s", doc, names, text)
		}
		last := -1
		for _, n := range names {
			at := strings.Index(string(text), `"`+n+`":`)
			if at <= last {
				t.Errorf("%T: %q is missing or out of order in %s", doc, n, text)
			}
			last = at
		}
	}
}

func without(names []string, name string) []string {
	var left []string
	for _, n := range names {
		if n != name {
			left = append(left, n)
		}
	}
	return left
}

func TestValuesAndSetRoundTrip(t *testing.T) {
	s := shape[all](t)
	for name, doc := range map[string]*all{"full": full(), "zero": {Addr: netip.MustParseAddr("::1")}} {
		var back all
		for p, v := range s.Values(doc) {
			if err, ok := v.(error); ok {
				t.Fatal(err)
			}
			if err := s.Set(&back, p.Name, v); err != nil {
				t.Fatal(err)
			}
		}
		want := *doc
		if want.Deep != nil {
			want.Deep = &Deep{Inner{doc.City, "", doc.Score}, doc.Street} // the hidden one is not stored
		}
		if !reflect.DeepEqual(&back, &want) {
			t.Errorf("%s: %+v came back as %+v", name, want, back)
		}
	}
}

func TestValuesOfNilPointers(t *testing.T) {
	s := shape[all](t)
	for p := range s.Values(&all{}) {
		if p.Optional {
			t.Errorf("%s has a value, and its pointer is nil", p.Name)
		}
	}
	n := 0
	for range s.Values(full()) {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("%d values after a break at 3", n)
	}
}

func TestSetConverts(t *testing.T) {
	s := shape[all](t)
	var doc all
	at := time.Date(2024, 1, 2, 3, 4, 5, 600, time.UTC)
	for name, value := range map[string]any{
		"count": float64(12), "small": int64(-4), "big": 7, "score": int64(2),
		"at": at.Format(time.RFC3339Nano), "raw": "AAE=", "none": struct{}{}, "city": nil, "seen": nil,
	} {
		if err := s.Set(&doc, name, value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if doc.Count != 12 || doc.Small != -4 || doc.Big != 7 || doc.Score != 2 || !doc.At.Equal(at) || len(doc.Raw) != 2 {
		t.Errorf("set: %+v", doc)
	}
	var empty all
	if err := s.Set(&empty, "city", nil); err != nil || empty.Deep != nil {
		t.Errorf("nil makes an embedded struct: %v", err)
	}
	for name, value := range map[string]any{
		"count": 1.5, "small": int64(1 << 20), "big": int64(-1), "level": int32(256), "on": "true",
		"at": "yesterday", "raw": "*", "name": true, "key": "zz", "addr": int32(1), "score": "1",
	} {
		err := s.Set(&doc, name, value)
		var field *documents.FieldError
		if !errors.As(err, &field) || field.Property != name || !strings.Contains(err.Error(), name) {
			t.Errorf("%s = %v: %v", name, value, err)
		} else if text, ok := value.(string); ok && len(text) > 1 && strings.Contains(err.Error(), text) {
			t.Errorf("the error shows the value: %v", err)
		}
	}
}

func TestValuesThatCannotBeWritten(t *testing.T) {
	type doc struct {
		N uint64
		F failing
	}
	wrong := 0
	for p, v := range shape[doc](t).Values(&doc{N: math.MaxInt64 + 1}) {
		var field *documents.FieldError
		err, _ := v.(error)
		if !errors.As(err, &field) || field.Property != p.Name || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", p.Name, v)
			continue
		}
		wrong++
	}
	if wrong != 2 {
		t.Errorf("%d errors, want 2", wrong)
	}
}

type onlyOut struct{}

func (onlyOut) MarshalText() ([]byte, error) { return nil, nil }

type hidden struct{ A string }

func TestTypesThatAreRefused(t *testing.T) {
	for _, doc := range []any{
		struct{ X []string }{}, struct{ X map[string]int }{}, struct{ X any }{}, struct{ X struct{ Y int } }{},
		struct{ X chan int }{}, struct{ X complex128 }{}, struct{ X [3]byte }{}, struct{ X json.RawMessage }{},
		struct{ X *func() }{}, struct{ X onlyOut }{}, struct{ *hidden }{}, 3,
	} {
		_, err := OfType(reflect.TypeOf(doc))
		var field *documents.FieldError
		if !errors.As(err, &field) {
			t.Errorf("%T: %v", doc, err)
		}
	}
}

// TestRecursiveEmbedding checks that a struct that embeds its own pointer has its fields
// once.
func TestRecursiveEmbedding(t *testing.T) {
	s := shape[Recursive](t)
	if len(s.Properties) != 1 {
		t.Errorf("properties %+v", s.Properties)
	}
}

// Recursive embeds itself.
type Recursive struct {
	*Recursive
	A string
}

func BenchmarkValues(b *testing.B) {
	s, err := Of[all]()
	if err != nil {
		b.Fatal(err)
	}
	doc := full()
	b.ReportAllocs()
	for b.Loop() {
		for _, value := range s.Values(doc) {
			if err, ok := value.(error); ok {
				b.Fatal(err)
			}
		}
	}
}

func BenchmarkSet(b *testing.B) {
	s, err := Of[all]()
	if err != nil {
		b.Fatal(err)
	}
	var doc all
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Set(&doc, "count", int64(3)); err != nil {
			b.Fatal(err)
		}
	}
}
