package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository"
)

// moveOut gives a tenant a container of its own, while the service goes on. The command
// pkgen-data move-tenant does the same.
func moveOut(ctx context.Context, db *azcosmos.DatabaseClient, directory *repository.TenantDirectory, tenant string) (repository.MoveTenantSummary, error) {
	if _, err := EnsureOrderOwnContainer(ctx, db, tenant, repository.Manual(400)); err != nil {
		return repository.MoveTenantSummary{}, err
	}
	return repository.MoveTenant(ctx, db, directory, repository.TenantMove{
		Shared: OrderContainer().ID,
		Tenant: tenant,
		To:     OrderOwnContainer(tenant).ID,
	}, repository.MoveTenantQueries(longestQuery))
}

// longestQuery is how long one query of the service takes at most.
const longestQuery = time.Second

// printMove prints what a move cost.
func printMove(out io.Writer, s repository.MoveTenantSummary) {
	each := s.RequestUnits / float64(max(1, s.Total))
	fmt.Fprintf(out, "  documents  %d at the beginning; %d were copied, with those that changed meanwhile; %d KB\n", s.Total, s.Documents, s.Bytes/1000)
	fmt.Fprintf(out, "  RU         %.0f, which is %.1f for each document\n", s.RequestUnits, each)
	fmt.Fprintf(out, "  time       %.1f s, of which writes waited %d ms\n", s.Duration.Seconds(), s.Pause.Milliseconds())
	fmt.Fprintf(out, "  fence      %d writes were sent with it\n", s.Fenced)
}

// largest returns the tenant that has used most request units.
func largest(u repository.Usage) (tenant repository.TenantUsage) {
	for _, t := range u.Tenants {
		if t.RequestUnits > tenant.RequestUnits {
			tenant = t
		}
	}
	return tenant
}
