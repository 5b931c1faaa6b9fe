package cosmossql

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func TestProperty(t *testing.T) {
	for want, names := range map[string][]string{
		`c`:                        nil,
		`c["order"]`:               {"order"},
		`c["a"]["b c"]`:            {"a", "b c"},
		`c["\"\\"]["é\u0001😀</>"]`: {`"\`, "é\x01😀</>"},
	} {
		got := Property(names...)
		if got != want {
			t.Errorf("%q: got %s, want %s", names, got, want)
		}
		q, err := Parse("SELECT VALUE " + got + " FROM c")
		if err != nil {
			t.Errorf("%s: %v", got, err)
			continue
		}
		var read []string
		if e, ok := q.Main.Items[0].Expr.(*Access); ok {
			for _, step := range e.Steps {
				read = append(read, step.Name)
			}
		}
		if strings.Join(read, "\n") != strings.Join(names, "\n") {
			t.Errorf("%s is read as %q", got, read)
		}
	}
}

func TestLiterals(t *testing.T) {
	for text, want := range map[string]string{
		"1": "1", ".5e1": "5", "0x10": "16", "1e21": "1e+21", "1e-7": "1e-7", "9007199254740993": "9007199254740993", "1e300": "1e+300",
		"'a\"'": `"a\""`, "true": "true", "false": "false", "null": "null", "undefined": "undefined",
	} {
		q, err := Parse("SELECT VALUE " + text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := q.Main.Items[0].Expr.(*Literal).String(); got != want {
			t.Errorf("%s is written as %s, want %s", text, got, want)
		}
	}
	for _, f := range []float64{0, -1.5, 1e20, 1e21, 1e-6, 9e-7, 123456789012345680000, math.MaxFloat64, math.SmallestNonzeroFloat64} {
		want, _ := json.Marshal(f)
		if got := string(AppendNumber(nil, f)); got != string(want) {
			t.Errorf("%v is written as %s, want %s", f, got, want)
		}
	}
}

// TestFunctions checks how many arguments functions take, by their signatures. The emulator's
// package evaluation calls each of them.
func TestFunctions(t *testing.T) {
	for name, want := range map[string]struct{ least, most int }{
		"PI": {0, 0}, "LOWER": {1, 1}, "CONTAINS": {2, 3}, "CONCAT": {2, -1}, "DATETIMEFROMPARTS": {3, 7}, "OBJECTTOARRAY": {1, 3},
		VectorDistance: {2, 4},
	} {
		f, ok := FindFunction(name)
		if !ok || f.Least != want.least || f.Most != want.most {
			t.Errorf("%s: %+v", name, f)
		}
	}
	for _, f := range Functions() {
		if f.Result == 0 || f.Result.Has(KindUndefined) {
			t.Errorf("%s has results of %s", f.Name, f.Result)
		}
	}
	if _, ok := FindFunction("lower"); ok {
		t.Error("a name in lower case is found")
	}
	if got := KindsOf(KindNull, KindString, KindUndefined).String(); got != "undefined or null or string" {
		t.Error(got)
	}
}
