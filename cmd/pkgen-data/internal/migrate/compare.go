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

// buckets is the number of sums that are compared. A document's bucket depends on its key and id in
// the destination, which both sides know, even if the key of the source is lost.
const buckets = 1 << 14

// passes is the maximum number of comparisons; differences are mended after each.
const passes = 4

// nearExpiry is the minimum remaining time to live, in seconds, of a compared document: others may
// expire while both sides are read. slack is the maximum difference, in seconds, between the expiry
// of the two copies.
const (
	nearExpiry = 3600
	slack      = 120
)

// sums are the numbers and checksums of the documents of each bucket.
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

// Compare compares both sides, and mends differences: it writes documents that the destination
// lacks or has in another version, and removes documents that the source no longer has, if a run
// has written them. Unless the source is written meanwhile, both sides are equal afterwards, or the
// verdict has the reasons.
//
// Each comparison reads both containers completely. Its memory does not depend on the number of
// documents.
func (m *Migration) Compare(ctx context.Context) (v *Verdict, err error) {
	err = m.attend(ctx, func(ctx context.Context, _ *share) error {
		v, _, err = m.compare(ctx)
		return err
	})
	return v, err
}

// compare is Compare within a registered run. It also returns the positions of the destination's
// feed after the comparison.
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

// comparison is one pass over both sides.
type comparison struct {
	m       *Migration
	horizon int64 // documents that expire before this second are skipped

	mu      sync.Mutex
	refused []Refusal
	met     map[string]struct{} // ids of documents that the copy could not refuse; few
}

// both passes the documents of both sides, in their form in the destination. The functions are
// never called concurrently. It returns the positions of the destination's feed.
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
		d, _ := c.m.rekeyer.stored(raw) // the service stores only objects
		c.mu.Lock()
		defer c.mu.Unlock()
		if d.expires == 0 || d.expires >= c.horizon {
			to(d)
		}
	})
}

// scan passes all documents of a container to take, several concurrently. If the container is
// written meanwhile, some documents come again, in a later version. It returns the positions of the
// feed.
func (m *Migration) scan(ctx context.Context, c *account.Container, take func(json.RawMessage)) (after []account.Part, err error) {
	ranges, err := m.account.Ranges(ctx, c)
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex // guards after
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
	if ended := context.Cause(ctx); ended != nil { // it is more specific than cancelled requests
		err = ended
	}
	return after, err
}
