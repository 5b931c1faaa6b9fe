package gremlin

import (
	"context"
	"errors"
	"testing"

	"github.com/cosmos-pkgen/pkgen/partition"
)

// TestEdgesHavePrefixes refuses ids that do not begin as those of the type, before
// anything is sent.
func TestEdgesHavePrefixes(t *testing.T) {
	model := EdgeModel[Thing]{Type: "E", ID: func(d *Thing) string { return d.ID }, Prefix: "e-"}
	for id, right := range map[string]bool{"e-1": true, "e-": false, "1": false, "": false, "E-1": false, "e-a/b": false} {
		var keyError *partition.KeyError
		if err := model.check(id); (err == nil) != right || !right && !errors.As(err, &keyError) {
			t.Errorf("%q: %v", id, err)
		}
	}
	var none *Client // which sends nothing
	edges := NewEdges(none, "E", &model, &thingModel, &thingModel)
	from := thingKey{Key: "k", ID: "1"}
	_, getErr := edges.Get(context.Background(), from, "1")
	for what, err := range map[string]error{
		"create": edges.Create(context.Background(), from, from, &Thing{ID: "1", Key: "k"}),
		"get":    getErr,
		"delete": edges.Delete(context.Background(), from, "1"),
	} {
		var keyError *partition.KeyError
		if !errors.As(err, &keyError) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
