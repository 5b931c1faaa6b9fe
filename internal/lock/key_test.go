package lock

import (
	"testing"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// TestKindsOfValues reads the table of kinds in both directions.
func TestKindsOfValues(t *testing.T) {
	for _, tt := range []struct {
		kind    string
		value   pk.Value
		meaning string
	}{
		{Text, pk.String, "the text itself"},
		{Integer, pk.Int, "the digits of an integer"},
		{Bool, pk.Bool, "true or false"},
		{Float, pk.Float, "a number"},
		{Time, pk.Time, "a time in the format of the layout"},
	} {
		if value, meaning := ValueOf(tt.kind); value != tt.value || meaning != tt.meaning || KindOf(tt.value) != tt.kind {
			t.Errorf("%s: %d, %q, %s", tt.kind, value, meaning, KindOf(tt.value))
		}
	}
	if KindOf(pk.Uint) != Integer || KindOf(pk.Text) != "" || KindOf(pk.TextPtr) != "" || KindOf(pk.Any) != "" {
		t.Error("another value has a kind, or an unsigned integer has none")
	}
	for kind, want := range map[string]string{"log/slog.Level": "log/slog.Level", ".Level": "Level"} {
		if value, meaning := ValueOf(kind); value != pk.Text || meaning != "what the method MarshalText of "+want+" writes" {
			t.Errorf("%s: %d, %q", kind, value, meaning)
		}
	}
}

func TestKey(t *testing.T) {
	e := Entry{
		Type: "T", Layout: "{meta.a},{b},{c}-{d|2006}-{id}", Escape: true, Definition: Definition{Path: "/meta/a,/elsewhere,/partitionKey3"},
		Kinds: []PropertyKind{{"meta.a", Integer, ""}, {"c", "log/slog.Level", ""}, {"d", Time, ""}},
	}
	k, err := e.Key()
	if err != nil || k.Layout() != e.Layout || !k.Escape || len(k.Levels) != 3 {
		t.Fatalf("%+v, %v", k, err)
	}
	for i, want := range []struct {
		path string
		made bool
	}{{"/meta/a", false}, {"/elsewhere", true}, {"/partitionKey3", true}} {
		if l := k.Levels[i]; l.Path != want.path || l.Made != want.made {
			t.Errorf("level %d is at %s, made: %v", i+1, l.Path, l.Made)
		}
	}
	for i, want := range []pk.Value{pk.Int, pk.Any, pk.Text, pk.Time, pk.String} {
		if c := k.Components()[i]; c.Value != want {
			t.Errorf("%s is %d, want %d", c.Property, c.Value, want)
		}
	}
	if typ := k.Components()[2].Type; typ.Path != "log/slog" || typ.Name != "Level" {
		t.Errorf("the type of c is %+v", typ)
	}
	e.Layout = "{a"
	if _, err := e.Key(); err == nil {
		t.Error("a layout without its end has a key")
	}
}

// TestKeyOf knows no id without a type, as of a candidate.
func TestKeyOf(t *testing.T) {
	template, problem := annotations.ParseTemplate("{id}-{at|2006}")
	if problem != nil {
		t.Fatal(problem)
	}
	all := Entry{}.KeyOf(template).Components()
	if all[0].Value != pk.Any || all[1].Value != pk.Time {
		t.Errorf("%+v", all)
	}
}

func TestTypeOf(t *testing.T) {
	for kind, want := range map[string][2]string{
		".Level": {"", "Level"}, "net/netip.Addr": {"net/netip", "Addr"}, ".Ref[.Name]": {"", "Ref[.Name]"},
		"a.b/c.Ref[x/y.Z,.W]": {"a.b/c", "Ref[x/y.Z,.W]"}, "odd": {"", "odd"},
	} {
		if got := typeOf(kind); got.Path != want[0] || got.Name != want[1] {
			t.Errorf("%s: %+v", kind, got)
		}
	}
}
