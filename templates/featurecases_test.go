package templates

import "github.com/cosmos-pkgen/pkgen/internal/pk"

// invoiceType has ids with a prefix in a container that it shares, a layout that
// is a draft, and integers that JavaScript would not keep.
func invoiceType() *Type {
	count := field("Count", "count", pk.Int, "int64")
	properties := propertiesOf([]pk.Field{id(), text("Tenant", "tenant"), count, text("Kind", "type")})
	properties[2].Patch = kindOf("PatchNumber", "int64")
	return &Type{
		Name: "Invoice", ExampleKey: "contoso", Kind: Natural, ID: id(), Container: "sales",
		Prefix: "invoice-", Draft: true, Integers: true,
		Discriminator: &Discriminator{Property: "type", Value: "invoice"},
		Key:           pk.Key{Levels: []pk.Level{{Parts: []pk.Part{part(text("Tenant", "tenant"))}}}},
		Properties:    properties,
	}
}

// tripRangeType has a time whose JSON texts are in the order of time, so that a
// range is exact.
func tripRangeType() *Type {
	at := field("At", "at", pk.Time, "github.com/cosmos-pkgen/pkgen/repository.Time")
	at.Instant = true
	return &Type{
		Name: "Trip", Kind: Synthetic, ID: id(),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{timePart(at, "2006-01-02"), literal("."), hashed(4, text("VIN", "vin"))}}}},
		Properties: []Property{
			{Name: "ID", Pointer: "/id", Kind: kindOf("String", "string")},
			{Name: "At", Pointer: "/at", Kind: FieldKind{Name: "Instant"}},
			{Name: "VIN", Pointer: "/vin", Kind: kindOf("String", "string")},
		},
	}
}

// stopType has times in its key whose texts do not sort as times, or are finer than
// an hour.
func stopType() *Type {
	return &Type{
		Name: "Stop", Kind: Synthetic, ID: id(),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{
			timePart(field("Seen", "seen", pk.Time, "time.Time"), "2006-1-2"), literal("/"),
			timePart(field("Left", "left", pk.Time, "time.Time"), "2006-01-02T15:04"),
		}}}},
	}
}

// guardedType guards its declaration, a struct that it embeds, and fields of
// another package. It keeps unknown properties.
func guardedType() *Type {
	const deep = goldenPath + "guard/deep"
	plain := func(text string) TypeText { return TypeText{{Text: text}} }
	base := TypeText{{Type: pk.GoType{Name: "Base"}}}
	audit := pk.GoType{Path: deep, Name: "Audit"}
	return &Type{
		Name: "Asset", Kind: Synthetic, ID: id(),
		Rest: &pk.Field{Selector: "Rest", Name: "Rest"},
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{
			part(text("Zone", "zone")), literal("."), hashed(8, text("Audit.By", "audit.by")),
		}}}},
		Guard: Guard{
			Structs: []GuardedStruct{
				{Name: TypeText{{Type: pk.GoType{Name: "Asset"}}}, Fields: []StructField{
					{Type: base},
					{Name: "Zone", Type: plain("string"), Tag: `json:"zone" cosmos:"pk,hashsuffix=Audit.By,buckets=8"`},
					{Name: "Audit", Type: TypeText{{Text: "*"}, {Type: audit}}, Tag: `json:"audit"`},
					{Name: "Peers", Type: TypeText{{Text: "map["}, {Type: pk.GoType{Name: "Zone"}}, {Text: "][]*"}, {Type: audit}}, Tag: "json:\"peers\" note:\"`\""},
					{Name: "Rest", Type: TypeText{{Text: "map[string]"}, {Type: pk.GoType{Path: "encoding/json", Name: "RawMessage"}}}, Tag: `json:"-" cosmos:"rest"`},
				}},
				{Name: base, Fields: []StructField{{Name: "ID", Type: plain("string"), Tag: `json:"id"`}}},
			},
			Fields: []GuardedField{{Selector: "Audit.By", Type: plain("string")}},
		},
	}
}

