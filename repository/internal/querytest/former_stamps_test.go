package querytest

import (
	"context"
	"errors"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// counted is a document with stamps whose name had another name.
type counted struct {
	ID      string          `json:"id"`
	Key     string          `json:"key"`
	Name    string          `json:"name"`
	Changed repository.Time `json:"changed"`
	N       int             `json:"n"`
}

var countedModel = generated.Model[counted, personKey]{
	Type: "counted", Path: "/key",
	Key:    func(c *counted) personKey { return personKey{c.ID, c.Key} },
	ID:     func(k personKey) string { return k.ID },
	Text:   func(k personKey) string { return k.Key },
	Former: []generated.Former{{Property: "name", Names: []string{"fullName"}}},
	Stamps: &generated.Stamps[counted]{Updated: "changed", Version: "n", Set: func(c *counted, at generated.Stamp) {
		c.Changed, c.N = repository.NewTime(at.Updated), int(at.Version)
	}},
}

// TestPatchOfFormerNamesIsRepeated loses the answer to a patch of a property that has a
// former name. The repeated patch finds out that the first one took effect.
func TestPatchOfFormerNamesIsRepeated(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	server, container := harness.NewContainer(t, emulator.Options{}, harness.Properties("all", "/key"), repository.Configure(nil))
	all := repository.New(container, &countedModel)
	name := repository.PatchValue[counted, string]("<fullName/name")
	for what, patch := range map[string]repository.PatchOperation[counted]{"set": name.Set("new"), "removed": name.Remove()} {
		put(t, container, `{"id":"`+what+`","key":"k","fullName":"old","n":4}`)
		server.Inject(emulator.Fault{Operation: emulator.OpPatchItem, Drop: true, After: true})
		err := all.Patch(ctx, personKey{what, "k"}, patch)
		server.ClearFaults()
		got, readErr := all.Get(ctx, personKey{what, "k"})
		if readErr != nil || got.N != 5 || got.Name == "old" {
			t.Fatalf("%s: %+v, %v", what, got, readErr)
		}
		if err != nil {
			t.Errorf("%s: %v, precondition %v", what, err, errors.Is(err, repository.ErrPreconditionFailed))
		}
	}
}
