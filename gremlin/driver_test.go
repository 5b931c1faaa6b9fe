package gremlin

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// TestTraversals compares the texts that are sent: they have names of the type alone, and
// each value is a binding.
func TestTraversals(t *testing.T) {
	one := ok(`[1]`)
	s, c := serve(t, one, one, one, one, ok(`[`+thing+`]`), ok(`[]`), ok(`[7]`))
	docs := New(c, "Thing", &thingModel)
	ctx := soon(t)
	note := "n"
	for _, err := range []error{
		docs.Create(ctx, &Thing{"1", "k", 1.5, &note}),
		docs.Upsert(ctx, &Thing{"1", "k", 1.5, nil}),
		docs.Replace(ctx, &Thing{"1", "k", 1.5, nil}),
		docs.Delete(ctx, thingKey{"k", "1"}),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	got, err := docs.Get(ctx, thingKey{"k", "1"})
	if err != nil || !reflect.DeepEqual(got, &Thing{"1", "k", 1.5, nil}) {
		t.Errorf("%+v, %v", got, err)
	}
	speed := documents.Number[Thing, float64]("speed")
	q := NewQuery(docs, generated.Partition("k")).Where(documents.Or(speed.In(1, 2), documents.Not(documents.String[Thing, string]("id").StartsWith("x"))))
	if _, err := q.Collect(ctx); err != nil {
		t.Error(err)
	}
	if n, err := NewQuery(docs, generated.Keys{}).Where(speed.Between(1, 2)).Count(ctx); n != 7 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	for i, want := range []string{
		`g.addV('Thing').property('id', b1).property('pk', b0).property('speed', b2).property('note', b3).count()`,
		`g.V([b0, b1]).hasLabel('Thing').fold().coalesce(__.unfold().sideEffect(__.properties('note').drop()).property(single, 'speed', b2), __.addV('Thing').property('id', b1).property('pk', b0).property('speed', b2)).count()`,
		`g.V([b0, b1]).hasLabel('Thing').sideEffect(__.properties('note').drop()).property(single, 'speed', b2).count()`,
		`g.V([b0, b1]).hasLabel('Thing').sideEffect(__.drop()).count()`,
		`g.V([b0, b1]).hasLabel('Thing')`,
		`g.V().hasLabel('Thing').has('pk', b0).or(__.has('speed', within(b1)), __.not(__.has('id', TextP.startingWith(b2)))).limit(b3)`,
		`g.V().hasLabel('Thing').and(__.has('speed', gte(b0)), __.has('speed', lte(b1))).count()`,
	} {
		if s.asked[i] != want {
			t.Errorf("sent %s\nwant %s", s.asked[i], want)
		}
		for _, v := range s.bound[i] {
			if text, ok := v.(string); ok && strings.Contains(s.asked[i], "'"+text+"'") {
				t.Errorf("the value %q is in the text %s", text, s.asked[i])
			}
		}
	}
}

// TestStatuses checks what the codes of the service mean, and that what is safe to repeat
// is repeated.
func TestStatuses(t *testing.T) {
	one := ok(`[1]`)
	retry := `"x-ms-substatus-code":3200,"x-ms-retry-after-ms":"00:00:00.0010000"`
	create := func(ctx context.Context, d *Documents[Thing, thingKey]) error {
		return d.Create(ctx, &Thing{ID: "1", Key: "k", Speed: 1.5})
	}
	upsert := func(ctx context.Context, d *Documents[Thing, thingKey]) error {
		return d.Upsert(ctx, &Thing{ID: "1", Key: "k"})
	}
	replace := func(ctx context.Context, d *Documents[Thing, thingKey]) error {
		return d.Replace(ctx, &Thing{ID: "1", Key: "k"})
	}
	remove := func(ctx context.Context, d *Documents[Thing, thingKey]) error {
		return d.Delete(ctx, thingKey{"k", "1"})
	}
	get := func(ctx context.Context, d *Documents[Thing, thingKey]) error {
		_, err := d.Get(ctx, thingKey{"k", "1"})
		return err
	}
	drop := reply{drop: true}
	cutOff := `"x-ms-substatus-code":3207` // after 30 seconds
	for _, test := range []struct {
		name    string
		do      func(context.Context, *Documents[Thing, thingKey]) error
		replies []reply
		want    error
		unclear bool
		sent    int
	}{
		{"409", create, []reply{status(409, "")}, documents.ErrAlreadyExists, false, 1},
		{"409 of an upsert that crosses another", upsert, []reply{status(409, ""), one}, nil, false, 2},
		{"409 of an upsert over another type", upsert, []reply{status(409, ""), status(409, ""), status(409, "")}, documents.ErrAlreadyExists, false, 3},
		{"404 of an upsert that crosses a delete", upsert, []reply{status(404, ""), one}, nil, false, 2},
		{"404", replace, []reply{status(404, "")}, documents.ErrNotFound, false, 1},
		{"nothing to replace", replace, []reply{ok(`[0]`)}, documents.ErrNotFound, false, 1},
		{"nothing to delete", remove, []reply{ok(`[0]`)}, documents.ErrNotFound, false, 1},
		{"nothing to read", get, []reply{ok(`[]`)}, documents.ErrNotFound, false, 1},
		{"no graph", get, []reply{{code: 500, message: "Owner resource does not exist", attributes: `{"x-ms-status-code":404}`}}, documents.ErrNoContainer, false, 1},
		{"412", replace, []reply{status(412, ""), status(412, ""), one}, nil, false, 3},
		{"413", create, []reply{status(413, "")}, documents.ErrTooLarge, false, 1},
		{"429", create, []reply{status(429, retry), status(429, retry), one}, nil, false, 3},
		{"429 that lasts", get, []reply{status(429, `"x-ms-substatus-code":3200,"x-ms-retry-after-ms":"00:01:00"`)}, documents.ErrThrottled, false, 1},
		{"429 of a delete that is cut off", remove, []reply{status(429, cutOff)}, documents.ErrThrottled, true, 1},
		{"429 of an upsert that is cut off", upsert, []reply{status(429, cutOff)}, documents.ErrThrottled, true, 1},
		{"429 of a create that is cut off", create, []reply{status(429, cutOff)}, documents.ErrThrottled, true, 1},
		{"429 of a read that is cut off", get, []reply{status(429, cutOff)}, documents.ErrThrottled, false, 1},
		{"429 after a delete without an answer", remove, []reply{drop, status(429, cutOff)}, documents.ErrThrottled, true, 2},
		{"500 of a read", get, []reply{status(500, ""), ok(`[` + thing + `]`)}, nil, false, 2},
		{"500 of a create that took effect", create, []reply{status(500, ""), status(409, ""), ok(`[` + thing + `]`)}, nil, false, 3},
		{"500 of a create that perhaps did not", create, []reply{status(500, ""), status(409, ""), ok(`[` + strings.Replace(thing, "1.5", "9", 1) + `]`)}, documents.ErrAlreadyExists, true, 3},
		{"a connection that ends", get, []reply{drop, drop, ok(`[` + thing + `]`)}, nil, false, 3},
		{"connections that end", get, []reply{drop, drop, drop, drop}, errRefused, false, 4},
		{"a write whose connection ends", replace, []reply{drop, one}, nil, false, 2},
		{"writes whose connections end", replace, []reply{drop, drop, drop, drop}, documents.ErrUnclear, true, 4},
		{"a delete that took effect", remove, []reply{drop, ok(`[0]`)}, nil, false, 2},
		{"1008", get, []reply{status(1008, ""), ok(`[` + thing + `]`)}, nil, false, 2},
		{"1004", get, []reply{status(1004, "")}, errRefused, false, 1},
		{"a count of a text", replace, []reply{ok(`["x"]`), one}, nil, false, 2},
		{"a truncated count", replace, []reply{ok(`[]`), one}, nil, false, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, c := serve(t, test.replies...)
			var m documents.Meter
			err := test.do(documents.WithMeter(soon(t), &m), New(c, "Thing", &thingModel))
			switch {
			case test.want == errRefused:
				if err == nil {
					t.Error("no error")
				}
			case !errors.Is(err, test.want) || test.want == nil && err != nil:
				t.Errorf("%v, want %v", err, test.want)
			}
			if errors.Is(err, documents.ErrUnclear) != test.unclear {
				t.Errorf("unclear: %v", err)
			}
			if s.count() != test.sent || m.Requests() != test.sent || m.Retries() > test.sent-1 {
				t.Errorf("%d requests, of which the meter has %d and %d repeats; want %d", s.count(), m.Requests(), m.Retries(), test.sent)
			}
			if err == nil {
				return
			}
			var e *documents.Error
			if !errors.As(err, &e) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%v", err)
			}
			if len(test.replies[0].message) > 0 && test.sent == 1 && ServerMessage(e) != test.replies[0].message {
				t.Errorf("the message %q", ServerMessage(e))
			}
		})
	}
}