// parkType guards its fields one by one, and keeps unknown properties.
func parkType() *Type {
	return &Type{
		Name: "Park", Kind: ItemID, ID: text("Name", "id"),
		Rest: &pk.Field{Selector: "More.Rest", Name: "Rest", Pointers: []string{"More"}},
	}
}

// ownTextType has ids and keys whose own methods make their texts.
func ownTextType() *Type {
	tenant := field("Tenant", "tenant", pk.Text, "ObjectID")
	return &Type{
		Name: "Visit", Kind: Hierarchical, ID: field("Code", "id", pk.TextPtr, "Code"),
		Written: []string{"/id", "/tenant"},
		Key: pk.Key{Levels: []pk.Level{
			level("/tenant", false, pk.Part{Component: &pk.Component{Field: tenant, NonZero: true}}),
			level("/rank", false, part(field("Rank", "rank", pk.Text, "Rank"))),
		}},
		Properties: []Property{
			{Name: "Code", Pointer: "/id", Kind: kindOf("Text", "Code")},
			{Name: "Tenant", Pointer: "/tenant", Kind: kindOf("Text", "ObjectID")},
			{Name: "Rank", Pointer: "/rank", Kind: FieldKind{Name: "Opaque"}},
		},
	}
}

// spreadType uses one property on two levels. Both levels have a query of the same
// name, and the file has the one that knows more levels.
func spreadType() *Type {
	return &Type{
		Name: "Spread", Kind: Hierarchical, ID: id(),
		Key: pk.Key{Levels: []pk.Level{
			level("/tenant", false, part(text("Tenant", "tenant"))),
			level("/partitionKey", true, hashed(4, text("Tenant", "tenant"))),
		}},
	}
}

// growing is a bucket whose number of buckets grows.
func growing(was []int, count, next int, fields ...pk.Field) pk.Part {
	p := hashed(count, fields...)
	p.Bucket.Was, p.Bucket.Next = was, next
	return p
}

// rentalType has switched to more buckets twice, and announces more.
func rentalType() *Type {
	return &Type{
		Name: "Rental", ExampleKey: "2018-08-09.6", Kind: Synthetic, ID: id(),
		Stored: ref(text("Stored", "partitionKey")), ETag: ref(text("ETag", "_etag")),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(text("Date", "date")), literal("."), growing([]int{20, 10}, 40, 80, text("VIN", "vin"))}}}},
	}
}

// hireType announces more buckets for the first time. Its key has a range.
func hireType() *Type {
	return &Type{
		Name: "Hire", Kind: Synthetic, ID: id(),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{
			timePart(field("At", "at", pk.Time, "time.Time"), "2006-01-02"), literal("."), growing(nil, 4, 8, text("VIN", "vin")),
		}}}},
	}
}

// leaseholdType has more buckets in one of two levels.
func leaseholdType() *Type {
	return &Type{
		Name: "Leasehold", Kind: Hierarchical, ID: id(),
		Key: pk.Key{Levels: []pk.Level{
			{Path: "/tenant", Parts: []pk.Part{part(field("Tenant", "tenant", pk.Int, "int"))}},
			{Path: "/partitionKey", Made: true, Parts: []pk.Part{
				timePart(field("At", "at", pk.Time, "time.Time"), "2006-01"), literal("."), growing([]int{4}, 8, 0, text("Unit", "unit")),
			}},
		}},
	}
}

// viewType announces more random suffixes.
func viewType() *Type {
	suffix := random(4)
	suffix.Bucket.Next = 8
	return &Type{
		Name: "View", Kind: Synthetic, ID: id(), Stored: ref(text("Stored", "partitionKey")),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(text("Page", "page")), literal("."), suffix}}}},
	}
}

