package migrate

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"github.com/cosmos-pkgen/pkgen/internal/account"
)

// copyUnit copies a unit until a page of each of its parts has nothing new. While a page is
// written, the next one is read.
func (m *Migration) copyUnit(ctx context.Context, u *unit) error {
	var ahead <-chan read
	for i := 0; i < len(u.Parts); {
		if ahead == nil {
			ahead = m.ahead(ctx, u.Parts[i])
		}
		page := <-ahead
		if ahead = nil; page.err != nil {
			return page.err
		}
		if page.Idle {
			i++
			continue
		}
		parts := slices.Concat(u.Parts[:i], page.After, u.Parts[i+1:])
		if i < len(parts) {
			ahead = m.ahead(ctx, parts[i])
		}
		counts, err := m.page(ctx, page.Documents, !u.Copied)
		if err != nil {
			return err
		}
		u.Counts.add(counts)
		u.Parts = parts
		if err := m.states.save(ctx, u); err != nil {
			return err
		}
	}
	if !u.Copied {
		u.Copied = true
		if err := m.states.save(ctx, u); err != nil {
			return err
		}
	}
	return m.applyDeletions(ctx, u)
}

// read is a page, or an error.
type read struct {
	account.Changes
	err error
}

// ahead reads a page in the background.
func (m *Migration) ahead(ctx context.Context, p account.Part) <-chan read {
	page := make(chan read, 1)
	m.readers.Go(func() {
		changes, err := m.next(ctx, p)
		page <- read{changes, err}
	})
	return page
}

// next reads a page.
func (m *Migration) next(ctx context.Context, p account.Part) (account.Changes, error) {
	return m.account.Changes(ctx, m.from, p, m.pageSize())
}

// page writes the documents of a page to the destination. The feed has each of them once in a page.
func (m *Migration) page(ctx context.Context, raws []json.RawMessage, first bool) (Counts, error) {
	counts := Counts{Read: int64(len(raws))}
	second := m.account.Now().Unix()
	var documents []document
	var places []uint64
	var refused []string
	for _, raw := range raws {
		d, refusal := m.rekeyer.rekey(raw, second)
		switch {
		case refusal != nil && m.leaves(refusal):
		case refusal != nil:
			refused = append(refused, d.id)
		case d.expires > 0 && d.expires <= second:
			counts.Expired++
		default:
			documents = append(documents, d)
			places = append(places, d.place)
		}
	}
	if len(documents) > 0 {
		if err := m.list(ctx, places); err != nil {
			return counts, err
		}
	}
	err := m.each(ctx, documents, func(ctx context.Context, d document) error {
		var done settled
		var err error
		if first {
			done, err = m.create(ctx, d)
		} else {
			done, err = m.settle(ctx, d.id, d.key, d.source)
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		if no := (*refusedError)(nil); errors.As(err, &no) {
			refused = append(refused, d.id)
			err = nil
		}
		switch done {
		case written:
			counts.Written++
		case removed:
			counts.Removed++
		case unchanged:
		}
		m.told.Documents++
		return err
	})
	if counts.Refused = int64(len(refused)); err == nil {
		err = m.note(ctx, refused)
	}
	return counts, err
}

// each calls do with documents, limited by the number of workers in all units together. It returns
// the first error after all calls have ended.
func (m *Migration) each(ctx context.Context, documents []document, do func(context.Context, document) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var group sync.WaitGroup
	for _, d := range documents {
		select {
		case <-ctx.Done():
		case m.slots <- struct{}{}:
			group.Go(func() {
				defer func() { <-m.slots }()
				if err := do(ctx, d); err != nil {
					cancel(err)
				}
			})
			continue
		}
		break
	}
	group.Wait()
	return context.Cause(ctx)
}
