package repository_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// A sack is a parcel that keeps the properties which it does not know.
type sack struct {
	ID    string                     `json:"id"`
	Owner string                     `json:"owner"`
	Gone  repository.Time            `json:"gone,omitzero"`
	Rest  map[string]json.RawMessage `json:"-"`
}

// TestDeletedAndUnknownProperties restores a document that was read while it was marked,
// and stores it: the time to live of the mark is not among its unknown properties.
func TestDeletedAndUnknownProperties(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	properties := hashContainer("sacks", "/owner")
	properties.DefaultTimeToLive = new(int32)
	*properties.DefaultTimeToLive = -1
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, properties, repository.Configure(harness.Once()))
	sacks := repository.New(container, &generated.Model[sack, parcelKey]{
		Type: "sack", Path: "/owner",
		Key:     func(b *sack) parcelKey { return parcelKey{b.ID, b.Owner} },
		ID:      func(k parcelKey) string { return k.ID },
		Text:    func(k parcelKey) string { return k.Owner },
		Rest:    func(b *sack) *map[string]json.RawMessage { return &b.Rest },
		Known:   []string{"id", "owner", "gone"},
		Deleted: &generated.Deleted[sack]{Property: "gone", Seconds: 60, Clear: func(b *sack) { b.Gone = repository.Time{} }},
	})
	key := parcelKey{"1", "o"}
	mustPass(t, sacks.Create(ctx, &sack{ID: "1", Owner: "o", Rest: map[string]json.RawMessage{"color": json.RawMessage(`"red"`)}}), sacks.Delete(ctx, key))
	marked, err := repository.WithDeleted(sacks).Get(ctx, key)
	if mustPass(t, err); marked.Gone.IsZero() || len(marked.Rest) != 1 || string(marked.Rest["color"]) != `"red"` {
		t.Errorf("got %+v", marked)
	}
	mustPass(t, repository.Restore(ctx, sacks, key), sacks.Replace(ctx, marked))
	server.Advance(2 * time.Minute)
	if now, err := sacks.Get(ctx, key); err != nil || !now.Gone.IsZero() || len(now.Rest) != 1 {
		t.Errorf("got %+v: %v", now, err)
	}
}