// formType is in its third form, and firstType in its first.
func formType() *Type {
	return &Type{
		Name: "Form", Kind: Natural, ID: id(), ETag: ref(text("ETag", "_etag")),
		Key:    pk.Key{Levels: []pk.Level{{Parts: []pk.Part{part(text("Tenant", "tenant"))}}}},
		Schema: &Schema{Field: field("Schema", "schema", pk.Int, "int"), Number: 3},
		Properties: []Property{
			{Name: "Schema", Pointer: "/schema", Omitted: true, Kind: FieldKind{Name: "Number", Value: pk.GoType{Name: "int"}}},
		},
	}
}

// slipType is in its second form, marked as deleted for an hour, and has all stamps.
func slipType() *Type {
	made, changed, version := instant("Made", "made"), instant("Changed", "changed"), field("N", "n", pk.Int, "int64")
	return &Type{
		Name: "Slip", Kind: Natural, ID: id(), ETag: ref(text("ETag", "_etag")),
		Key: pk.Key{Levels: []pk.Level{{Parts: []pk.Part{part(text("Tenant", "tenant"))}}}}, TTL: ref(-1),
		Stamps:  &Stamps{Created: &made, Updated: &changed, Version: &version},
		Deleted: &Deleted{Field: instant("Gone", "gone"), Seconds: 3600},
		Schema:  &Schema{Field: field("Schema", "schema", pk.Int, "int"), Number: 2},
		Properties: []Property{
			{Name: "Schema", Pointer: "/schema", Omitted: true, Kind: FieldKind{Name: "Number", Value: pk.GoType{Name: "int"}}},
		},
	}
}

func firstType() *Type {
	return &Type{
		Name: "First", Kind: ItemID, ID: id(),
		Schema: &Schema{Field: field("N", "n", pk.Int, "Number"), Number: 1},
	}
}

// upcomingType is in its first form, and reads the second one, which the next release writes.
func upcomingType() *Type {
	return &Type{
		Name: "Upcoming", Kind: ItemID, ID: id(),
		Schema: &Schema{Field: field("N", "n", pk.Int, "Number"), Number: 1, Next: 2},
	}
}

// betweenType is what slipType is, and reads the third form.
func betweenType() *Type {
	t := slipType()
	t.Name, t.Schema.Next = "Between", 3
	return t
}

// bookingType has all stamps, one of them in an embedded struct, and countedType the
// version alone.
func bookingType() *Type {
	instant := func(name, json string) *pk.Field {
		f := field(name, json, pk.Time, "github.com/cosmos-pkgen/pkgen/repository.Time")
		f.Instant = true
		return &f
	}
	return &Type{
		Name: "Booking", Kind: Natural, ID: id(), ETag: ref(text("ETag", "_etag")),
		Key:    pk.Key{Levels: []pk.Level{{Parts: []pk.Part{part(text("Tenant", "tenant"))}}}},
		Stamps: &Stamps{Created: instant("Made", "made"), Updated: instant("Changed", "changed"), Version: ref(field("N", "n", pk.Int, "Count"))},
	}
}

func countedType() *Type {
	return &Type{
		Name: "Counted", Kind: ItemID, ID: id(),
		Stamps: &Stamps{Version: ref(field("N", "n", pk.Int, "int64"))},
	}
}

// profileType is written in several regions: the greater revision wins.
func profileType() *Type {
	revision := field("Revision", "revision", pk.Int, "int")
	t := natural("Profile", "CH", text("Country", "country"))
	t.ETag, t.Stamps, t.Conflict = ref(text("ETag", "_etag")), &Stamps{Version: &revision}, "/revision"
	return t
}

// signalType has a container for each month, in which the later write wins.
func signalType() *Type {
	at := field("At", "at", pk.Time, "github.com/cosmos-pkgen/pkgen/repository.Time")
	at.Instant = true
	t := natural("Signal", "CH", text("Country", "country"))
	t.Containers, t.Container, t.Conflict = []pk.Part{literal("signals-"), timePart(at, "2006-01")}, "signals-{at|2006-01}", "/_ts"
	return t
}

