package templates

import "github.com/cosmos-pkgen/pkgen/internal/pk"

// placedTypes are documents whose fields say in which container they are.
func placedTypes() []*Type {
	return []*Type{measurementType(), orderType(), regionalType(), tallyType()}
}

// window is a component of the container's id that is a time.
func window(layout string) pk.Part { return timePart(field("At", "at", pk.Time, "time.Time"), layout) }

// measurementType has a container for each month, and a natural key.
func measurementType() *Type {
	t := natural("Measurement", "abc-123", text("DeviceID", "deviceId"))
	t.Container, t.ExampleContainer = "telemetry-{at|2006-01}", "telemetry-2018-08"
	t.Containers = []pk.Part{literal("telemetry-"), window("2006-01")}
	return t
}

// orderType has a container for each tenant, and a key of two levels, the first of which
// is the tenant.
func orderType() *Type {
	tenant := field("TenantID", "tenantId", pk.String, "TenantID")
	return &Type{
		Name: "Order", Kind: Hierarchical, ID: id(), Draft: true, TTL: ref(3600),
		Container: "orders-{tenantId}", ExampleContainer: "orders-contoso",
		Containers: []pk.Part{literal("orders-"), part(tenant)},
		Key:        pk.Key{Levels: []pk.Level{{Path: "/tenantId", Parts: []pk.Part{part(tenant)}}, {Path: "/customerId", Parts: []pk.Part{part(text("CustomerID", "customerId"))}}}},
	}
}

// regionalType has a container for each region and month, and a key with the day of the
// same time, whose JSON texts are in the order of time.
func regionalType() *Type {
	at := field("At", "at", pk.Time, "github.com/cosmos-pkgen/pkgen/repository.Time")
	at.Instant = true
	return &Type{
		Name: "Reading", Kind: Synthetic, ID: id(), Ambiguous: true, ExampleKey: "abc-123-2018-08-09",
		Container: "{region}-{at|200601}-v2", ExampleContainer: "westeurope-201808-v2",
		Containers: []pk.Part{part(text("Region", "region")), literal("-"), timePart(at, "200601"), literal("-v2")},
		Key:        pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(text("DeviceID", "deviceId")), literal("-"), timePart(at, "2006-01-02")}}}},
	}
}

// tallyType has components of every kind in the container's id, one with the name of a
// method of the key, and a random suffix.
func tallyType() *Type {
	return &Type{
		Name: "Tally", Kind: Synthetic, ID: id(), Stored: ref(text("Stored", "partitionKey")),
		Container: "{line}-{serial}-{on}-{owner}-{container}-{at|2006-01-02-15}",
		Containers: []pk.Part{
			part(field("Line", "line", pk.Int, "int")), literal("-"), part(field("Serial", "serial", pk.Uint, "uint16")), literal("-"),
			part(field("On", "on", pk.Bool, "bool")), literal("-"), part(field("Owner", "owner", pk.Text, "net/netip.Addr")), literal("-"),
			part(text("Container", "container")), literal("-"), window("2006-01-02-15"),
		},
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(field("On", "on", pk.Bool, "bool")), literal("."), random(4)}}}},
	}
}
