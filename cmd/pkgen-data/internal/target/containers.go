package target

import (
	"context"
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// A Container is a container and its types.
type Container struct {
	ID      string // or a template of ids
	Entries []lock.Entry
}

// Existing replaces templates by the existing containers of the database, and adds tenants' own
// containers after the shared one.
func Existing(ctx context.Context, a *account.Account, database, container string, containers []Container) ([]Container, error) {
	var out []Container
	var ids []string
	for _, c := range containers {
		first := c.Entries[0]
		template := layout.OwnContainersOf
		if first.Placed() && c.ID == first.Container {
			template = layout.ContainersOf
		} else {
			out = append(out, c)
		}
		of, err := template(first)
		if err != nil {
			return nil, err
		}
		if of == nil || container != "" && !first.Placed() {
			continue
		}
		if ids == nil {
			if ids, err = a.Containers(ctx, database); err != nil {
				return nil, err
			}
			slices.Sort(ids)
		}
		for _, id := range ids {
			if of.Hold(id) {
				out = append(out, Container{id, c.Entries})
			}
		}
	}
	return out, nil
}
