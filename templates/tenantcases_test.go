package templates

import "github.com/cosmos-pkgen/pkgen/internal/pk"

// tenantTypes are documents of tenants.
func tenantTypes() []*Type {
	customer := part(text("CustomerID", "customerId"))
	levels := natural("Order", "", text("TenantID", "tenantId"))
	levels.Kind, levels.Levels[0].Path = Hierarchical, "/tenantId"
	levels.Levels = append(levels.Levels, pk.Level{Path: "/customerId", Parts: []pk.Part{customer}})

	number := field("Account", "meta.account", pk.Int, "int64")
	joined := &Type{
		Name: "Bill", Kind: Synthetic, ID: id(),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(number), literal("-"), timePart(field("At", "at", pk.Time, "time.Time"), "2006-01-02")}}}},
	}
	joined.Levels[0].Parts[0].Component.Selector = "Meta.Account"

	placed := natural("Visit", "", text("T", "t"))
	placed.Container = "visits-{tenantId}-{at|2006-01}"
	placed.Containers = []pk.Part{literal("visits-"), part(field("Tenant", "tenantId", pk.Text, "net/netip.Addr")), literal("-"), window("2006-01")}

	random := &Type{
		Name: "Click", Kind: Synthetic, ID: id(), Stored: ref(text("Stored", "partitionKey")),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(field("Site", "site", pk.String, "Site")), literal("."), random(4)}}}},
	}
	types := []*Type{levels, joined, placed, random}
	for _, t := range types {
		t.Tenant = &t.Levels[0].Parts[0].Component.Field
	}
	placed.Tenant = &placed.Containers[1].Component.Field
	return types
}
