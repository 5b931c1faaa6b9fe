package repository_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// TestUndecodable asks for the name of a document that does not decode, however
// it is read: in a page, in an order, by its key.
func TestUndecodable(t *testing.T) {
	c := newThings(t, emulator.Options{Partitions: 2}, repository.Configure(nil), true)
	ctx := context.Background()
	all := c.fill(t, rand.New(rand.NewPCG(1, 1)), 5)
	broken := errors.New("broken")
	things := repository.New(c.server.Container("things", repository.Configure(nil)), &leveledThingModel, repository.WithUnmarshal(func(data []byte, v any) error {
		if strings.Contains(string(data), all[2].ID) {
			return broken
		}
		return v.(*thing).UnmarshalJSON(data)
	}))
	for name, read := range map[string]func() error{
		"page": func() error {
			_, err := things.Scan().Collect(ctx)
			return err
		},
		"order": func() error {
			_, err := things.Scan().OrderBy(repository.String[thing, string]("/id").Desc()).Collect(ctx)
			return err
		},
		"get": func() error {
			_, err := things.Get(ctx, thingKey{all[2].ID, all[2].Base})
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