var errRefused = errors.New("any error")

func TestCharges(t *testing.T) {
	_, c := serve(t, status(429, `"x-ms-retry-after-ms":"00:00:00.0010000"`), ok(`[1]`))
	var m documents.Meter
	if err := New(c, "Thing", &thingModel).Delete(documents.WithMeter(soon(t), &m), thingKey{"k", "1"}); err != nil {
		t.Fatal(err)
	}
	if m.RequestUnits() != 3.5 || m.Requests() != 2 || m.Retries() != 1 {
		t.Errorf("%v request units, %d requests, %d repeats", m.RequestUnits(), m.Requests(), m.Retries())
	}
}

// TestWrongAnswers checks that answers that are not of the type are errors, and never
// documents.
func TestWrongAnswers(t *testing.T) {
	for _, data := range []string{
		`[1]`, `[null]`, `["x"]`, `[{}]`, `[` + thing + `,` + thing + `]`,
		`[` + strings.Replace(thing, `"Thing"`, `"Other"`, 1) + `]`,
		`[` + strings.Replace(thing, `"pk"`, `"other"`, 1) + `]`,
		`[` + strings.Replace(thing, `"value":"k"`, `"value":"other"`, 1) + `]`,
		`[` + strings.Replace(thing, `"value":"k"`, `"value":7`, 1) + `]`,
		`[` + strings.Replace(thing, `"id":"1"`, `"id":"2"`, 1) + `]`,
		`[` + strings.Replace(thing, `"id":"1"`, `"id":null`, 1) + `]`,
		`[` + strings.Replace(thing, `1.5`, `"secret"`, 1) + `]`,
		`[` + strings.Replace(thing, `1.5`, `null`, 1) + `]`,
		`[` + strings.Replace(thing, `1.5`, `{}`, 1) + `]`,
		`[` + strings.Replace(thing, `{"id":"y","value":1.5}`, `{"value":1},{"value":2}`, 1) + `]`,
		`[` + strings.Replace(thing, `[{"id":"y","value":1.5}]`, `7`, 1) + `]`,
	} {
		_, c := serve(t, ok(data), ok(data), ok(data))
		docs := New(c, "Thing", &thingModel)
		got, err := docs.Get(soon(t), thingKey{"k", "1"})
		if err == nil || got != nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s is %+v, %v", data, got, err)
		}
	}
}

