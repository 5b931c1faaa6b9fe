package jsonvalue

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

type (
	patchedText  string
	patchedFloat float32
	patchedByte  uint8
	shouted      string // has a marshaller
	spelled      int    // has one for its address
)

func (s shouted) MarshalText() ([]byte, error) { return []byte(strings.ToUpper(string(s))), nil }

func (s *spelled) MarshalJSON() ([]byte, error) { return json.Marshal([]int{int(*s)}) }

// sameAsJSON fails the test unless jsonOf writes what encoding/json does: the same
// text, or a number of the same value.
func sameAsJSON[V any](t *testing.T, v V) {
	t.Helper()
	got, err := JSON(v)
	if err != nil {
		t.Fatalf("%#v: %v", v, err)
	}
	want, err := json.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) == string(want) {
		return
	}
	var number, same float64
	if json.Unmarshal(got, &number) != nil || json.Unmarshal(want, &same) != nil || number != same {
		t.Errorf("%#v is %s, want %s", v, got, want)
	}
}

func TestValuesOfPatches(t *testing.T) {
	for _, text := range []string{"", "a", "~ !#$%'()*+,-./", `"`, `\`, "<", ">", "&", "\x00", "\x1f", "\x7f", "é", "\u2028", "\U0001F600"} {
		sameAsJSON(t, text)
		sameAsJSON(t, patchedText(text))
		sameAsJSON(t, &text)
		sameAsJSON[any](t, text)
	}
	for _, f := range []float64{0, math.Copysign(0, -1), 1, -1.5, 1e-6, 9.99e-7, 1e20, 1e21, -1e21, 123456789, 0.1, math.MaxFloat64, math.SmallestNonzeroFloat64} {
		sameAsJSON(t, f)
	}
	sameAsJSON(t, patchedFloat(0.1))
	sameAsJSON(t, float32(math.MaxFloat32))
	sameAsJSON(t, int64(-1<<53))
	sameAsJSON(t, uint64(1<<53))
	sameAsJSON(t, patchedByte(255))
	sameAsJSON(t, int8(-128))
	sameAsJSON(t, false)
	sameAsJSON(t, shouted("a"))
	sameAsJSON(t, spelled(7))
	sameAsJSON(t, json.Number("1e3"))
	sameAsJSON(t, json.RawMessage(`{"a":[1]}`))
	sameAsJSON(t, time.Date(2018, 8, 9, 0, 0, 0, 1, time.UTC))
	sameAsJSON(t, []byte("abc"))
	sameAsJSON[any](t, nil)
	sameAsJSON[*int](t, nil)
	r := rand.New(rand.NewPCG(10, 11))
	for range 10_000 {
		sameAsJSON(t, math.Float64frombits(r.Uint64()>>2)) // positive and finite
		sameAsJSON(t, math.Float32frombits(r.Uint32()>>2))
		sameAsJSON(t, r.Int64N(1<<54)-1<<53)
	}
}

func TestValuesThatPatchesRefuse(t *testing.T) {
	for says, err := range map[string]error{
		"NaN has no form":        refusal(math.NaN()),
		"-Inf has no form":       refusal(patchedFloat(math.Inf(-1))),
		"value is beyond 2^53":   refusal(1<<53 + 1),
		"is beyond 2^53: Cosmos": refusal(int64(-1<<53 - 1)),
		"beyond 2^53":            refusal(uint64(math.MaxUint64)),
		"unsupported type":       refusal(make(chan int)),
		"not valid UTF-8":        refusal("a\xc3"),
	} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want %s", err, says)
		}
	}
}

func refusal[V any](v V) error {
	_, err := JSON(v)
	return err
}

// TestAllocationsOfValues compares the values of most patches with encoding/json:
// they allocate only their text.
func TestAllocationsOfValues(t *testing.T) {
	text, number, float, flag := patchedText("1HGCM82633A004352"), 120, 0.25, true
	for name, test := range map[string]struct{ own, bare func() }{
		"text":   {func() { _, _ = JSON(text) }, func() { _, _ = json.Marshal(text) }},
		"number": {func() { _, _ = JSON(number) }, func() { _, _ = json.Marshal(number) }},
		"float":  {func() { _, _ = JSON(float) }, func() { _, _ = json.Marshal(float) }},
		"bool":   {func() { _, _ = JSON(flag) }, func() { _, _ = json.Marshal(flag) }},
	} {
		own, bare := testing.AllocsPerRun(100, test.own), testing.AllocsPerRun(100, test.bare)
		if own > 1 || own > bare {
			t.Errorf("a %s allocates %v times, encoding/json %v", name, own, bare)
		}
	}
}

var sink []byte

func BenchmarkValuesOfPatches(b *testing.B) {
	text, number, float := patchedText("1HGCM82633A004352"), 120, 0.25
	for _, bench := range []struct {
		name string
		make func() ([]byte, error)
	}{
		{"text/own", func() ([]byte, error) { return JSON(text) }},
		{"text/json", func() ([]byte, error) { return json.Marshal(text) }},
		{"number/own", func() ([]byte, error) { return JSON(number) }},
		{"number/json", func() ([]byte, error) { return json.Marshal(number) }},
		{"float/own", func() ([]byte, error) { return JSON(float) }},
		{"float/json", func() ([]byte, error) { return json.Marshal(float) }},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sink, _ = bench.make()
			}
		})
	}
}
