package store

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestDocumentsOverTime changes a list at random, and a slice likewise, and takes snapshots. Each
// snapshot must show what was there when it was taken, whatever happened since.
func TestDocumentsOverTime(t *testing.T) {
	type state struct {
		list Documents
		want []*Document
	}
	random := rand.New(rand.NewPCG(1, 2))
	var list documentList
	var want []*Document
	var states []state
	next := uint64(0)
	find := func(seq uint64) (int, bool) {
		return slices.BinarySearchFunc(want, seq, func(d *Document, seq uint64) int { return int(d.Seq) - int(seq) })
	}
	for step := range 20_000 {
		switch n := random.IntN(10); {
		case n < 5 || len(want) == 0: // a new document
			next++
			d := &Document{Seq: next}
			list.put(d)
			want = append(want, d)
		case n < 7: // a new version
			i := random.IntN(len(want))
			want = slices.Clone(want)
			want[i] = &Document{Seq: want[i].Seq}
			list.put(want[i])
		case n < 8: // one that was deleted, or not
			d := &Document{Seq: 1 + random.Uint64N(next)}
			i, ok := find(d.Seq)
			want = slices.Clone(want)
			if ok {
				want[i] = d
			} else {
				want = slices.Insert(want, i, d)
			}
			list.put(d)
		default:
			i := random.IntN(len(want))
			list.remove(want[i])
			list.remove(want[i]) // nothing
			want = slices.Delete(slices.Clone(want), i, i+1)
		}
		if step%97 == 0 {
			states = append(states, state{list.snapshot(), slices.Clone(want)})
		}
	}
	states = append(states, state{list.snapshot(), want})
	for i, s := range states {
		if got := slices.Collect(s.list.All()); !slices.Equal(got, s.want) || s.list.Len() != len(s.want) {
			t.Fatalf("snapshot %d has %d documents, Len %d, want %d, or others", i, len(got), s.list.Len(), len(s.want))
		}
		if len(s.want) == 0 {
			continue
		}
		at := random.IntN(len(s.want))
		if got := slices.Collect(s.list.After(s.want[at].Seq)); !slices.Equal(got, s.want[at+1:]) {
			t.Fatalf("snapshot %d: %d documents after number %d, want %d", i, len(got), at, len(s.want)-at-1)
		}
		if again := DocumentsOf(s.want); !slices.Equal(slices.Collect(again.All()), s.want) {
			t.Fatalf("snapshot %d: DocumentsOf has others", i)
		}
	}
	if chunks := len(list.now.chunks); chunks > 2+8*len(want)/chunkSize {
		t.Errorf("%d chunks for %d documents", chunks, len(want))
	}
}
