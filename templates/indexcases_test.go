package templates

import "github.com/cosmos-pkgen/pkgen/internal/pk"

// saleType has an index for each form of key: a text that the run time makes, a property,
// levels with a made one, and a key whose property old documents lack.
func saleType() *Type {
	tenant, customer, region, vin := text("TenantID", "tenantId"), text("CustomerID", "customerId"), field("Region", "region", pk.String, "Region"), text("VIN", "vin")
	at := field("At", "at", pk.Time, "time.Time")
	tag := func(name string) string { return `json:"` + name + `"` }
	fields := []StructField{
		{Name: "ID", Type: TypeText{{Type: typeOf("string")}}, Tag: tag("id")},
		{Name: "TenantID", Type: TypeText{{Type: typeOf("string")}}, Tag: tag("tenantId")},
		{Name: "CustomerID", Type: TypeText{{Type: typeOf("string")}}, Tag: tag("customerId")},
		{Name: "Region", Type: TypeText{{Type: typeOf("Region")}}, Tag: tag("region")},
		{Type: TypeText{{Text: "*"}, {Type: typeOf("Car")}}},
		{Name: "At", Type: TypeText{{Type: typeOf("time.Time")}}, Tag: tag("at")},
	}
	vin.Pointers = []string{"Car"}
	entryID := id()
	entryID.Pointer = "/_id"
	properties := propertiesOf([]pk.Field{entryID, tenant, customer, region, vin, at})
	index := func(name string, kind Kind, path string, levels ...pk.Level) Index {
		levels[len(levels)-1].Path = path
		return Index{
			Name: name, Fields: fields,
			Entry: &Type{Name: "Sale" + name + "Entry", Container: "sales" + name, Kind: kind, ID: entryID, Key: pk.Key{Levels: levels}, Properties: properties},
		}
	}
	byCustomer := index("ByCustomer", Synthetic, "/byCustomer", pk.Level{Made: true, Parts: []pk.Part{part(customer), literal("-"), timePart(at, "2006-01")}})
	byCustomer.Field = ref(text("ByCustomer", "byCustomer"))
	byCustomer.Entry.ExampleKey = "c-2018-08"
	byRegion := index("ByRegion", Natural, "/region", pk.Level{Parts: []pk.Part{part(region)}})
	byRegion.Selected = []string{"tenantId", "customerId", "region", "vin", "at"}
	byCar := index("ByCar", Hierarchical, "/byCar", pk.Level{Path: "/tenantId", Parts: []pk.Part{part(tenant)}}, pk.Level{Made: true, Parts: []pk.Part{part(region), literal("."), hashed(8, vin)}})
	byCar.Field = ref(field("ByCar", "byCar", pk.String, "Region"))
	byDay := index("ByDay", Synthetic, "/byDay", pk.Level{Made: true, Parts: []pk.Part{timePart(at, "2006-01-02")}})
	byDay.Field, byDay.Later = ref(text("ByDay", "byDay")), true
	return &Type{
		Name: "Sale", Kind: Natural, ID: id(), ExampleKey: "contoso", Container: "sales", ETag: ref(text("ETag", "_etag")),
		Key:     pk.Key{Levels: []pk.Level{{Parts: []pk.Part{part(tenant)}}}},
		Indexes: []Index{byCustomer, byRegion, byCar, byDay},
	}
}

// claimType is a draft with a key type's method as a field, a random suffix, and an index.
func claimType() *Type {
	source, kind := text("Source", "source"), field("Kind", "kind", pk.Int, "int")
	stored := text("Stored", "partitionKey")
	return &Type{
		Name: "claim", Kind: Synthetic, ID: id(), NoMethods: true, Stored: &stored, Draft: true,
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(source), literal("."), random(4)}}}},
		Indexes: []Index{{
			Name: "ByKind",
			Entry: &Type{
				Name: "claimByKindEntry", Container: "claims-by-kind", Kind: Natural, ID: id(), ExampleKey: "7",
				Key: pk.Key{Levels: []pk.Level{{Path: "/kind", Parts: []pk.Part{part(kind)}}}}, Properties: propertiesOf([]pk.Field{kind}),
			},
			Fields: []StructField{
				{Name: "ID", Type: TypeText{{Type: typeOf("string")}}, Tag: `json:"id"`},
				{Name: "Source", Type: TypeText{{Type: typeOf("string")}}, Tag: `json:"source"`},
				{Name: "Kind", Type: TypeText{{Type: typeOf("int")}}, Tag: `json:"kind"`},
				{Name: "Stored", Type: TypeText{{Type: typeOf("string")}}, Tag: `json:"partitionKey"`},
			},
		}},
	}
}
