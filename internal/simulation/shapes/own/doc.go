// Package own has types whose tenants share a container, and move to containers of their own
// and back.
package own

//go:generate go run ../../compose own
//go:generate go run ../../../../cmd/pkgen

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

//go:embed pkgen.lock
var lock string

// directory is the container of the directory.
var directory = azcosmos.ContainerProperties{
	ID:                     "tenants",
	PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Kind: azcosmos.PartitionKeyKindHash, Paths: []string{"/id"}, Version: 2},
}

func directoryOf(db *azcosmos.DatabaseClient) *tenancy.TenantDirectory {
	return tenancy.NewTenantDirectory(shapes.Container(db, directory))
}

// shape returns a shape. Each program has a directory of its own.
func shape(
	name string, features []string, shared azcosmos.ContainerProperties, own func(tenant string) azcosmos.ContainerProperties,
	open func(db *azcosmos.DatabaseClient, d tenancy.Directory, o ...repository.Option) shapes.Store,
) shapes.Shape {
	opens := func(db *azcosmos.DatabaseClient, o ...repository.Option) shapes.Store {
		return open(db, directoryOf(db), o...)
	}
	m := mover{shared, own}
	s := shapes.Shape{
		Name: name, Features: features, Lock: lock, Moves: true, Patience: 20 * time.Minute, Pause: 30 * time.Second,
		Containers: []azcosmos.ContainerProperties{shared, directory},
		Stages:     []shapes.Stage{{Programs: []shapes.Opens{opens, opens}, Maintain: m.move, Settle: m.settle}},
	}
	for _, tenant := range shapes.Tenants {
		s.Containers = append(s.Containers, own(tenant))
	}
	return s
}

// mover moves the tenants of a shared container.
type mover struct {
	shared azcosmos.ContainerProperties
	own    func(tenant string) azcosmos.ContainerProperties
}

func (m mover) to(ctx context.Context, db *azcosmos.DatabaseClient, tenant, container string) error {
	_, err := tenancy.Move(ctx, db, directoryOf(db), tenancy.TenantMove{Shared: m.shared.ID, Tenant: tenant, To: container})
	return err
}

// move moves a tenant. An error while another mover is at work counts for nothing.
func (m mover) move(ctx context.Context, db *azcosmos.DatabaseClient, n int) error {
	tenant, container := shapes.Tenants[n%len(shapes.Tenants)], m.shared.ID
	if n%4 > 0 {
		container = m.own(tenant).ID
	}
	err := m.to(ctx, db, tenant, container)
	if err == nil || errors.Is(err, tenancy.ErrMoveRunning) {
		return nil
	}
	if err = m.end(ctx, db, tenant); errors.Is(err, tenancy.ErrMoveRunning) {
		return nil
	}
	return err
}

// end ends the move that a tenant has begun, if there is one. A move that goes on needs the same
// destination, which the directory does not tell.
func (m mover) end(ctx context.Context, db *azcosmos.DatabaseClient, tenant string) error {
	var err error
	for _, container := range []string{m.own(tenant).ID, m.shared.ID} {
		if where, failed := directoryOf(db).Refresh(ctx, m.shared.ID, tenant); failed != nil {
			return failed
		} else if settled := where.State == tenancy.ResidenceSettled; settled && container != cmp.Or(where.Container, m.shared.ID) && err == nil {
			continue
		}
		if err = m.to(ctx, db, tenant, container); err == nil || errors.Is(err, tenancy.ErrMoveRunning) {
			return err
		}
	}
	return m.to(ctx, db, tenant, m.own(tenant).ID)
}

// settle ends the moves that were interrupted, and looks for what they have left.
func (m mover) settle(ctx context.Context, db *azcosmos.DatabaseClient) (bool, error) {
	for _, tenant := range shapes.Tenants {
		if err := m.end(ctx, db, tenant); err != nil {
			return false, err
		}
		where, err := directoryOf(db).Refresh(ctx, m.shared.ID, tenant)
		if err != nil {
			return false, err
		}
		elsewhere := m.own(tenant)
		if where.Container != "" {
			elsewhere = m.shared
		}
		if err := m.left(ctx, db, elsewhere, tenant); err != nil {
			return false, err
		}
	}
	return true, nil
}

// left returns an error if a container has documents of a tenant, besides the fence.
func (m mover) left(ctx context.Context, db *azcosmos.DatabaseClient, container azcosmos.ContainerProperties, tenant string) error {
	query := `SELECT c.id FROM c WHERE c.line = @tenant AND c.id != "_pkgen-fence"`
	o := &azcosmos.QueryOptions{QueryParameters: []azcosmos.QueryParameter{{Name: "@tenant", Value: tenant}}}
	for pager := shapes.Container(db, container).NewQueryItemsPager(query, azcosmos.NewPartitionKey(), o); pager.More(); {
		page, err := pager.NextPage(ctx)
		if err != nil {
			return err
		}
		if len(page.Items) > 0 {
			return fmt.Errorf("%s lives elsewhere, and %s has %q", tenant, container.ID, page.Items)
		}
	}
	return nil
}
