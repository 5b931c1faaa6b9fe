package regions

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes/moving"
	"github.com/cosmos-pkgen/pkgen/internal/writeregions"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

// TestEnsure: containers of what relies on one write region are made in an account with one, and
// neither made nor changed in one with several.
func TestEnsure(t *testing.T) {
	t.Parallel()
	throughput := admin.AnyThroughput()
	for _, test := range []struct {
		name   string
		use    *writeregions.Use // nil if the container is made in several, too
		ensure func(ctx context.Context, db *azcosmos.DatabaseClient) error
	}{
		{"plain", nil, func(ctx context.Context, db *azcosmos.DatabaseClient) error {
			_, err := fixtures.EnsurePlainTaskContainer(ctx, db, throughput)
			return err
		}},
		{"marked", nil, func(ctx context.Context, db *azcosmos.DatabaseClient) error {
			_, err := fixtures.EnsureUnstampedParcelContainer(ctx, db, throughput)
			return err
		}},
		{"stamps", writeregions.Stamps, func(ctx context.Context, db *azcosmos.DatabaseClient) error {
			_, err := fixtures.EnsureTaskContainer(ctx, db, throughput)
			return err
		}},
		{"unique", writeregions.Unique, func(ctx context.Context, db *azcosmos.DatabaseClient) error {
			_, err := fixtures.EnsureMemberContainer(ctx, db, throughput)
			return err
		}},
		{"own", writeregions.Tenancy, func(ctx context.Context, db *azcosmos.DatabaseClient) error {
			_, err := fixtures.EnsureBidContainer(ctx, db, throughput)
			return err
		}},
		{"own of a tenant", writeregions.Tenancy, func(ctx context.Context, db *azcosmos.DatabaseClient) error {
			_, err := fixtures.EnsureBidOwnContainer(ctx, db, "t", throughput)
			return err
		}},
		{"buckets", writeregions.Buckets, func(ctx context.Context, db *azcosmos.DatabaseClient) error {
			_, err := moving.EnsureGrowingContainer(ctx, db, throughput)
			return err
		}},
		{"leases", writeregions.Leases, func(ctx context.Context, db *azcosmos.DatabaseClient) error {
			_, err := admin.EnsureLeases(ctx, db, "leases", throughput)
			return err
		}},
		{"directory", writeregions.Tenancy, func(ctx context.Context, db *azcosmos.DatabaseClient) error {
			_, err := tenancy.EnsureTenantDirectory(ctx, db, "directory", throughput)
			return err
		}},
		{"a word that relies on nothing", nil, func(ctx context.Context, db *azcosmos.DatabaseClient) error {
			_, err := admin.Ensure(ctx, db, harness.Properties("more", "/id"), throughput, admin.OneWriteRegion("ttl"))
			return err
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.several(t, true)
			err := test.ensure(t.Context(), r.db)
			switch {
			case test.use == nil && err != nil:
				t.Error(err)
			case test.use != nil && (!errors.Is(err, repository.ErrSeveralWriteRegions) || !strings.Contains(err.Error(), test.use.Name) || r.Sent(emulator.OpReadContainer, emulator.OpCreateContainer) > 0):
				t.Errorf("got %v, with the requests %v", err, r.Counts())
			}
			r.several(t, false)
			if err := test.ensure(t.Context(), r.db); err != nil {
				t.Errorf("with one write region: %v", err)
			}
		})
	}
}
