package keyfunc

import (
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

func TestLookup(t *testing.T) {
	for _, l := range Languages() {
		if got, err := Lookup(l.Name); err != nil || got.Name != l.Name || got.About == "" {
			t.Errorf("Lookup(%q) = %+v, %v", l.Name, got, err)
		}
	}
	for name, want := range map[string]string{
		"pyhton": `unknown language "pyhton": did you mean "python"?`,
		"cobol":  `unknown language "cobol": there are python, javascript, java, csharp, sql, go`,
		"":       `unknown language "": there are python, javascript, java, csharp, sql, go`,
	} {
		if _, err := Lookup(name); err == nil || err.Error() != want {
			t.Errorf("Lookup(%q): %v, want %s", name, err, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		language string
		typ      *templates.Type
		want     string
	}{
		{"sql", caseOf(t, "VehicleEvent"), "cannot compute a hash"},
		{"sql", caseOf(t, "Spread"), "cannot compute a hash"},
		{"sql", caseOf(t, "Owned"), "cannot percent-encode"},
		{"sql", caseOf(t, "Day"), "at is a time, whose JSON may have any offset"},
		{"sql", hidden(), "Price writes JSON of its own, so documents do not have price.currency"},
		{"javascript", timed("Fine", "2006-01-02T15:04:05.0000"), "at has 4 digits of a second in 2006-01-02T15:04:05.0000, and JavaScript's Date holds 3"},
		{"python", timed("Fine", "2006-01-02T15:04:05.0000000"), "Python's datetime holds 6"},
		{"csharp", timed("Fine", "2006-01-02T15:04:05.00000000"), "C#'s DateTimeOffset holds 7"},
		{"javascript", synthetic("Hashed", "", part(text("a")), literal("."), hashed(4,
			pk.Component{Field: field("at", pk.Time), Layout: "20060102150405.000000"})), "at has 6 digits"},
	} {
		source, err := written(tt.language, tt.typ)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s in %s: %v, want an error with %q", tt.typ.Name, tt.language, err, tt.want)
		}
		if prefix := "the key of " + tt.typ.Name + " cannot be written in " + tt.language + ": "; err != nil && !strings.HasPrefix(err.Error(), prefix) {
			t.Errorf("%s in %s: %v does not begin with %q", tt.typ.Name, tt.language, err, prefix)
		}
		if source != "" {
			t.Errorf("%s in %s: wrote something and returned an error", tt.typ.Name, tt.language)
		}
	}
}

// hidden is a type whose key has a part that its documents do not.
func hidden() *templates.Type {
	f := text("price.currency")
	f.Hiding = "Price"
	return synthetic("Hidden", "", literal("in "), part(f))
}

// TestFinestTimes checks the finest layouts that languages take.
func TestFinestTimes(t *testing.T) {
	for language, tt := range map[string]struct{ layout, want string }{
		"javascript": {"2006-01-02T15:04:05.00", "at.toISOString().slice(0, 22)"},
		"python":     {"2006-01-02T15:04:05.000000", "{at.second:02}.{at.microsecond:06}"},
		"csharp":     {"2006-01-02T15:04:05.0000000", `"yyyy-MM-dd\\THH:mm:ss.fffffff"`},
		"java":       {"2006-01-02T15:04:05.000000000", `"uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS"`},
		"go":         {"2006-01-02T15:04:05.000000000", `"2006-01-02T15:04:05.000000000"`},
	} {
		source, err := written(language, timed("Fine", tt.layout))
		if err != nil || !strings.Contains(source, tt.want) {
			t.Errorf("%s: %v, want %s in\n%s", language, err, tt.want, source)
		}
	}
}

// TestEveryFunctionSaysWhatItIs looks for the words that keep people from
// changing it.
func TestEveryFunctionSaysWhatItIs(t *testing.T) {
	prefixes := strings.NewReplacer("\n", " ", "*", " ", "-- ", " ", "//", " ")
	for _, l := range Languages() {
		for _, c := range cases {
			source, err := l.Write(c)
			if err != nil {
				continue
			}
			text := strings.Join(strings.Fields(prefixes.Replace(strings.ReplaceAll(source, "/// ", " "))), " ")
			text = strings.ReplaceAll(text, "each "+c.Name+" document", "the "+c.Name+" with these properties")
			for _, want := range []string{
				" of the " + c.Name + " with these properties", "pkgen keys -lang " + l.Name,
				"Stored documents depend on every character of the key",
			} {
				if !strings.Contains(text, want) {
					t.Errorf("%s in %s: no %q in\n%s", c.Name, l.Name, want, source)
				}
			}
			if !strings.HasSuffix(source, "\n") || strings.HasSuffix(source, "\n\n") || strings.Contains(source, " \n") {
				t.Errorf("%s in %s: wrong white space in\n%s", c.Name, l.Name, source)
			}
		}
	}
}

func TestWords(t *testing.T) {
	for name, want := range map[string][]string{
		"deviceId": {"device", "id"}, "VIN": {"vin"}, "HTTPProbe": {"http", "probe"}, "my-prop": {"my", "prop"},
		"meta.long_name": {"meta", "long", "name"}, "é": {"é"}, "日本": {"日本"}, "-": {"value"}, "": {"value"},
		"2nd": {"2nd"}, "tenantID": {"tenant", "id"}, "ÉtatCivil": {"état", "civil"}, "x2Y": {"x2", "y"},
	} {
		if got := words(name); !slices.Equal(got, want) {
			t.Errorf("words(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestParameterNames(t *testing.T) {
	typ := synthetic("Names", "", part(text("deviceId")), literal("-"), part(text("device_id")), literal("-"),
		part(text("2nd")), literal("-"), part(text("class")), literal("-"), part(text("suffix")), literal("-"),
		part(text("escape")), literal("."), pk.Part{Bucket: &pk.Bucket{Count: 4}})
	for _, tt := range []struct {
		casing   func([]string) string
		reserved string
		want     []string
	}{
		{snake, pythonReserved, []string{"device_id", "device_id2", "_2nd", "class_", "suffix", "escape", "suffix2"}},
		{camel, javaScriptReserved, []string{"deviceId", "deviceId2", "_2nd", "class_", "suffix", "escape_", "suffix2"}},
		{goCamel, goReserved, []string{"deviceID", "deviceID2", "_2nd", "class", "suffix", "escape_", "suffix2"}},
	} {
		f := newFunction(typ)
		f.nameParams(tt.casing, tt.reserved)
		var got []string
		for _, p := range f.params {
			got = append(got, p.name)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("names %q, want %q", got, tt.want)
		}
	}
}

// FuzzWrite writes functions for literal text and properties of all kinds: no
// panic, and Go that parses.
func FuzzWrite(f *testing.F) {
	f.Add("-", "deviceId", "/")
	f.Add(`"`, `class"'`, `\`)
	f.Add("*/", "", "`$")
	f.Add("\u202e", "日本", "'''")
	f.Fuzz(func(t *testing.T, separator, property, end string) {
		if separator == "" {
			return // two components never touch
		}
		typ := escaping(synthetic("Fuzzed", property,
			part(text(property)), literal(separator), lower(text(property+"x")), literal("."+end), hashed(7, component(text(property)))))
		for _, l := range Languages() {
			source, err := l.Write(typ)
			if err != nil && l.Name != "sql" {
				t.Errorf("%s: %v", l.Name, err)
			}
			if again, _ := l.Write(typ); again != source {
				t.Errorf("%s writes two texts for one type", l.Name)
			}
		}
	})
}
