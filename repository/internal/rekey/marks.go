package rekey

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/internal/marks"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// clearing removes a mark or a void copy.
func (r *Rekey) clearing(raw []byte) (*write.BulkItem, error) {
	places, item, index, err := r.at(raw)
	if err != nil || index < 0 {
		return nil, err
	}
	mark, err := store.MarkOf(raw)
	if err != nil {
		return nil, err
	}
	var written int64
	if err := json.Unmarshal(text.ValueAt(raw, []string{"_ts"}), &written); err != nil {
		return nil, err
	}
	isMark := mark.State == marks.Moved || mark.State == marks.Removed
	goes := time.Unix(written, 0).Add(store.Grace).UTC()
	item.Send = func(ctx context.Context, _ bool) (azcore.ETag, error) {
		if isMark && r.clock.before(goes) {
			r.remains(goes)
			return "", nil
		}
		removed, now, err := places.Tidy(ctx, Op, places.All[index])
		r.clock.note(now)
		switch {
		case removed:
			r.mu.Lock()
			defer r.mu.Unlock()
			r.summary.Removed++
		case isMark:
			r.remains(goes)
		}
		return "", err
	}
	return item, nil
}

// remains counts a mark that may go later.
func (r *Rekey) remains(goes time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.summary.Marks++
	if r.summary.NextAt.IsZero() || goes.Before(r.summary.NextAt) {
		r.summary.NextAt = goes
	}
}

// serviceClock is the service's clock, as the last answer that had a time showed it. It
// saves the request that would find out that a mark is young: if it is wrong, a mark
// remains until the next Rekey.
type serviceClock struct {
	mu   sync.Mutex
	now  time.Time // zero if nobody knows
	seen time.Time
}

// note notes the time of an answer.
func (c *serviceClock) note(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !now.IsZero() {
		c.now, c.seen = now, time.Now()
	}
}

// before reports whether it is known to be before a time.
func (c *serviceClock) before(t time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.now.IsZero() && c.now.Add(time.Since(c.seen)).Add(store.Margin).Before(t)
}
