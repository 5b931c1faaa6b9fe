package migrate

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/cosmos-pkgen/pkgen/internal/account"
)

// mostListed is the maximum number of ledger places held in memory to look up deletions: some 200
// MB. With more, only the comparison removes deleted documents.
const mostListed = 5_000_000

// beginDeletions starts the feed of all versions and deletions of a part of the source, from now.
// It returns nil if the account has no such feed.
func (m *Migration) beginDeletions(ctx context.Context, p account.Part) ([]account.Part, error) {
	var begun []account.Part
	for parts := []account.Part{{Min: p.Min, Max: p.Max}}; len(parts) > 0; {
		page, err := m.account.Versions(ctx, m.from, parts[0], 1)
		if account.Is(err, http.StatusBadRequest) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		parts = parts[1:]
		for _, after := range page.After {
			if after.ETag == "" { // one of several parts
				parts = append(parts, after)
			} else {
				begun = append(begun, after)
			}
		}
	}
	return begun, nil
}

// applyDeletions removes documents from the destination that were deleted in a unit. If the account
// no longer keeps the changes, the feed restarts, and the comparison finds the deletions in
// between.
func (m *Migration) applyDeletions(ctx context.Context, u *unit) error {
	for i := 0; i < len(u.Deletions); {
		page, err := m.account.Versions(ctx, m.from, u.Deletions[i], m.pageSize())
		switch {
		case account.Is(err, http.StatusBadRequest):
			page.After, err = m.beginDeletions(ctx, u.Deletions[i])
			page.Idle = true
		case err == nil && page.Idle:
			i++
			continue
		}
		if err == nil {
			err = m.remove(ctx, u, page.Documents)
		}
		if err != nil {
			return err
		}
		rest := u.Deletions[i+1:]
		u.Deletions = append(append(append([]account.Part{}, u.Deletions[:i]...), page.After...), rest...)
		if page.Idle {
			i += len(page.After)
		}
		if err := m.states.save(ctx, u); err != nil {
			return err
		}
	}
	return nil
}

// deletion is a change in the feed of all versions and deletions.
type deletion struct {
	Metadata struct {
		OperationType string `json:"operationType"`
		ID            string `json:"id"`
	} `json:"metadata"`
}

// atATime is the number of ids per query.
const atATime = 100

// remove removes documents from the destination that changes have deleted, if a run has written
// them.
func (m *Migration) remove(ctx context.Context, u *unit, changes []json.RawMessage) error {
	var ids []string
	for _, raw := range changes {
		var d deletion
		if err := json.Unmarshal(raw, &d); err == nil && d.Metadata.OperationType == "delete" && d.Metadata.ID != "" {
			ids = append(ids, d.Metadata.ID)
		}
	}
	for len(ids) > 0 {
		n := min(len(ids), atATime)
		var found []document
		err := m.account.Query(ctx, m.to, "SELECT * FROM c WHERE ARRAY_CONTAINS(@ids, c.id)", map[string]any{"@ids": ids[:n]}, func(row json.RawMessage) {
			if d, ok := m.rekeyer.stored(row); ok {
				found = append(found, d)
			}
		})
		if err != nil {
			return err
		}
		ids = ids[n:]
		for _, d := range found {
			ours, err := m.isListed(ctx, d.place)
			if err != nil {
				return err
			}
			if !ours {
				continue
			}
			done, err := m.removeExtra(ctx, d)
			if err != nil {
				return err
			}
			if done == removed {
				u.Counts.Removed++
			}
		}
	}
	return nil
}

// isListed reports whether a place is in the ledger, which is read once.
func (m *Migration) isListed(ctx context.Context, place uint64) (bool, error) {
	m.ledger.Lock()
	defer m.ledger.Unlock()
	if m.listed == nil {
		listed := map[uint64]struct{}{}
		err := m.states.listed(ctx, func(place uint64) {
			if len(listed) < mostListed {
				listed[place] = struct{}{}
			}
		})
		if err != nil {
			return false, err
		}
		m.listed = listed
	}
	_, ours := m.listed[place]
	return ours, nil
}

// list adds places to the ledger.
func (m *Migration) list(ctx context.Context, places []uint64) error {
	if err := m.states.list(ctx, m.run, m.lists.Add(1), places); err != nil {
		return err
	}
	m.ledger.Lock()
	defer m.ledger.Unlock()
	for _, place := range places {
		if m.listed != nil && len(m.listed) < mostListed {
			m.listed[place] = struct{}{}
		}
	}
	return nil
}
