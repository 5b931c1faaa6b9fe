package migrate

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/parallel"
)

// Verdict is what a comparison of both sides found.
type Verdict struct {
	Source      int64  `json:"source"`      // documents that were compared
	Destination int64  `json:"destination"` // documents that were compared
	Checksum    string `json:"checksum"`    // of the source, in any order
	Equal       bool   `json:"equal"`
	Written     int64  `json:"written"` // documents that the destination lacked, or had otherwise
	Removed     int64  `json:"removed"` // documents that the source no longer had
	// Others is how many documents the destination has that no run has put there, and
	// OtherIDs are a few of their ids. They stay.
	Others   int64    `json:"others"`
	OtherIDs []string `json:"otherIds"`
	// Differ is how many documents differ still.
	Differ int64 `json:"differ"`
	// Refused are documents of the source that have no place in the destination.
	Refused []Refusal `json:"refused"`
}

// buckets is how many sums are compared. A document's bucket is by its key and id in the
// destination: both sides know these, also where the key of the source is lost.
const buckets = 1 << 14

// passes is how often both sides are compared at most: after each comparison what
// differs is mended.
const passes = 4

// nearExpiry is how long a document must have to live, in seconds, to be compared: less
// than that, and it may expire while both sides are read. slack is by how many seconds
// the two copies may expire apart.
const (
	nearExpiry = 3600
	slack      = 120
)

// sums are the number and the checksum of the documents of each bucket.
type sums struct {
	n   [buckets]int64
	sum [buckets][2]uint64
}

func (s *sums) add(d document) {
	i := d.place % buckets
	s.n[i]++
	for j := range d.sum {
		s.sum[i][j] += d.sum[j]
	}
}

// total returns the number of documents, and the checksum of all.
func (s *sums) total() (n int64, checksum string) {
	var sum [2]uint64
	for i := range s.n {
		n += s.n[i]
		for j := range sum {
			sum[j] += s.sum[i][j]
		}
	}
	return n, fmt.Sprintf("%016x%016x", sum[0], sum[1])
}

// Compare compares both sides, and mends what differs: it writes documents that the
// destination lacks or has otherwise, and removes documents that the source no longer
// has, if a run has put them there. Unless the source is written meanwhile, both sides
// are equal afterwards, or the verdict says why not.
//
// Each comparison reads both containers as a whole. Its memory does not depend on how
// many documents there are.
func (m *Migration) Compare(ctx context.Context) (v *Verdict, err error) {
	err = m.attend(ctx, func(ctx context.Context, _ *share) error {
		v, _, err = m.compare(ctx)
		return err
	})
	return v, err
}

// compare is Compare of a run that others see. It also returns how the feed of the
// destination goes on after what was compared.
func (m *Migration) compare(ctx context.Context) (*Verdict, []account.Part, error) {
	v := &Verdict{OtherIDs: []string{}, Refused: []Refusal{}}
	met := map[string]struct{}{}
	for pass := 1; ; pass++ {
		c := &comparison{m: m, met: met, horizon: m.account.Now().Unix() + nearExpiry}
		from, to := new(sums), new(sums)
		c.refused = nil
		after, err := c.both(ctx, func(d document) { from.add(d) }, func(d document) { to.add(d) })
		if err != nil {
			return nil, nil, err
		}
		if err := m.checkContainers(ctx); err != nil {
			return nil, nil, err
		}
		v.Refused = append([]Refusal{}, c.refused...)
		v.Source, v.Checksum = from.total()
		v.Destination, _ = to.total()
		var differ []int
		for i := range buckets {
			if from.n[i] != to.n[i] || from.sum[i] != to.sum[i] {
				differ = append(differ, i)
			}
		}
		v.Differ, v.Others, v.OtherIDs = 0, 0, []string{}
		mended := false
		if len(differ) > 0 {
			if mended, err = c.mend(ctx, v, differ, from, to, pass < passes); err != nil {
				return nil, nil, err
			}
		}
		if !mended {
			v.Equal = v.Differ == 0 && v.Others == 0 && len(v.Refused) == 0
			return v, after, m.note(ctx, slices.Collect(maps.Keys(met)))
		}
	}
}

// comparison is one reading of both sides.
type comparison struct {
	m       *Migration
	horizon int64 // documents that expire before this second are left out

	mu      sync.Mutex
	refused []Refusal
	met     map[string]struct{} // ids of documents that the copy could not refuse; few
}

// both gives the documents of both sides, as the destination has them. The functions are
// not called at the same time. It returns how the feed of the destination goes on.
func (c *comparison) both(ctx context.Context, from, to func(document)) ([]account.Part, error) {
	second := c.m.account.Now().Unix()
	_, err := c.m.scan(ctx, c.m.from, func(raw json.RawMessage) {
		d, refusal := c.m.rekeyer.summed(raw, second)
		c.mu.Lock()
		defer c.mu.Unlock()
		switch {
		case refusal != nil && c.m.leaves(refusal):
		case refusal != nil:
			c.refused = addRefusal(c.refused, *refusal)
		case d.expires == 0 || d.expires >= c.horizon:
			from(d)
		}
	})
	if err != nil {
		return nil, err
	}
	return c.m.scan(ctx, c.m.to, func(raw json.RawMessage) {
		d, _ := c.m.rekeyer.stored(raw) // the service stores objects alone
		c.mu.Lock()
		defer c.mu.Unlock()
		if d.expires == 0 || d.expires >= c.horizon {
			to(d)
		}
	})
}

// scan gives all documents of a container, several at the same time. If the container is
// written meanwhile, it gives some documents again, in a later version. It returns how
// the feed goes on.
func (m *Migration) scan(ctx context.Context, c *account.Container, take func(json.RawMessage)) (after []account.Part, err error) {
	ranges, err := m.account.Ranges(ctx, c)
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex // of after
	err = parallel.Each(ctx, len(ranges), m.Workers, func(ctx context.Context, i int) error {
		parts := []account.Part{{Min: ranges[i].Min, Max: ranges[i].Max}}
		for len(parts) > 0 {
			page, err := m.account.Changes(ctx, c, parts[0], m.pageSize())
			if err != nil {
				return err
			}
			for _, d := range page.Documents {
				take(d)
			}
			if parts = parts[1:]; !page.Idle {
				parts = append(page.After, parts...)
				continue
			}
			mu.Lock()
			after = append(after, page.After...)
			mu.Unlock()
		}
		return nil
	})
	if ended := context.Cause(ctx); ended != nil { // which says more than that requests were cancelled
		err = ended
	}
	return after, err
}