// personType has properties that old documents have under other names: a name that had
// two, a number that Go leaves out when it is zero, and an object with what is in it.
func personType() *Type {
	rank := Property{Name: "Rank", Pointer: "/home/rank", Kind: kindOf("Number", "int"), Patch: kindOf("PatchNumber", "int"), Omitted: true, Holder: 1, Aliases: []string{"address"}}
	return &Type{
		Name: "Person", ExampleKey: "contoso", Kind: Natural, ID: id(),
		Key: pk.Key{Levels: []pk.Level{{Parts: []pk.Part{part(text("Tenant", "tenant"))}}}},
		Properties: []Property{
			{Name: "ID", Pointer: "/id", Kind: kindOf("String", "string")},
			{Name: "Tenant", Pointer: "/tenant", Kind: kindOf("String", "string")},
			{Name: "Name", Pointer: "/name", Kind: kindOf("String", "string"), Patch: kindOf("PatchValue", "string"), Aliases: []string{"fullName", "display"}},
			{Name: "Age", Pointer: "/age", Kind: kindOf("Number", "int"), Patch: kindOf("PatchNumber", "int"), Omitted: true, Aliases: []string{"years"}},
			{Name: "Home", Pointer: "/home", Kind: FieldKind{Name: "Object"}, Patch: kindOf("PatchValue", "Home"), Aliases: []string{"address"}, Properties: []Property{rank}},
		},
	}
}

// pageType has vectors, one of them in an object, and full text.
func pageType() *Type {
	embedding := &Vector{Path: "/embedding", DataType: "float32", Metric: "cosine", Index: "diskANN", Dimensions: 1536}
	colors := &Vector{Path: "/image/colors", DataType: "uint8", Metric: "euclidean", Index: "flat", Dimensions: 16}
	half := &Vector{
		Path: "/half", DataType: "float16", Metric: "cosine", Index: "diskANN", Dimensions: 256,
		Quantizer: "product", QuantizationBytes: 96, SearchList: 200, ShardKey: `/"my-tenant"`,
	}
	float := kindOf("Vector", "float32")
	return &Type{
		Name: "Page", ExampleKey: "example.com", Kind: Natural, ID: id(), Container: "pages",
		Key:     pk.Key{Levels: []pk.Level{{Parts: []pk.Part{part(text("Site", "site"))}}}},
		Vectors: []Vector{*embedding, *half, *colors}, Texts: []FullText{{Path: "/body", Language: "en-US"}},
		Properties: append(
			propertiesOf([]pk.Field{id(), text("Site", "site")}),
			Property{Name: "Body", Pointer: "/body", Kind: kindOf("FullText", "string"), Language: "en-US", Patch: kindOf("PatchValue", "string")},
			Property{Name: "Embedding", Pointer: "/embedding", Kind: float, Vector: embedding, Patch: kindOf("PatchList", "float32")},
			Property{Name: "Half", Pointer: "/half", Kind: float, Vector: half, Patch: kindOf("PatchList", "float32")},
			Property{Name: "Image", Pointer: "/image", Kind: FieldKind{Name: "Object"}, Patch: kindOf("PatchValue", "Image"), Properties: []Property{
				{Name: "Colors", Pointer: "/image/colors", Kind: kindOf("Vector", "uint8"), Vector: colors, Patch: kindOf("PatchList", "uint8")},
			}},
		),
	}
}

// userType has two computed properties, one of them with quotes and in an index. loginType shares
// its container, and has none itself.
func userType() *Type {
	return &Type{
		Name: "User", ExampleKey: "contoso", Kind: Natural, ID: id(), Container: "users",
		Key:        pk.Key{Levels: []pk.Level{{Parts: []pk.Part{part(text("Tenant", "tenant"))}}}},
		Computed:   computedOf(true),
		Composites: [][]IndexPath{{{Path: "/lowerEmail"}, {Path: "/id"}}},
		Properties: append(
			propertiesOf([]pk.Field{id(), text("Tenant", "tenant"), text("Email", "email")}),
			Property{Name: "LowerEmail", Pointer: "/lowerEmail", Kind: kindOf("String", "string"), Computed: "LOWER(c.email)"},
			Property{Name: "Initial", Pointer: "/initial", Kind: kindOf("String", "string"), Computed: `LEFT(c["full name"], 1)`},
		),
	}
}