func TestTypesThatAreRefused(t *testing.T) {
	_, c := serve(t)
	model := func(change func(*generated.Model[Thing, thingKey])) *generated.Model[Thing, thingKey] {
		m := thingModel
		change(&m)
		return &m
	}
	for name, docs := range map[string]*Documents[Thing, thingKey]{
		"key /id":    New(c, "Thing", model(func(m *generated.Model[Thing, thingKey]) { m.Path = "/id" })),
		"key /label": New(c, "Thing", model(func(m *generated.Model[Thing, thingKey]) { m.Path = "/label" })),
		"levels":     New(c, "Thing", model(func(m *generated.Model[Thing, thingKey]) { m.Path, m.Paths = "", []string{"/a", "/b"} })),
		"a version":  New(c, "Thing", model(func(m *generated.Model[Thing, thingKey]) { m.ETag = func(d *Thing) *string { return d.Note } })),
		"the label":  New(c, "Th'ing", &thingModel),
		"an option":  New(c, "Thing", &thingModel, documents.WithCursorKey([]byte("short"))),
	} {
		if _, err := docs.Get(soon(t), thingKey{"k", "1"}); err == nil {
			t.Errorf("%s is accepted", name)
		}
		if _, err := NewQuery(docs, generated.Partition("k")).Collect(soon(t)); err == nil {
			t.Errorf("%s is accepted by a query", name)
		}
	}
	type bad struct {
		ID string `json:"id"`
		A  string `json:"a$b"`
	}
	type reserved struct {
		ID string `json:"id"`
		A  string `json:"label"`
	}
	type binary struct {
		ID string `json:"id"`
		A  []byte `json:"a"`
	}
	for _, err := range []error{refusal[bad](), refusal[reserved](), refusal[binary]()} {
		var v *documents.FieldError
		if !errors.As(err, &v) || v.Property == "" {
			t.Errorf("%v", err)
		}
	}
}

func refusal[T any]() error {
	// By hand: pkgen refuses these types.
	_, err := newVertices("X", &generated.Model[T, thingKey]{Type: "X", Path: "/pk", Text: func(thingKey) string { return "" }})
	return err
}

func TestDraftStaysHere(t *testing.T) {
	draft := thingModel
	draft.Draft = true
	_, c := serve(t, ok(`[]`), ok(`[]`))
	if _, err := New(c, "Thing", &draft).Get(soon(t), thingKey{"k", "1"}); !errors.Is(err, documents.ErrNotFound) {
		t.Errorf("on this machine: %v", err)
	}
	far, err := NewClient("wss://account.gremlin.cosmos.azure.com:443/", "db", "graph", "key")
	if err != nil {
		t.Fatal(err)
	}
	defer far.Close()
	docs := New(far, "Thing", &draft)
	_, err = docs.Get(soon(t), thingKey{"k", "1"})
	if !errors.Is(err, documents.ErrDraft) || !strings.Contains(err.Error(), "pkgen seal Thing") {
		t.Errorf("elsewhere: %v", err)
	}
	if _, err := NewQuery(docs, generated.Partition("k")).Collect(soon(t)); !errors.Is(err, documents.ErrDraft) {
		t.Errorf("a query elsewhere: %v", err)
	}
	edges := NewEdges(far, "E", &EdgeModel[Thing]{Type: "E", ID: func(d *Thing) string { return d.ID }}, &draft, &draft)
	if err := edges.Delete(soon(t), thingKey{"k", "1"}, "x"); !errors.Is(err, documents.ErrDraft) {
		t.Errorf("an edge elsewhere: %v", err)
	}
}

