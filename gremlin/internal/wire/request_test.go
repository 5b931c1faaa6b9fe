package wire

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
)

// FuzzEval compares the JSON of a request with what encoding/json makes of it.
func FuzzEval(f *testing.F) {
	for _, s := range []string{"", "'\"\\", "a\x00\x1f\x7f\n\u2028😀", "\xff\xc3(", "}],"} {
		f.Add(s, int64(math.MinInt64), 1e300)
	}
	f.Add("x", int64(7), -0.1)
	f.Fuzz(func(t *testing.T, s string, n int64, x float64) {
		frame, err := eval("id", s, Bindings{"s": s, s: "name", "n": n, "x": x, "t": true, "l": []string{s, s}, "m": []any{n, s}})
		if math.IsNaN(x) || math.IsInf(x, 0) {
			if err == nil {
				t.Error("a number that JSON does not have is sent")
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Args struct {
				Gremlin  string
				Bindings map[string]any
			}
		}
		d := json.NewDecoder(strings.NewReader(string(frame[1+len(mime):])))
		d.UseNumber()
		if err := d.Decode(&got); err != nil {
			t.Fatalf("%v: %s", err, frame)
		}
		valid := strings.ToValidUTF8(s, "\uFFFD")
		number := func(kind string, v any) any {
			text, _ := json.Marshal(v)
			return map[string]any{"@type": kind, "@value": json.Number(text)}
		}
		want := map[string]any{"s": valid, "n": number("g:Int64", n), "t": true, "l": []any{valid, valid}, "m": []any{number("g:Int64", n), valid}}
		back, _ := got.Args.Bindings["x"].(map[string]any)
		written, _ := back["@value"].(json.Number)
		if is, err := written.Float64(); err != nil || is != x || back["@type"] != "g:Double" {
			t.Errorf("%v is sent as %v", x, back)
		}
		delete(got.Args.Bindings, "x")
		if len(s) != 1 && valid == s { // else its name may be one of the others
			want[s] = "name"
			if !reflect.DeepEqual(got.Args.Bindings, want) || got.Args.Gremlin != valid {
				t.Errorf("%#v, want %#v", got.Args, want)
			}
		}
	})
}
