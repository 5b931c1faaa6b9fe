package mongo

import (
	"errors"
	"math"
	"math/big"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// wide has a value of each kind that a document may hold.
type wide struct {
	ID      string            `json:"id"`
	Price   bson.Decimal128   `json:"price"`
	Object  bson.ObjectID     `json:"object"`
	Address netip.Addr        `json:"address"`
	Next    *netip.Addr       `json:"next"`
	At      time.Time         `json:"at"`
	Last    *time.Time        `json:"last"`
	None    *time.Time        `json:"none"`
	Free    *bson.ObjectID    `json:"free"`
	Big     *big.Int          `json:"big"`
	Raw     []byte            `json:"raw"`
	Any     map[string]any    `json:"any"`
	Names   map[string]string `json:"names"`
	Inner   inner             `json:"inner"`
	List    []inner           `json:"list"`
	Count   uint64            `json:"count"`
	Ratio   float64           `json:"ratio"`
	Named   string            `bson:"other" json:"named"`
	Hidden  any               `json:"-"`
	ETag    string            `json:"_etag,omitempty"`
}

type inner struct {
	Text string    `json:"text"`
	At   time.Time `json:"at"`
}

type opaque struct{ text string }

// keptAt is a model with what a codec reads of it: the path of the shard key, which is made
// if no field has its name, and the names of properties.
func keptAt[T any](name, path string, properties generated.Properties) *generated.Model[T, thingKey] {
	// By hand: generated code imports this package.
	return &generated.Model[T, thingKey]{Type: name, Path: path, Synthetic: path == "/partitionKey", Properties: &properties}
}

func wideCodec(t *testing.T) codec[wide] {
	t.Helper()
	c, err := newCodec(keptAt[wide]("wide", "/partitionKey", generated.Properties{ID: "id", ETag: "_etag"}))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCodec(t *testing.T) {
	c := wideCodec(t)
	price, err := bson.ParseDecimal128("12.3400")
	if err != nil {
		t.Fatal(err)
	}
	next := netip.MustParseAddr("::1")
	doc := &wide{
		ID: "1", Price: price, Object: bson.NewObjectID(), Address: netip.MustParseAddr("10.0.0.1"), Next: &next,
		At: time.Date(2024, 2, 29, 1, 2, 3, 4_000_000, time.UTC), Raw: []byte{0, 1}, Any: map[string]any{"a": map[string]any{"$b": "c"}},
		Names: map[string]string{"x": "y", "z": ""}, Inner: inner{Text: "{\"$gt\": 1}", At: time.UnixMilli(-1).UTC()},
		List: []inner{{Text: "\x00", At: time.UnixMilli(0).UTC()}}, Count: math.MaxInt64, Ratio: math.Inf(1), Named: "n", Big: big.NewInt(-7),
	}
	last, free := time.UnixMilli(5).UTC(), bson.NewObjectID()
	doc.Last, doc.Free = &last, &free
	raw, err := c.encode(place("p", "1"), doc, "v1")
	if err != nil {
		t.Fatal(err)
	}
	if err := raw.Validate(); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"_id": "1", "partitionKey": "p", "_etag": "v1", "address": "10.0.0.1", "next": "::1", "big": "-7", "other": "n"} {
		if got, _ := lookup(raw, strings.Split(path, ".")...); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	if got := raw.Lookup("last").Type; got != bson.TypeDateTime {
		t.Errorf("a pointer to a time is stored as a %v", got)
	}
	if got := raw.Lookup("free").Type; got != bson.TypeObjectID {
		t.Errorf("a pointer to an ObjectID is stored as a %v", got)
	}
	if _, err := raw.LookupErr("id"); err == nil {
		t.Error("the id is stored twice")
	}
	s, err := c.decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	doc.ETag = "v1"
	if !reflect.DeepEqual(s.Doc, doc) || s.Place != place("p", "1") || s.Version != "v1" {
		t.Errorf("got %+v\nwant %+v", s.Doc, doc)
	}
	again, err := c.encode(place("p", "1"), s.Doc, "v2")
	if err != nil || same(raw, again) {
		t.Errorf("other versions are the same: %v", err)
	}
	for range 20 { // maps have another order each time
		again, err = c.encode(place("p", "1"), s.Doc, "v1")
		if err != nil || !same(raw, again) {
			t.Fatalf("the same document differs: %v", err)
		}
	}
	s.Doc.List[0].Text = "x"
	if again, err = c.encode(place("p", "1"), s.Doc, "v1"); err != nil || same(raw, again) {
		t.Errorf("another list is the same: %v", err)
	}
}

func TestRefusedValues(t *testing.T) {
	c := wideCodec(t)
	far := time.Date(300_000_000, 1, 1, 0, 0, 0, 0, time.UTC) // its milliseconds are beyond an int64
	for field, doc := range map[string]*wide{
		"At":           {At: time.Unix(0, 1)},
		"Inner.At":     {Inner: inner{At: time.Unix(0, 999)}},
		"List[1].Text": {List: []inner{{}, {Text: "a\xff"}}},
		"Names[…]":     {Names: map[string]string{"k": "\xff"}},
		"Count":        {Count: math.MaxInt64 + 1},
		"Ratio":        {Ratio: math.NaN()},
		"Names":        {Names: map[string]string{"\xff": "a"}},
		"Any":          {Any: map[string]any{"a\x00b": 1}},
		"Last":         {Last: &far},
		"Any[…]":       {Any: map[string]any{"k": opaque{"x"}}},
	} {
		_, err := c.encode(place("p", "1"), doc, "")
		var v *documents.FieldError
		if !errors.As(err, &v) || v.Field != field || v.Type != "wide" || strings.Contains(v.Error(), "cannot be written") {
			t.Errorf("%s: got %v", field, err)
		}
	}
}

// TestFarTimesInConditions compares with times that no BSON date holds: they are refused,
// as they are in documents, and the last ones that it holds are not.
func TestFarTimesInConditions(t *testing.T) {
	f := filters{func(property string) string { return property }}
	field := documents.Instant[wide]("at")
	now := time.UnixMilli(0)
	least, most := time.Unix(math.MinInt64/1000, 0), time.Unix(math.MaxInt64/1000-1, 999_999_999)
	for _, test := range []struct {
		at  time.Time
		far bool
	}{
		{time.Unix(1<<63-62135596801, 999_999_999), true}, {time.Unix(-1<<63, 0), true}, {most.Add(1), true}, {least.Add(-1), true},
		{most, false}, {least, false}, {least.Add(1), false}, {time.Time{}, false}, {time.Time{}.Add(-1), false},
	} {
		for name, p := range map[string]documents.Predicate[wide]{
			"Eq": field.Eq(test.at), "Ne": field.Ne(test.at), "Lt": field.Lt(test.at), "Ge": field.Ge(test.at),
			"In": field.In(now, test.at), "Between": field.Between(now, test.at), "Not": documents.Not(field.Le(test.at)),
		} {
			_, err := f.of(documents.Conditions([]documents.Predicate[wide]{p})[0])
			if test.far != errors.Is(err, errFar) || !test.far && err != nil {
				t.Errorf("%s(%v): got %v", name, test.at, err)
			}
			if err != nil && !strings.HasPrefix(err.Error(), `property "at": `) {
				t.Errorf("%s: got %v", name, err)
			}
		}
		stored, _, err := operand(test.at)
		if date, ok := stored.(bson.DateTime); err == nil && (!ok || test.at.Sub(date.Time()) < 0 || test.at.Sub(date.Time()) >= time.Millisecond) {
			t.Errorf("%v is compared as %v", test.at, stored)
		}
	}
}

// TestStoredByOthers reads documents that other programs have written.
func TestStoredByOthers(t *testing.T) {
	c := wideCodec(t)
	for name, test := range map[string]struct {
		doc   bson.D
		field string
	}{
		"no id":         {bson.D{{Key: "partitionKey", Value: "p"}}, "_id"},
		"an ObjectID":   {bson.D{{Key: "_id", Value: bson.NewObjectID()}, {Key: "partitionKey", Value: "p"}}, "_id"},
		"no shard key":  {bson.D{{Key: "_id", Value: "1"}}, "partitionKey"},
		"another type":  {bson.D{{Key: "_id", Value: "1"}, {Key: "partitionKey", Value: "p"}, {Key: "ratio", Value: secret}}, "ratio"},
		"no such value": {bson.D{{Key: "_id", Value: "1"}, {Key: "partitionKey", Value: "p"}, {Key: "address", Value: secret}}, "address"},
	} {
		raw, err := bson.Marshal(test.doc)
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.decode(raw)
		var v *documents.FieldError
		if !errors.As(err, &v) || v.Property != test.field || strings.Contains(v.Error(), secret) || !strings.HasPrefix(v.Error(), `wide (property "`+test.field+`"): `) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestRenamed has an _id at any place, and a property of the name that Go has for it.
func TestRenamed(t *testing.T) {
	id, text, other := bson.E{Key: "_id", Value: "1"}, bson.E{Key: "text", Value: "_id"}, bson.E{Key: "id", Value: "2"}
	for _, id2 := range []string{"id", "i", "identity"} {
		for _, doc := range []bson.D{{id}, {id, text}, {text, id}, {id, other, text}, {other, id}, {text, id, other}} {
			raw, err := bson.Marshal(doc)
			if err != nil {
				t.Fatal(err)
			}
			before := slices.Clone(raw)
			got, err := renamed(raw, id2)
			if err == nil {
				err = got.Validate()
			}
			if err != nil {
				t.Fatal(err)
			}
			want := bson.D{}
			for _, e := range doc {
				switch e.Key {
				case "_id":
					want = append(want, bson.E{Key: id2, Value: e.Value})
				case id2:
				default:
					want = append(want, e)
				}
			}
			var have bson.D
			if err := bson.Unmarshal(got, &have); err != nil || !reflect.DeepEqual(have, want) || !slices.Equal(before, raw) {
				t.Errorf("%v as %s is %v, %v", doc, id2, have, err)
			}
		}
	}
}

// nested has structs in every way in which one may be in another.
type nested struct {
	ID      string             `json:"id" bson:"key"`
	Shared  `bson:",inline"`   // by value
	*Linked `bson:",inline"`   // by pointer
	List    []*Linked          `json:"list" bson:"l"`
	Map     map[string]Shared  `json:"map"`
	None    map[string]*Shared `json:"none,omitempty"`
	Zone    time.Time          `json:"zone"`
	Prices  []bson.Decimal128  `json:"prices"`
	Left    string             `json:"left" bson:"-"`
	Empty   *Shared            `json:"empty" bson:",omitempty"`
}

type Shared struct {
	Name string `json:"name"`
	Tags []string
}

type Linked struct {
	Depth int     `json:"depth,omitempty"`
	Next  *Linked `json:"next"`
}

func TestNested(t *testing.T) {
	c, err := newCodec(keptAt[nested]("nested", "/partitionKey", generated.Properties{ID: "key"}))
	if err != nil {
		t.Fatal(err)
	}
	const hostile = "{\"$where\": \"1\"}\x00\u202e.$"
	at := time.Date(2024, 2, 29, 23, 0, 0, 1_000_000, time.FixedZone("far", 14*3600))
	for name, doc := range map[string]*nested{
		"zero": {},
		"full": {
			Shared: Shared{hostile, []string{"", hostile}}, Linked: &Linked{1, &Linked{Depth: -1}}, List: []*Linked{nil, {Depth: 2}, {}},
			Map: map[string]Shared{"": {}, "$a.b": {Name: hostile}}, None: map[string]*Shared{"n": nil}, Zone: at,
			Prices: []bson.Decimal128{bson.NewDecimal128(1, 2), {}}, Empty: &Shared{},
		},
	} {
		doc.ID = "1"
		raw, err := c.encode(place("p", "1"), doc, "")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		s, err := c.decode(raw)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !s.Doc.Zone.Equal(doc.Zone) || s.Doc.Zone.Location() != time.UTC {
			t.Errorf("%s: the time is %v", name, s.Doc.Zone)
		}
		s.Doc.Zone = doc.Zone
		if !reflect.DeepEqual(s.Doc, doc) {
			t.Errorf("%s: got %+v, want %+v\n%v", name, s.Doc, doc, raw)
		}
	}
	_, err = c.encode(place("p", "1"), &nested{Map: map[string]Shared{"a\x00b": {}}}, "")
	var v *documents.FieldError
	if !errors.As(err, &v) {
		t.Errorf("a name with a NUL: %v", err)
	}
}

// TestNaturalKey has a property of the document as shard key, which must be stored as the
// text of the key.
func TestNaturalKey(t *testing.T) {
	c, err := newCodec(keptAt[thing]("thing", "/site", generated.Properties{ID: "id"}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.encode(place("a", "1"), one(), ""); err != nil {
		t.Error(err)
	}
	if _, err := c.encode(place("b", "1"), one(), ""); err == nil {
		t.Error("a document is stored under a key that it does not have")
	}
	byID, err := newCodec(keptAt[thing]("thing", "/id", generated.Properties{ID: "id"}))
	if err != nil || byID.shard != "_id" {
		t.Errorf("the id as shard key: %q, %v", byID.shard, err)
	}
}

// FuzzHostileText stores any text and compares with it: it reads back equal or is refused.
func FuzzHostileText(f *testing.F) {
	for _, text := range []string{"", `{"$gt": ""}`, "\x00", "$where", "a\xff", "\U0010ffff", "\ud7ff"} {
		f.Add(text)
	}
	c, err := newCodec(thingModel())
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		doc := &thing{ID: "1", Site: text}
		raw, err := c.encode(place("p", "1"), doc, "")
		if err != nil {
			var v *documents.FieldError
			if !errors.As(err, &v) || v.Field != "Site" {
				t.Fatalf("got %v", err)
			}
			return
		}
		s, err := c.decode(raw)
		if err != nil || s.Doc.Site != text {
			t.Fatalf("%q reads back as %q, %v", text, s.Doc.Site, err)
		}
		field := documents.String[thing, string]("site")
		for name, p := range map[string]documents.Predicate[thing]{
			"Eq": field.Eq(text), "In": field.In(text), "StartsWith": field.StartsWith(text), "EndsWith": field.EndsWith(text),
			"Contains": field.Contains(text), "EqualFold": field.EqualFold(text), "Not Ne": documents.Not(field.Ne(text)), "Le": field.Le(text), "Ge": field.Ge(text),
		} {
			filter, err := filters{c.name}.of(documents.Conditions([]documents.Predicate[thing]{p})[0])
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			b, err := bson.Marshal(filter)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if !matches(b, raw) {
				t.Errorf("%s(%q) does not find it: %v", name, text, bson.Raw(b))
			}
		}
	})
}
