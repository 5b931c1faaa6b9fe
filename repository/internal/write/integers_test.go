package write

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/jsonvalue"
)

// integersOfBench is a document of 1 KB with numbers, text, and texts of digits.
type integersOfBench struct {
	ID    string    `json:"id"`
	Speed int       `json:"speed"`
	Seq   int64     `json:"seq"`
	Lats  []float64 `json:"lats"`
	Card  string    `json:"card"`
	Note  string    `json:"note"`
}

func integersForBench() integersOfBench {
	doc := integersOfBench{ID: "1HGCM82633A004352", Speed: 120, Seq: 1 << 53, Card: "4012888888881881,4012888888881881", Note: strings.Repeat("text, ", 90)}
	for i := range 20 {
		doc.Lats = append(doc.Lats, 47.3769+float64(i)/1e7)
	}
	return doc
}

// BenchmarkIntegers is what it costs to look for integers that would be rounded,
// and to make the JSON that every write makes.
func BenchmarkIntegers(b *testing.B) {
	doc := integersForBench()
	body, err := json.Marshal(doc)
	if err != nil {
		b.Fatal(err)
	}
	n := &Integers{reflect.TypeFor[integersOfBench]()}
	b.Run("Marshal", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := json.Marshal(&doc); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("MarshalChecked", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := jsonvalue.Marshal(&doc); err != nil {
				b.Fatal(err)
			}
		}
	})
	doc.Seq, doc.Card = 1, ""
	plain, err := json.Marshal(doc)
	if err != nil {
		b.Fatal(err)
	}
	for name, body := range map[string][]byte{"Check": plain, "CheckOfLongNumbers": body} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if err := n.check(body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestIntegersAllocate looks through a document without an allocation.
func TestIntegersAllocate(t *testing.T) {
	doc := integersForBench()
	doc.Seq, doc.Card = 1<<52, "4012888888881881"
	body, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	n := &Integers{reflect.TypeFor[integersOfBench]()}
	if allocs := testing.AllocsPerRun(100, func() { _ = n.check(body) }); allocs > 0 {
		t.Errorf("%v allocations, want none", allocs)
	}
}
