package pk_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// values are the fields of templates in these tests; others are of any kind.
var values = map[string]pk.Value{"id": pk.String, "vin": pk.String, "n": pk.Int, "at": pk.Time, "addr": pk.Text}

func fieldOf(name string) pk.Field {
	value, ok := values[name]
	if !ok {
		value = pk.Any
	}
	return pk.Field{Property: name, Value: value}
}

func keyOf(t *testing.T, template string) pk.Key {
	parsed, err := annotations.ParseTemplate(template)
	if err != nil {
		t.Fatalf("%s: %v", template, err)
	}
	return pk.Of(parsed, fieldOf)
}

// TestOf makes keys of templates, and compares what is known of each component: its
// property and its value, with the layout, and whether it is in lower case.
func TestOf(t *testing.T) {
	names := []string{"string", "int", "uint", "bool", "float", "time", "text", "textptr", "any"}
	for _, tt := range []struct {
		template   string
		made       string // levels that are texts, as digits from 1
		separators string // of all levels
		components string
	}{
		{"{vin}", "", "", "vin:string"},
		{"{vin|lower}", "1", "", "vin:string:lower"},
		{"{x}", "", "", "x:any"},
		{"{x|2006-01}", "1", "", "x:time:2006-01"},
		{"{x|lower}", "1", "", "x:any:lower"},
		{"x{vin}", "1", "", "vin:string"},
		{"{vin}-{n}--{id}/{x}", "1", "-/", "vin:string n:int id:string x:any"},
		{"{at|2006-01-02}.{*%400}", "1", ".", "at:time:2006-01-02"},
		{"{vin},{n}.{id%4},{at|2006}", "23", ".", "vin:string n:int id:string at:time:2006"},
		{"{vin|lower%4}", "1", "", "vin:string:lower"},
		{"{n|2006%4}", "1", "", "n:int:2006"}, // which its reader refuses
		{"{vin+at+n+addr+x|2006%4}", "1", "", "vin:string at:time:2006 n:int addr:text x:any:2006"},
		{"{vin+at+n+addr+x|lower%4}", "1", "", "vin:string:lower at:time n:int addr:text x:any:lower"},
	} {
		k := keyOf(t, tt.template)
		made, separators := "", ""
		for i, level := range k.Levels {
			if level.Made {
				made += string(rune('1' + i))
			}
			separators += level.Separators()
		}
		var components []string
		for _, c := range k.Components() {
			text := c.Property + ":" + names[c.Value]
			if c.Layout != "" {
				text += ":" + c.Layout
			}
			if c.Lower {
				text += ":lower"
			}
			components = append(components, text)
		}
		if got := strings.Join(components, " "); made != tt.made || separators != tt.separators || got != tt.components {
			t.Errorf("%s: made %q, separators %q, %s", tt.template, made, separators, got)
		}
		if got := k.Layout(); got != tt.template {
			t.Errorf("%s: the layout is %s", tt.template, got)
		}
	}
}

// TestComponents changes components of a key through pointers to them.
func TestComponents(t *testing.T) {
	k := keyOf(t, "{a}.{b+c%4},{d}")
	for _, c := range k.Components() {
		c.Property += "x"
	}
	if got := k.Layout(); got != "{ax}.{bx+cx%4},{dx}" {
		t.Error(got)
	}
	k.Levels[0].Path, k.Levels[1].Path = "/k", "/d"
	if got := k.Paths(); !slices.Equal(got, []string{"/k", "/d"}) {
		t.Error(got)
	}
	if none := (pk.Key{}); none.Layout() != "" || none.Components() != nil || none.Paths() != nil {
		t.Error("a key without levels has a layout or components")
	}
}

func TestBucket(t *testing.T) {
	k := keyOf(t, "{vin}.{n%4},{at|2006}.{*%9},{id}")
	if l := k.Levels[0]; l.Random() || l.Bucket().Count != 4 {
		t.Errorf("level 1: %+v", l)
	}
	if l := k.Levels[1]; !l.Random() || l.Bucket().Count != 9 || l.Bucket().Hash != nil {
		t.Errorf("level 2: %+v", l)
	}
	if l := k.Levels[2]; l.Random() || l.Bucket() != nil || l.Value() != pk.String || l.Textual() {
		t.Errorf("level 3: %+v", l)
	}
	if !pk.Text.Marshaled() || !pk.TextPtr.Marshaled() || pk.String.Marshaled() || pk.Any.Marshaled() {
		t.Error("a method makes another text, or not that of its type")
	}
	b := pk.Bucket{Count: 4, Was: []int{2, 1}, Next: 8}
	if b.Reach() != 8 || !slices.Equal(b.Counts(), []int{4, 2, 1, 8}) {
		t.Errorf("reach %d, counts %v", b.Reach(), b.Counts())
	}
}

func TestNewest(t *testing.T) {
	level := pk.Level{Parts: []pk.Part{
		{Component: &pk.Component{Field: fieldOf("at"), Newest: true}}, {Literal: "-"}, {Component: &pk.Component{Field: fieldOf("id")}},
	}}
	if got := (pk.Key{Levels: []pk.Level{level}}).Layout(); got != "{at|newest}-{id}" {
		t.Error(got)
	}
	newest, year, day := pk.Component{Newest: true}, pk.Component{Layout: "2006"}, pk.Component{Layout: "2006-01-02"}
	for _, tt := range []struct {
		one, other pk.Component
		want       bool
	}{{newest, day, true}, {day, newest, false}, {newest, newest, false}, {day, year, true}, {year, day, false}} {
		if got := tt.one.Finer(tt.other); got != tt.want {
			t.Errorf("%+v finer than %+v: %v", tt.one, tt.other, got)
		}
	}
}

// TestAlone says of which keys each document has a logical partition of its own.
func TestAlone(t *testing.T) {
	for template, want := range map[string]bool{
		"{id}": true, "{vin},{id}": true, "{a},{b},{c},{id}": true,
		"{id},{vin}": false, "{vin},{id|lower}": false, "{vin},x{id}": false, "{vin},{id%4}": false, "{vin}-{id}": false, "{vin},{my.id}": false,
	} {
		if got := keyOf(t, template).Alone(); got != want {
			t.Errorf("%s: %t", template, got)
		}
	}
	if (pk.Key{}).Alone() {
		t.Error("an edge")
	}
}
