package rekey

import (
	"context"
	"encoding/json"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

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
	item.Send = func(ctx context.Context, _ bool) (azcore.ETag, error) {
		removed, err := places.Tidy(ctx, Op, places.All[index])
		r.mu.Lock()
		defer r.mu.Unlock()
		switch {
		case removed:
			r.summary.Removed++
		case mark.State == store.Moved || mark.State == store.Removed:
			r.summary.Marks++
			at := time.Unix(written, 0).Add(store.Grace).UTC()
			if r.summary.NextAt.IsZero() || at.Before(r.summary.NextAt) {
				r.summary.NextAt = at
			}
		}
		return "", err
	}
	return item, nil
}
