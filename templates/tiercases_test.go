package templates

import "github.com/cosmos-pkgen/pkgen/internal/pk"

// tierTypes are documents of tenants that share a container and may have one of their
// own.
func tierTypes() []*Type {
	own := func(t *Type, beginning string) *Type {
		t.Tenant = &t.Levels[0].Parts[0].Component.Field
		t.Own = []pk.Part{literal(beginning), part(*t.Tenant)}
		return t
	}
	whole := natural("Order", "", text("TenantID", "tenantId"))
	whole.Container, whole.ExampleOwn, whole.ExampleKey = "orders", "orders-contoso", "contoso"
	whole.Leases, whole.Directory = "leases", "tenants"

	// The tenant is a text of a type, and the container has types of other documents.
	address := field("T", "t", pk.Text, "net/netip.Addr")
	levels := natural("Visit", "", address)
	levels.Container, levels.Kind, levels.Levels[0].Path = "visits", Hierarchical, "/t"
	levels.Levels = append(levels.Levels, pk.Level{Path: "/partitionKey2", Made: true, Parts: []pk.Part{
		timePart(field("At", "at", pk.Time, "time.Time"), "2006-01-02"), literal("."), hashed(4, text("Site", "site")),
	}})
	levels.Discriminator = &Discriminator{Property: "type", Value: "visit"}
	levels.TTL = ref(-1)

	draft := natural("Note", "", field("Owner", "owner", pk.String, "Site"))
	draft.Container, draft.Draft = "notes", true
	random := natural("Click", "", text("TenantID", "tenantId"))
	random.Container, random.Kind, random.Levels[0].Path = "clicks", Hierarchical, "/tenantId"
	random.Stored = ref(text("Stored", "partitionKey2"))
	random.Levels = append(random.Levels, pk.Level{Path: "/partitionKey2", Made: true, Parts: []pk.Part{
		part(text("Day", "day")), literal("."), {Bucket: &pk.Bucket{Count: 4}},
	}})
	return []*Type{own(random, "c-"), own(whole, "orders-"), own(levels, "visits-"), own(draft, "notes-")}
}
