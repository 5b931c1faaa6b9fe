package writes

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestUndecodable asks for the name of a document that does not decode, however
// it is read: in a page, in an order, by its key.
func TestUndecodable(t *testing.T) {
	c := kit.NewThings(t, emulator.Options{Partitions: 2}, repository.Configure(nil), true)
	ctx := context.Background()
	all := c.Fill(t, rand.New(rand.NewPCG(1, 1)), 5)
	broken := errors.New("broken")
	things := repository.New(c.Server.Container("things", repository.Configure(nil)), &kit.LeveledThingModel, repository.WithUnmarshal(func(data []byte, v any) error {
		if strings.Contains(string(data), all[2].ID) {
			return broken
		}
		return v.(*kit.Thing).UnmarshalJSON(data)
	}))
	for name, read := range map[string]func() error{
		"page": func() error {
			_, err := things.Scan().Collect(ctx)
			return err
		},
		"order": func() error {
			_, err := things.Scan().OrderBy(documents.String[kit.Thing, string]("/id").Desc()).Collect(ctx)
			return err
		},
		"get": func() error {
			_, err := things.Get(ctx, kit.ThingKey{ID: all[2].ID, Base: all[2].Base})
			return err
		},
	} {
		err := read()
		var own *repository.Error
		if !errors.Is(err, broken) || !errors.As(err, &own) || own.ID != all[2].ID {
			t.Errorf("%s: got %v", name, err)
		} else if !strings.Contains(err.Error(), "its JSON does not decode: property id: ") {
			t.Errorf("%s: %v does not say what failed", name, err)
		}
	}
}
