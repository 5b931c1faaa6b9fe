package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/tenancy"
)

// moveOut gives a tenant a container of its own, while the service goes on. The command
// pkgen-data move-tenant does the same.
func moveOut(ctx context.Context, db *azcosmos.DatabaseClient, directory *tenancy.TenantDirectory, tenant string) (tenancy.MoveSummary, error) {
	if _, err := EnsureOrderOwnContainer(ctx, db, tenant, admin.Manual(400)); err != nil {
		return tenancy.MoveSummary{}, err
	}
	return tenancy.Move(ctx, db, directory, tenancy.TenantMove{
		Shared:  OrderContainer().ID,
		Tenant:  tenant,
		To:      OrderOwnContainer(tenant).ID,
		Queries: longestQuery,
	})
}

// longestQuery is how long one query of the service takes at most.
const longestQuery = time.Second

// printMove prints what a move cost.
func printMove(out io.Writer, s tenancy.MoveSummary) {
	each := s.RequestUnits / float64(max(1, s.Total))
	fmt.Fprintf(out, "  documents  %d at the beginning; %d were copied, with those that changed meanwhile; %d KB\n", s.Total, s.Documents, s.Bytes/1000)
	fmt.Fprintf(out, "  RU         %.0f, which is %.1f for each document\n", s.RequestUnits, each)
	fmt.Fprintf(out, "  time       %.1f s, of which writes waited %d ms\n", s.Duration.Seconds(), s.Pause.Milliseconds())
	fmt.Fprintf(out, "  fence      %d writes were sent with it\n", s.Fenced)
}

// largest returns the tenant that has used most request units.
func largest(u tenancy.Usage) (tenant tenancy.TenantUsage) {
	for _, t := range u.Tenants {
		if t.RequestUnits > tenant.RequestUnits {
			tenant = t
		}
	}
	return tenant
}
