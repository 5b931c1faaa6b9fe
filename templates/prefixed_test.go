package templates

import (
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

func TestPrefixed(t *testing.T) {
	at := timePart(field("At", "at", pk.Time, "time.Time"), "2006-01-02")
	line := part(field("Line", "line", pk.Int, "int"))
	vin := hashed(9, text("VIN", "vin"))
	for name, test := range map[string]struct {
		parts []pk.Part
		want  bool
	}{
		"a time":                 {[]pk.Part{at, literal("."), vin}, true},
		"integers":               {[]pk.Part{literal("l"), line, literal("-"), at, literal("."), random(4)}, true},
		"a text":                 {[]pk.Part{part(text("Date", "date")), literal("."), vin}, false},
		"a text among others":    {[]pk.Part{at, literal("-"), part(text("Host", "host")), literal("."), vin}, false},
		"nothing":                {[]pk.Part{literal("p."), random(3)}, false},
		"no separator":           {[]pk.Part{literal("l"), at, vin}, false},
		"the bucket comes first": {[]pk.Part{vin, literal("."), at}, false},
		"no bucket":              {[]pk.Part{at, literal("."), line}, false},
	} {
		if got := (&Type{Kind: Synthetic, Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: test.parts}}}}).prefixed(); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	levels := []pk.Level{level("/a", true, at, literal("."), vin), level("/b", false, line)}
	if (&Type{Kind: Hierarchical, Key: pk.Key{Levels: levels}}).prefixed() {
		t.Error("the levels of a hierarchical key have no text of their own")
	}
}
