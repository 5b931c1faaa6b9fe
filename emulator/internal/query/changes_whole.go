package query

import (
	"errors"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// position is the last change that a client knows in a part of the key space. The part begins
// where the previous one ends. It is independent of physical partitions, so that it stays
// valid after splits and merges: both keep the sequence numbers of documents, and give later
// writes higher ones.
type position struct {
	max   string
	after int64
}

// parsePositions reads the text of formatPositions. The parts form a circle: the part after
// the end of the key space is the one at its beginning.
func parsePositions(text string) ([]position, error) {
	var list []position
	end := -1
	for one := range strings.SplitSeq(text, ",") {
		bound, number, _ := strings.Cut(one, "#")
		after, err := strconv.ParseInt(number, 10, 64)
		if err != nil || after < 0 || bound == "" || strings.Trim(bound, "0123456789ABCDEF") != "" {
			return nil, errors.New("not a position")
		}
		if bound == store.MaxEPK {
			end = len(list)
		}
		list = append(list, position{bound, after})
	}
	inOrder := slices.IsSortedFunc(slices.Concat(list[end+1:], list[:end+1]), func(a, b position) int {
		if c := partition.CompareEPK(a.max, b.max); c != 0 {
			return c
		}
		return -1 // no two parts end at one place
	})
	if end < 0 || !inOrder {
		return nil, errors.New("not all of the key space")
	}
	return list, nil
}

// formatPositions writes positions as an etag without its quotes.
func formatPositions(list []position) string {
	parts := make([]string, len(list))
	for i, p := range list {
		parts[i] = p.max + "#" + strconv.FormatInt(p.after, 10)
	}
	return strings.Join(parts, ",")
}

// between returns the positions of a part of the key space.
func between(list []position, low, high string) []position {
	var parts []position
	for _, p := range list {
		if partition.CompareEPK(p.max, low) <= 0 {
			continue
		}
		if partition.CompareEPK(low, high) >= 0 {
			break
		}
		low = p.max
		if partition.CompareEPK(p.max, high) > 0 {
			p.max = high
		}
		parts = append(parts, p)
	}
	return parts
}

// after returns the sequence number of the last change that the client knows for a key.
func (p part) after(k *store.Key) int64 {
	i := 0
	if len(p.known) > 1 {
		i = sort.Search(len(p.known)-1, func(i int) bool { return partition.CompareEPK(k.EPK, p.known[i].max) < 0 })
	}
	return p.known[i].after
}

// least returns the sequence number up to which the client knows all changes of the physical
// partition.
func (p part) least() int64 {
	least := p.known[0].after
	for _, at := range p.known {
		least = min(least, at.after)
	}
	return least
}

// openAll opens the physical partitions of a feed over all that may have something new, in the
// order in which they are read. The partition after the last read one is the first, so that
// each gets its turn.
func (f *Changes) openAll(now time.Time) error {
	start := store.MinEPK
	f.positions = []position{{store.MaxEPK, f.feed.after}}
	if list := f.feed.positions; list != nil {
		end := slices.IndexFunc(list, func(p position) bool { return p.max == store.MaxEPK }) + 1
		if end < len(list) {
			start = list[len(list)-1].max
		}
		f.positions = slices.Concat(list[end:], list[:end])
	}
	if f.feed.now {
		f.positions = nil
		for _, r := range f.container.Ranges {
			f.positions = append(f.positions, position{r.Max, r.LSN})
		}
	}
	at := max(0, f.container.RangeIndex(start))
	var first *store.Range
	for _, r := range slices.Concat(f.container.Ranges[at:], f.container.Ranges[:at]) {
		if !f.scope.touches(r) {
			continue
		}
		if first == nil {
			first = r
		}
		p := part{known: between(f.positions, r.Min, r.Max)}
		if p.least() >= r.LSN {
			continue
		}
		p, err := f.open(r, p.known, now)
		if err != nil {
			return err
		}
		f.others = append(f.others, p)
	}
	if len(f.others) == 0 {
		var err error
		f.read, err = f.open(first, between(f.positions, first.Min, first.Max), now)
		return err
	}
	f.read, f.others = f.others[0], f.others[1:]
	return nil
}

// Choose finds the first physical partition with something new, in a feed over several. It
// reports whether it chose another one than before.
func (f *Changes) Choose() bool {
	if len(f.others) == 0 || f.isNew(f.read) {
		return false
	}
	for _, p := range f.others {
		if f.isNew(p) {
			f.read = p
			return true
		}
	}
	return false
}

// isNew reports whether a physical partition has a change that the client does not know.
func (f *Changes) isNew(p part) bool {
	if f.feed.all {
		return slices.ContainsFunc(p.kept, func(v store.Version) bool { return f.shows(p, v) })
	}
	for d := range p.source.docs.after(0) {
		if f.brings(p, d) {
			return true
		}
	}
	return false
}

// advanced returns the positions of a client that has read the physical partition up to a
// sequence number. They begin with the part to read next.
func (f *Changes) advanced(last int64) []position {
	read := f.read.source.part
	var list []position
	for _, p := range f.read.known {
		p.after = max(p.after, last)
		if n := len(list); n > 0 && list[n-1].after == p.after {
			list[n-1].max = p.max
			continue
		}
		list = append(list, p)
	}
	return slices.Concat(between(f.positions, read.Max, store.MaxEPK), between(f.positions, store.MinEPK, read.Min), list)
}