func loginType() *Type {
	return &Type{
		Name: "Login", Kind: ItemID, ID: id(), Container: "users",
		Discriminator: &Discriminator{Property: "type", Value: "login"},
		Key:           pk.Key{Levels: []pk.Level{{Parts: []pk.Part{part(id())}}}},
		Computed:      computedOf(false),
	}
}

func computedOf(own bool) []Computed {
	return []Computed{
		{Name: "initial", Query: `SELECT VALUE LEFT(c["full name"], 1) FROM c`, Own: own},
		{Name: "lowerEmail", Query: "SELECT VALUE LOWER(c.email) FROM c", Own: own},
	}
}

// instant is a field of a repository.Time.
func instant(name, json string) pk.Field {
	f := field(name, json, pk.Time, "github.com/cosmos-pkgen/pkgen/repository.Time")
	f.Instant = true
	return f
}

// crateType is marked as deleted, and removed after 30 days, and has stamps. keptType is
// alone with its mark, and shares its container.
func crateType() *Type {
	made, changed := instant("Made", "made"), instant("Changed", "changed")
	return &Type{
		Name: "Crate", Kind: Natural, ID: id(), ETag: ref(text("ETag", "_etag")),
		Key: pk.Key{Levels: []pk.Level{{Parts: []pk.Part{part(text("Tenant", "tenant"))}}}}, TTL: ref(-1),
		Stamps:  &Stamps{Created: &made, Updated: &changed},
		Deleted: &Deleted{Field: instant("Gone", "gone"), Seconds: 2592000},
	}
}

func keptType() *Type {
	return &Type{
		Name: "Kept", Kind: ItemID, ID: id(), Discriminator: &Discriminator{Property: "type", Value: "kept"},
		Deleted: &Deleted{Field: instant("Removed", "removedAt"), OwnTTL: true}, TTL: ref(-1),
	}
}

// lotType has a repository of one tenant as well.
func lotType() *Type {
	tenant := text("TenantID", "tenantId")
	return &Type{
		Name: "Lot", Kind: Natural, ID: id(), Tenant: &tenant,
		Key: pk.Key{Levels: []pk.Level{{Parts: []pk.Part{part(tenant)}}}}, TTL: ref(-1),
		Deleted: &Deleted{Field: instant("Gone", "gone"), Seconds: 90},
	}
}

func patronType() *Type {
	return &Type{
		Name: "Patron", ExampleKey: "eu", Kind: Natural, ID: id(), ETag: ref(field("ETag", "_etag", pk.String, "string")),
		Key:    pk.Key{Levels: []pk.Level{{Parts: []pk.Part{part(text("Region", "region"))}}}},
		Unique: []Unique{{Name: "Email", Property: "email", Type: pk.GoType{Name: "string"}}, {Name: "Badge", Property: "badge", Type: pk.GoType{Name: "int"}}},
		Properties: []Property{
			{Name: "ID", Pointer: "/id", Kind: kindOf("String", "string")},
			{Name: "Region", Pointer: "/region", Kind: kindOf("String", "string")},
			{Name: "Email", Pointer: "/email", Kind: kindOf("String", "string")},
			{Name: "Badge", Pointer: "/badge", Kind: kindOf("Number", "int"), Omitted: true},
		},
	}
}

// readerType has a unique property, and is marked as deleted.
func readerType() *Type {
	return &Type{
		Name: "Reader", Kind: ItemID, ID: id(), TTL: ref(-1),
		Deleted:    &Deleted{Field: instant("Gone", "gone"), Seconds: 2592000},
		Unique:     []Unique{{Name: "Card", Property: "card", Type: pk.GoType{Name: "string"}}},
		Properties: propertiesOf([]pk.Field{id(), text("Card", "card")}),
	}
}
