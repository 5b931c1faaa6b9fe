package lock

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSteps takes every step of a number of buckets, and changes that are no steps.
func TestSteps(t *testing.T) {
	for _, tt := range []struct {
		name     string
		old, now string
		want     Step
	}{
		{"nothing", "A a {d}.{v%100}", "A a {d}.{v%100}", NoStep},
		{"announced", "A a {d}.{v%100}", "A a {d}.{v%100} next=400", Announced},
		{"announced anew", "A a {d}.{v%100} next=400", "A a {d}.{v%100} next=200", Announced},
		{"withdrawn", "A a {d}.{v%100} next=400", "A a {d}.{v%100}", Withdrawn},
		{"own containers", "A a {t}", "A a {t} own=a-{t}", Tiered},
		{"no own containers", "A a {t} own=a-{t}", "A a {t}", NoStep},
		{"other own containers", "A a {t} own=a-{t}", "A a {t} own=b-{t}", NoStep},
		{"own containers and another layout", "A a {t}", "A a {t},{u} own=a-{t}", NoStep},
		{"marks", "A a {t}", "A a {t} deleted=gone", Marked},
		{"no marks", "A a {t} deleted=gone", "A a {t}", NoStep},
		{"other marks", "A a {t} deleted=gone", "A a {t} deleted=removed", NoStep},
		{"marks and another layout", "A a {t}", "A a {t},{u} deleted=gone", NoStep},
		{"switched", "A a {d}.{v%100} next=400", "A a {d}.{v%400} was=100", Switched},
		{"announced before the move is done", "A a {d}.{v%200} was=100", "A a {d}.{v%200} was=100 next=400", Announced},
		{"switched before the move is done", "A a {d}.{v%200} was=100 next=400", "A a {d}.{v%400} was=200,100", Switched},
		{"random, announced", "A a {d}.{*%100}", "A a {d}.{*%100} next=400", Announced},
		{"random, switched", "A a {d}.{*%100} next=400", "A a {d}.{*%400}", Switched},
		{"a bucket in the middle", "A a {v%100}.{d} next=400", "A a {v%400}.{d} was=100", Switched},
		{"a percent sign in text", "A a 5%40:{d}.{v%100} next=400", "A a 5%40:{d}.{v%400} was=100", Switched},

		{"without the first release", "A a {d}.{v%100}", "A a {d}.{v%400} was=100", NoStep},
		{"without both", "A a {d}.{v%100}", "A a {d}.{v%400}", NoStep},
		{"random, without the first release", "A a {d}.{*%100}", "A a {d}.{*%400}", NoStep},
		{"another number than announced", "A a {d}.{v%100} next=400", "A a {d}.{v%500} was=100", NoStep},
		{"the number before is forgotten", "A a {d}.{v%100} next=400", "A a {d}.{v%400}", NoStep},
		{"an older number is forgotten", "A a {d}.{v%200} was=100 next=400", "A a {d}.{v%400} was=200", NoStep},
		{"a number that never was", "A a {d}.{v%100} next=400", "A a {d}.{v%400} was=100,50", NoStep},
		{"switched and announced at once", "A a {d}.{v%100} next=400", "A a {d}.{v%400} was=100 next=800", NoStep},
		{"forgotten", "A a {d}.{v%400} was=100", "A a {d}.{v%400}", NoStep},
		{"invented", "A a {d}.{v%400}", "A a {d}.{v%400} was=100", NoStep},
		{"back", "A a {d}.{v%400} was=100", "A a {d}.{v%100} next=400", NoStep},
		{"smaller", "A a {d}.{v%400}", "A a {d}.{v%100}", NoStep},
		{"a draft", "A a {d}.{v%100} draft", "A a {d}.{v%100} next=400", NoStep},
		{"gone", "A a {d}.{v%100} gone", "A a {d}.{v%100} next=400", NoStep},
		{"another layout", "A a {d}.{v%100} next=400", "A a {d}-{v%400} was=100", NoStep},
		{"another hash", "A a {d}.{v%100} next=400", "A a {d}.{w%400} was=100", NoStep},
		{"another container", "A a {d}.{v%100} next=400", "A b {d}.{v%400} was=100", NoStep},
		{"another discriminator", "A a {d}.{v%100}", "A a {d}.{v%100} as=a next=400", NoStep},
		{"several buckets", "A a {d%100},{v%100} next=400", "A a {d%400},{v%100} was=100", NoStep},
	} {
		t.Run(tt.name, func(t *testing.T) {
			old, now := entry(tt.old), entry(tt.now)
			if got := old.StepTo(now); got != tt.want {
				t.Errorf("got step %d, not %d", got, tt.want)
			}
			changes, renamed, added := Compare(Lock{old}, Lock{now}, func(string) bool { return false })
			if changed := tt.want == NoStep && tt.old != tt.now; changed != (len(changes) == 1) || renamed != nil || len(added) != 0 {
				t.Errorf("got %v, %v, %v", changes, renamed, added)
			}
		})
	}
}

// TestGrowthOfARenamedType sees that a step needs the same name: another name and
// other buckets at once are a change.
func TestGrowthOfARenamedType(t *testing.T) {
	changes, renamed, _ := Compare(lockOf("A a {d}.{v%100}"), lockOf("B a {d}.{v%100} next=400"), func(typ string) bool { return typ == "A" })
	if len(changes) != 1 || len(renamed) != 0 {
		t.Errorf("got %v, %v", changes, renamed)
	}
	_, renamed, _ = Compare(lockOf("A a {d}.{v%400} was=100"), lockOf("B a {d}.{v%400} was=100"), func(typ string) bool { return typ == "A" })
	if len(renamed) != 1 {
		t.Errorf("got %v", renamed)
	}
}

