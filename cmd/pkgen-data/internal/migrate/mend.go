package migrate

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync/atomic"

	"github.com/cosmos-pkgen/pkgen/internal/account"
)

// atOnce is the number of documents of differing buckets held in memory: some 50 MB.
const atOnce = 200_000

// entry is the state of one place on both sides.
type entry struct {
	document        // of the source, or of the destination if the source has none
	from, to  bool  // the source and the destination have a document
	collides  bool  // several documents of the source have the place
	otherwise bool  // the sides have different documents
	expires   int64 // the last second in which one of them expires, or 0
}

// mend makes the documents of some buckets equal, as far as it may. It reports whether it has
// changed anything, so that another comparison is needed.
func (c *comparison) mend(ctx context.Context, v *Verdict, differ []int, from, to *sums, write bool) (mended bool, err error) {
	for len(differ) > 0 {
		chosen := map[uint64]bool{}
		var n int64
		for len(differ) > 0 && (n == 0 || n+from.n[differ[0]]+to.n[differ[0]] <= atOnce) {
			i := differ[0]
			n += from.n[i] + to.n[i]
			chosen[uint64(i)] = true
			differ = differ[1:]
		}
		entries, err := c.entries(ctx, chosen)
		if err != nil {
			return mended, err
		}
		changed, err := c.mendSome(ctx, v, entries, write)
		if mended = mended || changed; err != nil {
			return mended, err
		}
	}
	return mended, nil
}

// entries reads both sides of some buckets.
func (c *comparison) entries(ctx context.Context, chosen map[uint64]bool) (map[uint64]*entry, error) {
	all := map[uint64]*entry{}
	at := func(d document) *entry {
		d.body = nil
		e := all[d.place]
		if e == nil {
			e = &entry{document: d}
			all[d.place] = e
		}
		e.expires = max(e.expires, d.expires)
		return e
	}
	c.refused = nil
	_, err := c.both(ctx, func(d document) {
		if !chosen[d.place%buckets] {
			return
		}
		e := at(d)
		e.collides = e.collides || e.from && e.source != d.source
		e.from, e.sum = true, d.sum
	}, func(d document) {
		if !chosen[d.place%buckets] {
			return
		}
		e := at(d)
		e.otherwise = e.from && e.sum != d.sum
		e.to = true
	})
	return all, err
}

// mendSome makes documents equal. Without write, it only counts differences.
func (c *comparison) mendSome(ctx context.Context, v *Verdict, entries map[uint64]*entry, write bool) (changed bool, err error) {
	var missing []document
	extra := map[uint64]*entry{}
	for place, e := range entries {
		soon := e.expires > 0 && e.expires < c.horizon+slack // only one copy was counted
		switch {
		case e.collides:
			v.Differ++
			v.Refused = addRefusal(v.Refused, collisionOf(e.document))
			c.met[e.id] = struct{}{}
		case e.from && (!e.to && !soon || e.otherwise):
			missing = append(missing, e.document)
		case e.to && !e.from && !soon:
			extra[place] = e
		}
	}
	ours, err := c.ours(ctx, v, extra)
	if err != nil {
		return false, err
	}
	if !write {
		v.Differ += int64(len(missing) + len(ours))
		return false, nil
	}
	places := make([]uint64, len(missing))
	for i, d := range missing {
		places[i] = d.place
	}
	for len(places) > 0 {
		n := min(len(places), 1000)
		if err := c.m.list(ctx, places[:n]); err != nil {
			return false, err
		}
		places = places[n:]
	}
	var wrote, gone atomic.Int64
	err = c.m.each(ctx, missing, func(ctx context.Context, d document) error {
		done, err := c.m.settle(ctx, d.id, d.key, d.source)
		if refused := (*refusedError)(nil); errors.As(err, &refused) {
			c.mu.Lock()
			defer c.mu.Unlock()
			v.Refused = addRefusal(v.Refused, refused.Refusal)
			c.met[d.id] = struct{}{}
			return nil
		}
		if done != unchanged {
			wrote.Add(1)
		}
		return err
	})
	if err == nil {
		err = c.m.each(ctx, ours, func(ctx context.Context, d document) error {
			done, err := c.m.removeExtra(ctx, d)
			if done == removed {
				gone.Add(1)
			}
			return err
		})
	}
	v.Written += wrote.Load()
	v.Removed += gone.Load()
	if wrote.Load()+gone.Load() == 0 { // another comparison would find the same
		v.Differ += int64(len(missing) + len(ours))
		return false, err
	}
	return true, err
}

// ours returns the documents that the source lacks and the ledger lists. It counts the others.
func (c *comparison) ours(ctx context.Context, v *Verdict, extra map[uint64]*entry) ([]document, error) {
	if len(extra) == 0 {
		return nil, nil
	}
	var ours []document
	err := c.m.states.listed(ctx, func(place uint64) {
		if e := extra[place]; e != nil {
			ours = append(ours, e.document)
			delete(extra, place)
		}
	})
	for _, e := range extra {
		v.Others++
		if len(v.OtherIDs) < mostIDs {
			v.OtherIDs = append(v.OtherIDs, e.id)
		}
	}
	return ours, err
}

// removeExtra removes a document of the destination that the source lacks. Its key in the source
// may be lost, so it queries the source by id, after it has read the destination.
func (m *Migration) removeExtra(ctx context.Context, d document) (settled, error) {
	have, etag, err := m.read(ctx, m.to, d.id, d.key)
	if err != nil || have == nil {
		return unchanged, err
	}
	still := false
	err = m.account.Query(ctx, m.from, "SELECT * FROM c WHERE c.id = @id", map[string]any{"@id": d.id}, func(row json.RawMessage) {
		still = still || m.wanted(row, d.key) != nil
	})
	if err != nil || still {
		return unchanged, err
	}
	err = m.account.DeleteItem(m.writing(ctx), m.to, d.id, d.key, etag)
	if account.Is(err, http.StatusPreconditionFailed) || account.Absent(err) {
		return unchanged, nil // the next comparison checks again
	}
	return removed, err
}

// drain follows the feed of all units to its end, including units of other runs.
func (m *Migration) drain(ctx context.Context) error {
	var p progress
	if _, err := m.states.load(ctx, m.states.name, &p); err != nil {
		return err
	}
	for i := range p.Units {
		var u unit
		if etag, err := m.states.load(ctx, m.states.unitID(i), &u); err != nil || etag == "" {
			return errors.Join(err, errors.New("the units of the migration cannot be read: run the command again"))
		}
		for parts := u.Parts; len(parts) > 0; {
			page, err := m.next(ctx, parts[0])
			if err != nil {
				return err
			}
			if _, err := m.page(ctx, page.Documents, !u.Copied); err != nil {
				return err
			}
			if parts = parts[1:]; !page.Idle {
				parts = append(page.After, parts...)
			}
		}
	}
	return nil
}
