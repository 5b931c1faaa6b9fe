package entity

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/flat"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

type guid [16]byte

func (g guid) MarshalText() ([]byte, error) {
	h := hex.EncodeToString(g[:])
	return []byte(h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]), nil
}

func (g *guid) UnmarshalText(text []byte) error {
	_, err := hex.Decode(g[:], []byte(strings.ReplaceAll(string(text), "-", "")))
	return err
}

type doc struct {
	ID     string     `json:"id"`
	Name   string     `json:"name"`
	Speed  int        `json:"speed"`
	Small  int8       `json:"small"`
	Free   uint64     `json:"free"`
	Ratio  float64    `json:"ratio"`
	On     bool       `json:"on"`
	At     time.Time  `json:"at"`
	Maybe  *time.Time `json:"maybe"`
	GUID   guid       `json:"guid"`
	Raw    []byte     `json:"raw"`
	Stored string     `json:"partitionKey"`
	ETag   string     `json:"_etag"`
}

var names = generated.Properties{ID: "id", ETag: "_etag", Stored: "partitionKey"}

func codec[T any](t *testing.T, inRow bool) *Codec {
	t.Helper()
	shape, err := flat.Of[T]()
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(shape, names, inRow)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var at = time.Date(2024, 2, 29, 1, 2, 3, 456789199, time.FixedZone("", 3600))

// TestEncode checks the exact entity: annotations, no id, no version, no stored key.
func TestEncode(t *testing.T) {
	text, err := codec[doc](t, false).Encode(nil, "2024-02-29", "o'\"7", &doc{
		ID: "ignored", Name: "ü\n", Speed: -5, Small: -8, Free: math.MaxInt64, Ratio: 5, On: true, At: at, GUID: guid{1, 2}, Raw: []byte{0xff, 0}, Stored: "x", ETag: "y",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"PartitionKey":"2024-02-29","RowKey":"o'\"7","name":"ü\n","speed@odata.type":"Edm.Int64","speed":"-5","small":-8,` +
		`"free@odata.type":"Edm.Int64","free":"9223372036854775807","ratio@odata.type":"Edm.Double","ratio":5,"on":true,` +
		`"at@odata.type":"Edm.DateTime","at":"2024-02-29T00:02:03.4567891Z",` +
		`"guid@odata.type":"Edm.Guid","guid":"01020000-0000-0000-0000-000000000000","raw@odata.type":"Edm.Binary","raw":"/wA="}`
	if string(text) != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
	with, err := codec[doc](t, true).Encode(nil, "p", "r", &doc{ID: "a", At: at})
	if err != nil || !strings.Contains(string(with), `"_id":"a"`) || strings.Contains(string(with), "raw") || strings.Contains(string(with), "maybe") {
		t.Errorf("with a row key of its own: %s, %v", with, err)
	}
}

// TestRoundTrip checks that an entity reads back as aztables hands it over: with its
// members sorted, and annotations after values.
func TestRoundTrip(t *testing.T) {
	maybe := time.Date(1601, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, d := range []doc{
		{ID: "r", At: at.UTC().Truncate(100)},
		{
			ID: "r", Name: "a\"b\\c\u2028</ü😀", Speed: math.MinInt64, Small: 127, Free: 1, Ratio: math.SmallestNonzeroFloat64, On: true,
			At: at.UTC().Truncate(100), Maybe: &maybe, GUID: guid{9}, Raw: []byte{},
		},
		{ID: "r", Ratio: math.Inf(-1), At: maybe, Raw: []byte{1, 2, 3}},
		{ID: "r", Ratio: 1e21, At: maybe},
	} {
		for _, inRow := range []bool{false, true} {
			c := codec[doc](t, inRow)
			text, err := c.Encode(nil, "p", "r", &d)
			if err != nil {
				t.Fatal(err)
			}
			var members map[string]any
			if err := json.Unmarshal(text, &members); err != nil {
				t.Fatal(err)
			}
			members["odata.etag"] = `W/"1"`
			members["Timestamp"] = "2024-01-01T00:00:00Z"
			members["other"] = 5
			members["nested"] = map[string]any{"a": []int{1}}
			members["none"] = nil
			text, err = json.Marshal(members)
			if err != nil {
				t.Fatal(err)
			}
			var back doc
			noted := map[string]any{}
			read, err := c.Decode(text, &back, func(name string, v any) { noted[name] = v })
			if err != nil || read != (Read{"p", "r", `W/"1"`, "2024-01-01T00:00:00Z"}) {
				t.Errorf("%+v, %v", read, err)
			}
			if !reflect.DeepEqual(back, d) {
				t.Errorf("%+v came back as %+v", d, back)
			}
			if noted[RowKey] != "r" || noted["on"] != d.On || noted["speed"] != int64(d.Speed) || noted["other"] != nil {
				t.Errorf("noted %v", noted)
			}
			for i := range text { // no part of it is taken for the whole
				if _, err := c.Decode(text[:i], new(doc), nil); err == nil {
					t.Fatalf("%s is an entity", text[:i])
				}
			}
		}
	}
	var back doc
	if _, err := codec[doc](t, false).Decode([]byte(`{"PartitionKey":"p","RowKey":"r","ratio":"NaN"}`), &back, nil); err != nil || !math.IsNaN(back.Ratio) {
		t.Errorf("NaN: %v, %v", back.Ratio, err)
	}
	for _, text := range []string{``, `{}`, `[]`, `{"a":1}`, `{"PartitionKey":"p"}`, `{"PartitionKey":"p","RowKey":"r"`} {
		if _, err := codec[doc](t, false).Decode([]byte(text), &back, nil); !errors.Is(err, ErrCut) {
			t.Errorf("%s: %v", text, err)
		}
	}
	var field *documents.FieldError
	_, err := codec[doc](t, false).Decode([]byte(`{"PartitionKey":"p","RowKey":"r","speed":"secret"}`), &back, nil)
	if !errors.As(err, &field) || field.Property != "speed" || strings.Contains(err.Error(), "secret") {
		t.Errorf("a text in place of a number: %v", err)
	}
}

func TestWhatCannotBeStored(t *testing.T) {
	c := codec[doc](t, false)
	long := strings.Repeat("ü", 32<<10+1)
	for _, test := range []struct {
		d    doc
		kind error
		says string
	}{
		{doc{At: at, Name: long}, failure.ErrTooLarge, "Name"},
		{doc{At: at, Raw: make([]byte, 65<<10)}, failure.ErrTooLarge, "Raw"},
		{doc{At: time.Date(1600, 12, 31, 23, 59, 59, 0, time.UTC)}, nil, "At"},
		{doc{}, nil, "At"},
		{doc{At: at, Free: 1 << 63}, nil, "Free"},
		{doc{At: at, Name: "\xff"}, nil, "Name"},
	} {
		_, err := c.Encode(nil, "p", "r", &test.d)
		var field *documents.FieldError
		if !errors.As(err, &field) || test.kind != nil && !errors.Is(err, test.kind) || !strings.Contains(field.Error(), test.says) && !strings.Contains(field.Field, test.says) {
			t.Errorf("%s: %v", test.says, err)
		}
	}
	if _, err := c.Encode(nil, "p", "r", &doc{At: at, Name: strings.Repeat("x", 32<<10), Raw: make([]byte, 64<<10)}); err != nil {
		t.Errorf("properties of 64 KiB: %v", err)
	}
	many, err := flat.OfType(structOf(t, 17, reflect.TypeFor[[]byte]()))
	if err != nil {
		t.Fatal(err)
	}
	wide, err := New(many, names, false)
	if err != nil {
		t.Fatal(err)
	}
	v := reflect.New(many.Type)
	for i := range 17 {
		v.Elem().Field(i).SetBytes(make([]byte, 63<<10))
	}
	if _, err := wide.Encode(nil, "p", "r", v.Interface()); !errors.Is(err, failure.ErrTooLarge) {
		t.Errorf("an entity of 17 times 63 KiB: %v", err)
	}
}

func structOf(t *testing.T, n int, typ reflect.Type) reflect.Type {
	t.Helper()
	var fields []reflect.StructField
	for i := range n {
		fields = append(fields, reflect.StructField{Name: fmt.Sprint("F", i), Type: typ})
	}
	return reflect.StructOf(fields)
}

func TestStructsThatAreRefused(t *testing.T) {
	for _, typ := range []reflect.Type{
		reflect.TypeFor[struct {
			A string `json:"a-b"`
		}](),
		reflect.TypeFor[struct{ RowKey string }](),
		reflect.TypeFor[struct{ PartitionKey string }](),
		reflect.TypeFor[struct{ Timestamp string }](),
		reflect.TypeFor[struct {
			A string `json:"odata.etag"`
		}](),
		reflect.TypeFor[struct {
			A string `json:"etag"`
		}](),
		reflect.TypeFor[struct {
			A string `json:"timestamp"`
		}](),
		reflect.TypeFor[struct {
			A string `json:"Rid"`
		}](),
		reflect.TypeFor[struct {
			A string `json:"1a"`
		}](),
		structOf(t, 253, reflect.TypeFor[int]()),
	} {
		shape, err := flat.OfType(typ)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New(shape, names, false); err == nil {
			t.Errorf("%s is not refused", typ)
		}
	}
	if shape, err := flat.OfType(structOf(t, 252, reflect.TypeFor[int]())); err != nil {
		t.Error(err)
	} else if _, err := New(shape, names, false); err != nil {
		t.Errorf("252 properties: %v", err)
	}
}

// TestNameOfTheID has a property with the name under which the id is stored if the row key
// is made by a template.
func TestNameOfTheID(t *testing.T) {
	shape, err := flat.Of[struct {
		ID     string `json:"id"`
		Legacy string `json:"_id"`
	}]()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(shape, names, false); err != nil {
		t.Errorf("the id is the row key: %v", err)
	}
	var field *documents.FieldError
	if _, err := New(shape, names, true); !errors.As(err, &field) || field.Field != "Legacy" || field.Property != "_id" {
		t.Errorf("the id is in _id: %v", err)
	}
}

func TestColumn(t *testing.T) {
	for inRow, id := range map[bool]string{false: RowKey, true: "_id"} {
		c := codec[doc](t, inRow)
		if name, _, err := c.Column("id"); name != id || err != nil {
			t.Errorf("the id is in %q, %v", name, err)
		}
		if name, p, err := c.Column("speed"); name != "speed" || p.Kind != flat.Int64 || err != nil {
			t.Errorf("speed is in %q, %v", name, err)
		}
		for _, none := range []string{"none", "_etag", "partitionKey"} {
			if name, _, err := c.Column(none); err == nil {
				t.Errorf("%s is in %q", none, name)
			}
		}
	}
}

// FuzzScan compares the scanner with encoding/json.
func FuzzScan(f *testing.F) {
	f.Add([]byte(`{"a":"b\u0041","c":-1.5e3,"d":true,"e":null,"f":{"g":[1]},"h":12}`))
	f.Add([]byte(`{ "a" : "\\" }`))
	f.Add([]byte("{\"a\xad\":\"\xad\xaa\"}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var want map[string]any
		if json.Unmarshal(text, &want) != nil || want == nil {
			return
		}
		got := map[string]any{}
		if err := scan(text, func(name string, v any) error { got[name] = v; return nil }); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		for name, v := range want {
			switch v := v.(type) {
			case map[string]any, []any:
			case float64:
				n, isInt := got[name].(int64)
				if f, ok := got[name].(float64); !(ok && f == v) && !(isInt && float64(n) == v) {
					t.Errorf("%s: %q is %v, want %v", text, name, got[name], v)
				}
			default:
				if got[name] != v {
					t.Errorf("%s: %q is %v, want %v", text, name, got[name], v)
				}
			}
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	shape, _ := flat.Of[doc]()
	c, err := New(shape, names, false)
	if err != nil {
		b.Fatal(err)
	}
	d := doc{ID: "r", Name: "name", At: at, Raw: []byte{1}}
	buf := make([]byte, 0, 1024)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Encode(buf[:0], "p", "r", &d); err != nil {
			b.Fatal(err)
		}
	}
}