func TestCounts(t *testing.T) {
	for text, want := range map[string]Counts{
		"A a {d}":                              {},
		"A a {d%2},{v%3}":                      {},
		"A a {d}.{v%400}":                      {Now: 400},
		"A a {d}.{v%400} was=200,100 next=800": {Before: []int{200, 100}, Now: 400, Next: 800},
	} {
		if diff := cmp.Diff(want, entry(text).Counts()); diff != "" {
			t.Errorf("%s: -want +got:\n%s", text, diff)
		}
	}
}

func TestOthers(t *testing.T) {
	var got []string
	for _, e := range entry("A a {d}.{v%400} was=200,100 next=800").Others() {
		got = append(got, e.Summary())
	}
	if diff := cmp.Diff([]string{"{d}.{v%200}", "{d}.{v%100}", "{d}.{v%800}"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if others := entry("A a {d}.{v%400}").Others(); others != nil {
		t.Errorf("got %v", others)
	}
}

// TestNumbersInTheFile writes and reads numbers of buckets, and refuses those that do
// not go together.
func TestNumbersInTheFile(t *testing.T) {
	l := lockOf("A a {d}.{v%400} was=200,100 next=800")
	got, err := Parse(l.Format())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(l, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for words, want := range map[string]string{
		"{d}.{v%400} was=":           `"was=" does not follow a layout`,
		"{d}.{v%400} was":            `"was" does not follow a layout`,
		"{d}.{v%400} was=100,100":    `"was=100,100" does not follow a layout`,
		"{d}.{v%400} was=100,200":    `"was=100,200" does not follow a layout`,
		"{d}.{v%400} was=1":          `"was=1" does not follow a layout`,
		"{d}.{v%400} was=0100":       `"was=0100" does not follow a layout`,
		"{d}.{v%400} was=100 was=50": `"was=50" does not follow a layout`,
		"{d}.{v%400} next=800,900":   `"next=800,900" does not follow a layout`,
		"{d}.{v%400} was=400":        "the bucket counts of type A contradict each other",
		"{d}.{v%400} next=400":       "the bucket counts of type A contradict each other",
		"{d} was=100":                "the bucket counts of type A contradict each other",
		"{d%100},{v%400} next=800":   "the bucket counts of type A contradict each other",
	} {
		text := "version 2\ncontainer a\npath /p\nkind Hash\nversion 2\ntype A " + words + "\nend\n"
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", words, err)
		}
	}
}

// TestFindsEach has two types of one container, in packages of their own.
func TestFindsEach(t *testing.T) {
	at := func(layout, was, next string) Entry {
		return Entry{Type: "T", Container: "c", Definition: hash, Layout: layout, Was: was, Next: next}
	}
	for _, tt := range []struct {
		a, b Entry
		want bool
	}{
		{at("{d}.{v%4}", "", ""), at("{d}.{v%4}", "", ""), true},
		{at("{d}.{v%4}", "", ""), at("{d}.{v%8}", "", ""), false},
		{at("{d}.{v%4}", "", "8"), at("{d}.{v%4}", "", ""), true},
		{at("{d}.{v%4}", "", "8"), at("{d}.{v%8}", "4", ""), true},
		{at("{d}.{v%4}", "", ""), at("{d}.{v%8}", "4", ""), false},
		{at("{d}.{v%4}", "", "8"), at("{d}.{v%8}", "", ""), false},
		{at("{d}.{*%4}", "", ""), at("{d}.{*%8}", "", ""), false},
		{at("{d}.{*%4}", "", "8"), at("{d}.{*%8}", "", ""), true},
		{at("{d}.{v}", "", ""), at("{d}-{v}", "", ""), false},
	} {
		if got := tt.a.FindsEach(tt.b); got != tt.want || tt.b.FindsEach(tt.a) != tt.want {
			t.Errorf("%s and %s: got %v", tt.a.Summary(), tt.b.Summary(), got)
		}
	}
}

// TestDescribes has types of two names in one container.
func TestDescribes(t *testing.T) {
	with := func(layout string, properties ...string) Entry {
		e := Entry{Type: "T", Container: "c", Definition: hash, Layout: layout}
		for _, p := range properties {
			e.Properties = append(e.Properties, Property{Pointer: p, JSON: "string"})
		}
		return e
	}
	whole := with("{d}", "/d", "/id", "/v")
	retyped := with("{d}", "/d", "/id", "/v")
	retyped.Properties[2].JSON = "number"
	counted := with("{d}", "/d", "/id", "/v")
	counted.Properties[2] = Property{Pointer: "/v", JSON: "number", Number: "int64"}
	for _, tt := range []struct {
		other Entry
		want  bool
	}{
		{whole, true},
		{with("{d}", "/d", "/id"), true},
		{with("{d}"), true}, // not known
		{with("{d}", "/d", "/id", "/sku"), false},
		{retyped, false},
		{with("{id}", "/d", "/id", "/v"), false},
	} {
		if got := whole.Describes(tt.other); got != tt.want || tt.other.Describes(whole) != tt.want {
			t.Errorf("%v: got %v", tt.other, got)
		}
	}
	if !retyped.Describes(counted) || !counted.Describes(retyped) {
		t.Error("a number of an older file is not an int64 of a newer one")
	}
}
