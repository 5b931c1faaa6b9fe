package templates

import "testing"

func TestPrefixed(t *testing.T) {
	at := timePart(field("At", "at", Time, "time.Time"), "2006-01-02")
	line := part(field("Line", "line", Int, "int"))
	vin := hashed(9, text("VIN", "vin"))
	for name, test := range map[string]struct {
		parts []Part
		want  bool
	}{
		"a time":                 {[]Part{at, literal("."), vin}, true},
		"integers":               {[]Part{literal("l"), line, literal("-"), at, literal("."), random(4)}, true},
		"a text":                 {[]Part{part(text("Date", "date")), literal("."), vin}, false},
		"a text among others":    {[]Part{at, literal("-"), part(text("Host", "host")), literal("."), vin}, false},
		"nothing":                {[]Part{literal("p."), random(3)}, false},
		"no separator":           {[]Part{literal("l"), at, vin}, false},
		"the bucket comes first": {[]Part{vin, literal("."), at}, false},
		"no bucket":              {[]Part{at, literal("."), line}, false},
	} {
		if got := (&Type{Kind: Synthetic, Levels: []Level{{Made: true, Parts: test.parts}}}).prefixed(); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	levels := []Level{level("/a", true, at, literal("."), vin), level("/b", false, line)}
	if (&Type{Kind: Hierarchical, Levels: levels}).prefixed() {
		t.Error("the levels of a hierarchical key have no text of their own")
	}
}
