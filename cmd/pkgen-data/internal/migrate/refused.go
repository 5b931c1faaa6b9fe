package migrate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// refusedPage is a state document with ids of documents that had no place in the destination.
type refusedPage struct {
	ID  string   `json:"id"`
	IDs []string `json:"ids"`
}

// refusedPrefix returns the beginning of these documents' ids.
func (s *states) refusedPrefix() string { return s.name + ".refused." }

// note stores ids of documents without a place, before the position is saved after which the feed
// does not repeat them.
func (m *Migration) note(ctx context.Context, ids []string) error {
	for some := range slices.Chunk(ids, atATime) {
		id := fmt.Sprintf("%s%s.%d", m.states.refusedPrefix(), m.run, m.notes.Add(1))
		if _, err := m.states.create(ctx, id, refusedPage{id, some}); err != nil && !errors.Is(err, errTaken) { // its answer was lost
			return err
		}
	}
	return nil
}

// recheck checks again all documents that had no place in this run or an earlier one. Documents
// with a place now are copied and forgotten: the feed may not repeat them, if another document was
// in the way.
func (m *Migration) recheck(ctx context.Context) error {
	var pages []string
	err := m.account.Query(ctx, m.State, "SELECT c.id FROM c WHERE STARTSWITH(c.id, @prefix)", map[string]any{"@prefix": m.states.refusedPrefix()}, func(row json.RawMessage) {
		var page refusedPage
		if json.Unmarshal(row, &page) == nil {
			pages = append(pages, page.ID)
		}
	})
	if err != nil {
		return err
	}
	var all []Refusal
	kept := map[string]struct{}{} // ids in pages that were read before
	for _, id := range pages {
		var page refusedPage
		etag, err := m.states.load(ctx, id, &page)
		if err != nil {
			return err
		}
		still := slices.DeleteFunc(slices.Clone(page.IDs), func(id string) bool { _, known := kept[id]; return known })
		if still, all, err = m.recheckSome(ctx, still, all); err != nil {
			return err
		}
		for _, id := range still {
			kept[id] = struct{}{}
		}
		switch {
		case etag == "" || len(still) == len(page.IDs):
			continue
		case len(still) == 0:
			err = m.states.remove(ctx, id, etag)
		default:
			_, err = m.states.replace(ctx, id, refusedPage{id, still}, etag)
		}
		if err != nil && !errors.Is(err, errTaken) { // another run does the same
			return err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refusals = all
	return nil
}

// recheckSome checks again the documents with some ids, and copies those that have a place now. It
// returns the ids of the others, and adds their refusals.
func (m *Migration) recheckSome(ctx context.Context, ids []string, all []Refusal) ([]string, []Refusal, error) {
	if len(ids) == 0 {
		return nil, all, nil
	}
	refused := map[string]bool{}
	refuse := func(id string, r Refusal) {
		m.mu.Lock()
		defer m.mu.Unlock()
		refused[id], all = true, addRefusal(all, r)
	}
	second := m.account.Now().Unix()
	type copyOf struct{ id, source string }
	seen, at := map[copyOf]bool{}, map[uint64][]document{}
	err := m.account.Query(ctx, m.from, "SELECT * FROM c WHERE ARRAY_CONTAINS(@ids, c.id)", map[string]any{"@ids": ids}, func(row json.RawMessage) {
		d, refusal := m.rekeyer.rekey(row, second)
		switch it := (copyOf{d.id, d.source}); {
		case seen[it]: // repeated after a split
		case refusal == nil:
			d.body = nil
			seen[it], at[d.place] = true, append(at[d.place], d)
		case !m.leaves(refusal):
			seen[it] = true
			refuse(d.id, *refusal)
		}
	})
	if err != nil {
		return nil, all, err
	}
	var free []document
	var places []uint64
	for place, documents := range at {
		if len(documents) == 1 {
			free, places = append(free, documents[0]), append(places, place)
			continue
		}
		for _, d := range documents[1:] {
			refuse(d.id, collisionOf(d))
		}
	}
	if len(free) > 0 {
		err = m.list(ctx, places)
	}
	if err == nil {
		err = m.each(ctx, free, func(ctx context.Context, d document) error {
			_, err := m.settle(ctx, d.id, d.key, d.source)
			if no := (*refusedError)(nil); errors.As(err, &no) {
				refuse(d.id, no.Refusal)
				err = nil
			}
			return err
		})
	}
	return slices.DeleteFunc(ids, func(id string) bool { return !refused[id] }), all, err
}
