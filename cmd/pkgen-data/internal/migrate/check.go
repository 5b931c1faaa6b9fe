package migrate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/account"
)

// leastBudget is the minimum budget in RU/s: a page and the writes of its documents must take only
// seconds.
const leastBudget = 100

// mostWorkers is the maximum number of concurrent writes.
const mostWorkers = 256

// check refuses options that cannot be migrated. It sends nothing.
func (o *Options) check() error {
	switch {
	case o.Budget != 0 && !(o.Budget >= leastBudget):
		return fmt.Errorf("a budget of %g RU/s is less than %d RU/s, a quarter of the smallest container: give more, or 0 for no limit", o.Budget, leastBudget)
	case o.Workers < 1 || o.Workers > mostWorkers:
		return fmt.Errorf("%d workers: give from 1 to %d", o.Workers, mostWorkers)
	case o.From.RID == o.To.RID:
		return errors.New("-from and -to are one container: a key cannot change in its container; make another one, or give a layout more buckets by next=")
	case o.State != nil && (o.State.RID == o.From.RID || o.State.RID == o.To.RID):
		return errors.New("-state is the container of the documents: name another one, with the key /id")
	case len(o.Types) == 0:
		return fmt.Errorf("no lock of the packages has a type in container %q, so its layout is unknown: generate code for it, or name the type by -type", o.To.ID)
	case o.From.PartitionKey.Version != account.Version || o.To.PartitionKey.Version != account.Version:
		return errors.New("a container has a partition key of version 1, whose hash pkgen does not implement: create the destination with version 2; copy a source of version 1 by the service's container copy first")
	}
	if s := o.State; s != nil {
		if strings.Join(s.PartitionKey.Paths, ",") != "/id" || s.DefaultTTL != nil && *s.DefaultTTL > 0 {
			return fmt.Errorf("container %q, for the state of the migration, needs the key /id, and no default time to live: make another one", s.ID)
		}
	}
	for _, e := range o.Types {
		if e.Placed() {
			return fmt.Errorf("documents of type %s are in several containers, %s, and migrate copies into one: copy them by a program that reads one repository and writes the other, which finds the container of each", e.Type, e.Container)
		}
		if e.Unique != "" {
			return fmt.Errorf("type %s has unique properties, %s, and their reservations record the old partition key: copy the documents by a program that reads one repository and creates the documents in the other, while no program writes to the old one", e.Type, e.Unique)
		}
		if e.Own != "" {
			return fmt.Errorf("tenants of type %s may have containers of their own, %s, and migrate copies one container: move them back by pkgen-data move-tenant, and remove \"own\"", e.Type, e.Own)
		}
		paths, kind := strings.Join(o.To.PartitionKey.Paths, ","), cmp.Or(o.To.PartitionKey.Kind, "Hash")
		if e.Path != paths || e.Kind != kind {
			return fmt.Errorf("container %q has the partition key %s (%s), and type %s needs %s (%s): make the container as pkgen explain -container prints it", o.To.ID, paths, kind, e.Type, e.Path, e.Kind)
		}
	}
	if o.From.DefaultTTL != nil && o.To.DefaultTTL == nil {
		return fmt.Errorf("documents expire in container %q, but would stay for ever in container %q: set its default time to live, -1 if documents have their own", o.From.ID, o.To.ID)
	}
	return o.checkStaying()
}

// checkStaying refuses a destination in which documents expire that do not in the source.
func (o *Options) checkStaying() error {
	if from, to := o.From.DefaultTTL, o.To.DefaultTTL; to != nil && (from == nil || *from < 0 && *to > 0) {
		return fmt.Errorf("documents stay in container %q, but would expire in container %q: give both the same default time to live, and change it after the cutover", o.From.ID, o.To.ID)
	}
	return nil
}

// checkContainers returns an error if a container was deleted or recreated since the run began:
// documents of a new source do not belong to the copy.
func (m *Migration) checkContainers(ctx context.Context) error {
	for _, c := range []*account.Container{m.from, m.to} {
		now, err := m.account.Container(ctx, c.Database, c.ID)
		if err != nil {
			return err
		}
		if now.RID != c.RID {
			return fmt.Errorf("container %q was deleted and created again since this run began: run the command again, with an empty destination", c.ID)
		}
	}
	return nil
}

// empty refuses a destination with documents.
func (m *Migration) empty(ctx context.Context) error {
	parts := []account.Part{{Min: account.All().Min, Max: account.All().Max}}
	for len(parts) > 0 {
		page, err := m.account.Changes(ctx, m.to, parts[0], 1)
		if err != nil {
			return err
		}
		if len(page.Documents) > 0 {
			return fmt.Errorf("container %q is not empty, and container %q knows no migration into it: name an empty one, or the -state of the migration that has begun", m.to.ID, m.StateID)
		}
		if parts = parts[1:]; !page.Idle {
			parts = append(parts, page.After...)
		}
	}
	return nil
}
