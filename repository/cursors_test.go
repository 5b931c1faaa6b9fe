package repository_test

import (
	"testing"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/feed"
)

// inTwo divides each part of the key space that a cursor has by the effective
// partition key of a text in it. The result is the cursor after a merge of two
// physical partitions: it has a part for each of them.
func inTwo(t *testing.T, cursor string, texts []string) string {
	t.Helper()
	p, err := feed.ParseCursor(nil, cursor)
	if err != nil {
		t.Fatal(err)
	}
	lanes := p.Lanes[:0:0]
	for _, l := range p.Lanes {
		for _, text := range texts {
			middle, err := partition.EPK(text)
			if err != nil {
				t.Fatal(err)
			}
			if partition.CompareEPK(l.Min, middle) < 0 && partition.CompareEPK(middle, l.Max) < 0 {
				low := l
				low.Max, l.Min = middle, middle
				lanes = append(lanes, low)
				break
			}
		}
		lanes = append(lanes, l)
	}
	if len(lanes) == len(p.Lanes) {
		t.Fatal("no text is within the key space")
	}
	p.Lanes = lanes
	return p.Cursor(nil)
}
