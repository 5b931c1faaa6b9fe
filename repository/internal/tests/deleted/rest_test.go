package deleted

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestDeletedAndUnknownProperties restores a document that was read while it was marked,
// and stores it: the time to live of the mark is not among its unknown properties.
func TestDeletedAndUnknownProperties(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	properties := kit.HashContainer("open-parcels", "/owner")
	properties.DefaultTimeToLive = new(int32)
	*properties.DefaultTimeToLive = -1
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, properties, repository.Configure(harness.Once()))
	open := fixtures.NewOpenParcelRepository(container).Documents
	key := fixtures.OpenParcelKey{ID: "1", Owner: "o"}
	kit.MustPass(t, open.Create(ctx, &fixtures.OpenParcel{ID: "1", Owner: "o", Rest: map[string]json.RawMessage{"color": json.RawMessage(`"red"`)}}), open.Delete(ctx, key))
	marked, err := repository.WithDeleted(open).Get(ctx, key)
	if kit.MustPass(t, err); marked.Gone.IsZero() || len(marked.Rest) != 1 || string(marked.Rest["color"]) != `"red"` {
		t.Errorf("got %+v", marked)
	}
	kit.MustPass(t, kit.ErrorOf(repository.Restore(ctx, open, key)), open.Replace(ctx, marked))
	server.Advance(2 * time.Minute)
	if now, err := open.Get(ctx, key); err != nil || !now.Gone.IsZero() || len(now.Rest) != 1 {
		t.Errorf("got %+v: %v", now, err)
	}
}
