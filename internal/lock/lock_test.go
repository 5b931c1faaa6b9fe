package lock

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var hash = Definition{Path: "/partitionKey", Kind: "Hash", Version: 2}

func TestFormat(t *testing.T) {
	l := Lock{
		{Type: "Order", Container: "shop", Definition: Definition{Path: "/tenantId,/year", Kind: "MultiHash", Version: 2}, Layout: "{tenantId},{year}", Values: "string,number"},
		{Type: "Zebra", Container: "events", Definition: hash, Layout: "{a}-{b}", Escape: true},
		{Type: "Event", Container: "events", Definition: hash, Layout: "{date}.{vin%400}"},
		{Type: "Alarm", Container: "events", Definition: hash, Layout: "{a}-{b}", Escape: true, Discriminator: "alarm"},
		{Type: "Level", Container: "shop", Definition: Definition{Path: "/tenantId,/year", Kind: "MultiHash", Version: 2}, Layout: "{tenantId},{year}", Values: "string,number", Discriminator: "a level"},
		{Type: "p_test.Odd", Container: "my events", Definition: hash, Layout: "{a} {b}"},
	}
	const want = heading + `version 1

container events
	path /partitionKey
	kind Hash
	version 2
	type Alarm {a}-{b} escape as alarm
	type Event {date}.{vin%400}
	type Zebra {a}-{b} escape

container "my events"
	path /partitionKey
	kind Hash
	version 2
	type p_test.Odd "{a} {b}"

container shop
	path /tenantId,/year
	kind MultiHash
	version 2
	type Level {tenantId},{year} string,number as "a level"
	type Order {tenantId},{year} string,number

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
		if !found || x != a || y != other {
			t.Errorf("got %v, %v, %v", x, y, found)
		}
	}
}
