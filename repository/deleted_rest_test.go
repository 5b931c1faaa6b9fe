package repository_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// A bag is a parcel that keeps the properties which it does not know.
type bag struct {
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
	properties := hashContainer("bags", "/owner")
	properties.DefaultTimeToLive = new(int32)
	*properties.DefaultTimeToLive = -1
	server, container := newContainer(t, properties, impatientOnce())
	bags := repository.New(container, &generated.Model[bag, parcelKey]{
		Type: "bag", Path: "/owner",
		Key:     func(b *bag) parcelKey { return parcelKey{b.ID, b.Owner} },
		ID:      func(k parcelKey) string { return k.ID },
		Text:    func(k parcelKey) string { return k.Owner },
		Rest:    func(b *bag) *map[string]json.RawMessage { return &b.Rest },
		Known:   []string{"id", "owner", "gone"},
		Deleted: &generated.Deleted[bag]{Property: "gone", Seconds: 60, Clear: func(b *bag) { b.Gone = repository.Time{} }},
	})
	key := parcelKey{"1", "o"}
	mustPass(t, bags.Create(ctx, &bag{ID: "1", Owner: "o", Rest: map[string]json.RawMessage{"color": json.RawMessage(`"red"`)}}), bags.Delete(ctx, key))
	marked, err := repository.WithDeleted(bags).Get(ctx, key)
	if mustPass(t, err); marked.Gone.IsZero() || len(marked.Rest) != 1 || string(marked.Rest["color"]) != `"red"` {
		t.Errorf("got %+v", marked)
	}
	mustPass(t, repository.Restore(ctx, bags, key), bags.Replace(ctx, marked))
	server.Advance(2 * time.Minute)
	if now, err := bags.Get(ctx, key); err != nil || !now.Gone.IsZero() || len(now.Rest) != 1 {
		t.Errorf("got %+v: %v", now, err)
	}
}
