package lock

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var hash = Definition{Path: "/partitionKey", Kind: "Hash", Version: 2}

func TestFormat(t *testing.T) {
	tenant := Definition{Path: "/tenantId,/year", Kind: "MultiHash", Version: 2}
	l := Lock{
		{Type: "Order", Container: "shop", Definition: tenant, Layout: "{tenantId},{year}", Values: "string,number", Draft: true},
		{Type: "Zebra", Container: "events", Definition: hash, TTL: "-1", Layout: "{a}-{b}", Escape: true, Gone: true},
		{
			Type: "Event", Container: "events", Definition: hash, TTL: "-1", Layout: "{date}.{vin%400}",
			Kinds:      []PropertyKind{{Property: "date", Kind: Time}, {Property: "vin", Kind: "example.com/m.Ref[.Lot,log/slog.Level]"}},
			Properties: []Property{{Pointer: "/date", JSON: "string"}, {Pointer: "/meta", JSON: "object"}, {Pointer: "/meta/a b", JSON: "number"}, {Pointer: "/speed", JSON: "number", Number: "float32"}, {Pointer: "/vin", JSON: "any"}},
		},
		{Type: "Alarm", Container: "events", Definition: hash, TTL: "-1", Layout: "{a}-{b}", Escape: true, Discriminator: "alarm"},
		{Type: "Level", Container: "shop", Definition: tenant, Layout: "{tenantId},{year}", Values: "string,number", Discriminator: "a level"},
		{ // the names of MongoDB
			Type: "Reading", Container: "readings", Definition: hash, Layout: "{a.b}", API: "mongo",
			Kinds:      []PropertyKind{{"a.b", Text, "/a/c d"}},
			Properties: []Property{{Pointer: "/a", JSON: "object", Stored: "/a"}, {Pointer: "/a/b", JSON: "string", Stored: "/a/c d"}, {Pointer: "/n", JSON: "number", Stored: "/m", Number: "int64"}, {Pointer: "/x", JSON: "any", Stored: Unstored}},
		},
		{Type: "p_test.Odd", Container: "my events", Definition: hash, Layout: "{a} {b}"},
	}
	const want = heading + `version 3

container events
	path /partitionKey
	kind Hash
	version 2
	ttl -1
	type Alarm {a}-{b} escape as=alarm seal=6e8cc79545afb558
	type Event {date}.{vin%400} seal=4c4a1da7311a0958
		component date time
		component vin example.com/m.Ref[.Lot,log/slog.Level]
		property /date string
		property /meta object
		property "/meta/a b" number
		property /speed float32
		property /vin any
	type Zebra {a}-{b} escape gone seal=51b34775a4384afd

container "my events"
	path /partitionKey
	kind Hash
	version 2
	type p_test.Odd "{a} {b}" seal=64437f602d2ab88e

container readings
	path /partitionKey
	kind Hash
	version 2
	type Reading {a.b} api=mongo seal=2f217a6c32dd0a03
		component a.b text "/a/c d"
		property /a object /a
		property /a/b string "/a/c d"
		property /n int64 /m
		property /x any -

container shop
	path /tenantId,/year
	kind MultiHash
	version 2
	type Level {tenantId},{year} values=string,number "as=a level" seal=7fa1bda9970ca921
	type Order {tenantId},{year} values=string,number draft

end
`
	if diff := cmp.Diff(want, string(l.Format())); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, text := range []string{want, strings.ReplaceAll(want, "\n", "\r\n"), strings.ReplaceAll(want, "\t", "  "), strings.ReplaceAll(want, "\n\n", "\n")} {
		got, err := Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(l.sorted(), got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

func TestFormatNothing(t *testing.T) {
	got, err := Parse(Lock(nil).Format())
	if err != nil || len(got) != 0 {
		t.Errorf("got %v, %v", got, err)
	}
}

// TestOddWords sees that every text which a tag can hold is read back.
func TestOddWords(t *testing.T) {
	for _, word := range []string{
		"-", `"`, `"{a}"`, "{a} ", " {a}", "{a}\u00a0{b}", "{a}#", "#{a}", "{é}|{日本}", "{a}`{b}", `{a}\n{b}`, "{a} escape", "{a}\ufeff", "escape", "as", "as as", "number",
	} {
		e := Entry{Type: "T", Container: "c" + word, Definition: hash, Layout: word + "{x}"}
		for _, l := range []Lock{
			{e},
			{Entry{Type: "T", Container: word, Definition: hash, Layout: "{x}" + word, Escape: true}},
			{Entry{Type: "T", Container: "c", Definition: hash, Layout: "{x}", Discriminator: word}},
			{Entry{Type: "T", Container: "c", Definition: hash, Layout: "{x}", Indexes: []Index{{Name: word, Container: word, Layout: word + "{x}", Kinds: word, Property: word, Select: word}}}},
			{Entry{Type: "T", Container: "c", Definition: hash, Layout: "{x}", Kinds: []PropertyKind{{Property: word, Kind: word, Stored: "/" + word}}, Properties: []Property{{Pointer: "/" + word, JSON: "any", Stored: "/" + word}}}},
		} {
			got, err := Parse(l.Format())
			if err != nil {
				t.Errorf("%q: %v", word, err)
				continue
			}
			if diff := cmp.Diff(l, got); diff != "" {
				t.Errorf("%q: -want +got:\n%s", word, diff)
			}
		}
	}
}

func TestConflict(t *testing.T) {
	a := Entry{Type: "A", Container: "c", Definition: hash, Layout: "{a}"}
	b := Entry{Type: "B", Container: "c", Definition: hash, Layout: "{b}"}
	if _, _, found := (Lock{a, b}).Conflict(); found {
		t.Error("two layouts in one container are no conflict")
	}
	for _, change := range []func(*Entry){
		func(e *Entry) { e.Path = "/other" },
		func(e *Entry) { e.Kind = "MultiHash" },
		func(e *Entry) { e.Version = 1 },
	} {
		other := b
		change(&other)
		x, y, found := (Lock{a, other}).Conflict()
		if !found || !cmp.Equal(x, a) || !cmp.Equal(y, other) {
			t.Errorf("got %v, %v, %v", x, y, found)
		}
	}
}