func TestClientThatIsRefused(t *testing.T) {
	for _, a := range [][4]string{
		{"https://x.gremlin.cosmos.azure.com", "db", "g", "k"}, {"ws://x.gremlin.cosmos.azure.com", "db", "g", "k"}, {"", "db", "g", "k"}, {"wss://", "db", "g", "k"},
		{"wss://x", "", "g", "k"}, {"wss://x", "db", "", "k"}, {"wss://x", "d/b", "g", "k"}, {"wss://x", "db", "g", "k\x00"}, {"wss://user:secret@x", "db", "g", "k"}, {"wss://x:%zz", "db", "g", "k"},
	} {
		if _, err := NewClient(a[0], a[1], a[2], a[3]); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", a, err)
		}
	}
	for _, o := range []ClientOption{WithConnections(0), WithConnections(257), WithHTTPClient(nil)} {
		if _, err := NewClient("wss://x", "db", "g", "k", o); err == nil {
			t.Error("an option is accepted")
		}
	}
}

func TestConditionsThatAreRefused(t *testing.T) {
	_, c := serve(t)
	docs := New(c, "Thing", &thingModel)
	speed, note := documents.Number[Thing, float64]("speed"), documents.String[Thing, string]("note")
	for name, p := range map[string]documents.Predicate[Thing]{
		"zero":      {},
		"NaN":       speed.Lt(nan()),
		"UTF-8":     note.Eq("\xff"),
		"too large": documents.Number[Thing, int64]("n").Eq(1<<53 + 1),
		"a name":    documents.String[Thing, string]("a') ").Eq("x"),
		"ns":        documents.Instant[Thing]("at").Eq(time.Unix(0, 1)),
		"year":      documents.Instant[Thing]("at").Eq(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)),
		"fold":      note.EqualFold("x"),
	} {
		if _, err := NewQuery(docs, generated.Partition("k")).Where(p).Collect(soon(t)); err == nil {
			t.Errorf("%s is accepted", name)
		} else if strings.Contains(err.Error(), "1004") {
			t.Errorf("%s was sent: %v", name, err)
		}
	}
}

func nan() float64 { zero := 0.0; return zero / zero }

// FuzzVertex checks that no answer makes a document of another place, and that what is
// read can be written again.
func FuzzVertex(f *testing.F) {
	f.Add([]byte(thing))
	f.Add([]byte(`{"id":"1","label":"Thing","properties":{"pk":[{"value":"k"}],"note":[{"value":"x"}],"speed":[{"value":1e400}]}}`))
	v, err := newVertices("Thing", &thingModel)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := v.decode(data)
		if err != nil {
			return
		}
		if s.Doc.ID != s.Place.ID || s.Doc.Key != s.Place.Partition {
			t.Errorf("%+v at %+v", s.Doc, s.Place)
		}
		if _, _, err := v.of(s.Doc); err != nil && !strings.Contains(err.Error(), "UTF-8") {
			t.Error(err)
		}
	})
}

// FuzzName checks that no name that is accepted can end its text.
func FuzzName(f *testing.F) {
	for _, s := range []string{"speed", "a'b", `a\`, "a$b", "ä", "a\nb", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if checkName(name) == "" && (name == "" || strings.ContainsAny(name, "'\\\n\r$\"")) {
			t.Errorf("%q is accepted", name)
		}
	})
}

func ExampleNumber() {
	speed := documents.Number[Thing, float64]("speed")
	t := newTraversal()
	step, err := conditions{t, "id", "pk"}.of(condition.All(documents.Conditions([]documents.Predicate[Thing]{speed.Gt(120), documents.Not(speed.Eq(130))})))
	fmt.Println(step, err, t.bindings)
	// Output: and(__.has('speed', gt(b0)), __.not(__.has('speed', eq(b1)))) <nil> map[b0:120 b1:130]
}

func BenchmarkDecode(b *testing.B) {
	v, err := newVertices("Thing", &thingModel)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := v.decode([]byte(thing)); err != nil {
			b.Fatal(err)
		}
	}
}
