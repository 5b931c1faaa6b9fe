package templates

import (
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// goldenPath begins the import paths of the golden files' packages, those of a
// module that TestCompile makes.
const goldenPath = "golden.test/"

// goldenTypes are the types of each golden file, testdata/<name>.txtar. The file
// has their declarations and the expected output.
var goldenTypes = []struct {
	name  string
	types []*Type
}{
	{"importaliases", []*Type{aliasedType()}},
	{"ambiguous", []*Type{messageType(), visitType()}},
	{"clickstream", []*Type{clickType(), beatType(), pulseType()}},
	{"concat", []*Type{readingType(), sampleType()}},
	{"conflict", []*Type{profileType(), signalType()}},
	{"constraint", []*Type{constrainedType()}},
	{"fields", []*Type{tripwireType(), wireType()}},
	{"elements", []*Type{cartType()}},
	{"escape", []*Type{letterType(), parcelType(), stampType()}},
	{"fleet", []*Type{vehicleEventType()}},
	{"aliases", []*Type{personType()}},
	{"growing", []*Type{rentalType(), hireType(), leaseholdType(), viewType()}},
	{"guard", []*Type{guardedType(), parkType()}},
	{"hash", []*Type{tripType(), tourType(), partType(), shardType(), loneType()}},
	{"hierarchy", []*Type{eventType(), taskType(), metricType(), hitType(), soloType(), spreadType()}},
	{"indexes", []*Type{saleType(), claimType()}},
	{"instants", []*Type{tripRangeType(), stopType()}},
	{"itemid", []*Type{
		{Name: "Session", Kind: ItemID, ID: field("ID", "id", pk.String, "SessionID")},
		{Name: "Device", Kind: ItemID, ID: field("SerialNumber", "id", pk.String, "string"), ETag: ref(field("ETag", "_etag", pk.String, "string"))},
	}},
	{"lower", []*Type{carType(), rideType()}},
	{"migration", movedTypes()},
	{"names", []*Type{nastyType(), tinyType(), lowerType()}},
	{"natural", []*Type{
		natural("Order", "acme", field("TenantID", "tenantId", pk.String, "TenantID")),
		natural("Note", "", field("Author", "author", pk.String, "string")),
		natural("Invoice", "2018", field("Number", "number", pk.Int, "int")),
		natural("Meter", "7", field("Serial", "serial", pk.Uint, "uint64")),
		natural("Gauge", "0.5", field("Level", "level", pk.Float, "float64")),
		natural("Flag", "true", field("Active", "active", pk.Bool, "Switch")),
		natural("Toggle", "", field("On", "on", pk.Bool, "bool")),
	}},
	{"placed", placedTypes()},
	{"owntexts", []*Type{ownTextType()}},
	{"prefix", []*Type{invoiceType()}},
	{"search", []*Type{pageType()}},
	{"computed", []*Type{userType(), loginType()}},
	{"shared", []*Type{probeType(), alertType(), siteType(), leaseType()}},
	{"deleted", []*Type{crateType(), keptType(), lotType()}},
	{"schema", []*Type{formType(), slipType(), firstType()}},
	{"nextform", []*Type{upcomingType(), betweenType()}},
	{"stamps", []*Type{bookingType(), countedType()}},
	{"stored", []*Type{accountType()}},
	{"tenants", tenantTypes()},
	{"tiers", tierTypes()},
	{"unique", []*Type{patronType(), readerType()}},
	{"times", []*Type{timesType(), twiceType(), dailyType()}},
}

func init() {
	for _, c := range goldenTypes {
		for _, t := range c.types {
			complete(t, c.name)
		}
	}
}

func vehicleEventType() *Type {
	return &Type{
		Name: "VehicleEvent", Source: "vehicle_event.go", Container: "vehicle-event",
		ExampleKey: "2018-08-09.126",
		Kind:       Synthetic, ID: id(), ETag: ref(text("ETag", "_etag")),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(text("Date", "date")), literal("."), hashed(400, text("VIN", "vin"))}}}},
		Properties: append(
			propertiesOf([]pk.Field{id(), text("Date", "date"), text("VIN", "vin")}),
			Property{Name: "At", Pointer: "/at", Kind: FieldKind{Name: "Opaque"}, Patch: kindOf("PatchValue", "time.Time")},
			Property{Name: "Speed", Pointer: "/speed", Kind: kindOf("Number", "int"), Patch: kindOf("PatchNumber", "int")},
			Property{Name: "ETag", Pointer: "/_etag", Kind: kindOf("String", "string")},
		),
	}
}

func readingType() *Type {
	return &Type{
		Name: "Reading", ExampleKey: "abc-123-2018", Kind: Synthetic, ID: id(),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(text("DeviceID", "deviceId")), literal("-"), part(field("Date", "date", pk.Int, "int"))}}}},
	}
}

func sampleType() *Type {
	return &Type{
		Name: "Sample",
		Kind: Synthetic, ID: id(),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{
			literal("r:"), part(field("Region", "region", pk.String, "Region")),
			literal("::"), part(field("Line", "line", pk.Int, "int8")),
			literal("-"), part(field("Slot", "slot", pk.Uint, "uint64")),
			literal("-"), part(field("Live", "live", pk.Bool, "bool")),
			literal("-"), timePart(field("At", "at", pk.Time, "time.Time"), "2006-01-02"),
			literal("/"), part(field("Owner", "owner", pk.Text, "net/netip.Addr")),
			literal("/"), part(field("Batch", "batch", pk.TextPtr, "Batch")),
			literal("'"), part(field("Long", "long", pk.Int, "int64")),
		}}}},
	}
}

func tripType() *Type {
	return &Type{
		Name: "Trip",
		Kind: Synthetic, ID: id(),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{timePart(field("At", "at", pk.Time, "time.Time"), "2006-01"), literal("."), {Bucket: &pk.Bucket{Count: 31, Hash: []pk.Component{
			{Field: text("VIN", "vin")},
			{Field: field("Leg", "leg", pk.Int, "int64")},
			{Field: field("Seq", "seq", pk.Uint, "uint16")},
			{Field: field("Urgent", "urgent", pk.Bool, "Urgent")},
			{Field: field("Driver", "driver", pk.Text, "net/netip.Addr")},
			{Field: field("Batch", "batch", pk.TextPtr, "Batch")},
			{Field: field("Region", "region", pk.String, "Region")},
			{Field: field("Done", "done", pk.Time, "time.Time"), Layout: "2006-01-02"},
		}}}}}}},
	}
}

// tourType hashes fields of all kinds but times.
func tourType() *Type {
	t := tripType()
	t.Name = "Tour"
	bucket := t.Levels[0].Parts[2].Bucket
	bucket.Hash = bucket.Hash[:len(bucket.Hash)-1]
	return t
}

// partType hashes its id.
func partType() *Type {
	return &Type{
		Name: "Part", ExampleKey: "2018-08-09.3", Kind: Synthetic, ID: id(),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(text("Date", "date")), literal("."), hashed(16, id())}}}},
	}
}

// shardType hashes a field that is a component too.
func shardType() *Type {
	return &Type{
		Name: "Shard", Kind: Synthetic, ID: id(),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(text("Date", "date")), literal("."), hashed(16, text("Date", "date"))}}}},
	}
}

// loneType has a bucket and no base.
func loneType() *Type {
	return &Type{
		Name: "Lone", Kind: Synthetic, ID: id(),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{literal("b"), hashed(16, text("VIN", "vin")), literal("-x")}}}},
	}
}

func clickType() *Type {
	return &Type{
		Name: "Click", ExampleKey: "2018-08-09.217", Kind: Synthetic, ID: id(),
		Stored: ref(text("Stored", "partitionKey")),
		Key:    pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(text("Date", "date")), literal("."), random(400)}}}},
	}
}

// beatType has named types, pointers, its id in the base, and a component with the
// name Suffix.
func beatType() *Type {
	beatID := field("ID", "id", pk.String, "BeatID")
	stored := field("Meta.Stored", "meta.key", pk.String, "Stored")
	stored.Pointers = []string{"Meta"}
	etag := field("Meta.Sys.ETag", "_etag", pk.String, "github.com/Azure/azure-sdk-for-go/sdk/azcore.ETag")
	etag.Pointers = []string{"Meta", "Meta.Sys"}
	return &Type{
		Name: "Beat", Kind: Synthetic, ID: beatID,
		Stored: &stored, ETag: &etag,
		Key: pk.Key{Levels: []pk.Level{{Path: "/meta/key", Made: true, Parts: []pk.Part{
			part(beatID), literal(":"), part(text("Suffix", "suffix")), literal(":"),
			timePart(field("At", "at", pk.Time, "time.Time"), "2006-01-02T15"), literal("::"), random(7),
		}}}},
	}
}

// pulseType has a random suffix and no base.
func pulseType() *Type {
	return &Type{
		Name: "Pulse", Kind: Synthetic, ID: id(), NoMethods: true,
		Stored: ref(text("Stored", "partitionKey")),
		Key:    pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{literal("p."), random(3)}}}},
	}
}

// accountType reaches its components through pointers, and remembers its key.
func accountType() *Type {
	behind := func(selector, property string, pointers ...string) pk.Field {
		f := text(selector, property)
		f.Pointers = pointers
		return f
	}
	return &Type{
		Name: "Account", Kind: Synthetic, ID: id(),
		Stored: ref(text("PK", "partitionKey")), ETag: ref(text("ETag", "_etag")),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{
			part(behind("Resource.Subscription", "resource.subscription", "Resource")), literal("-"),
			part(behind("Resource.Group", "resource.group", "Resource")), literal("-"),
			part(text("Region", "region")), literal("-"),
			part(behind("Resource.Inner.Name", "resource.inner.name", "Resource", "Resource.Inner")),
		}}}},
	}
}

func timesType() *Type {
	at := func(name string) pk.Field { return field(name, strings.ToLower(name), pk.Time, "time.Time") }
	return &Type{
		Name: "Period",
		Kind: Synthetic, ID: id(),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{
			timePart(at("Year"), "2006"), literal("-"), timePart(at("Month"), "2006-01"), literal("-"),
			timePart(at("Day"), "2006-01-02"), literal("-"), timePart(at("Hour"), "2006-01-02T15"), literal("-"),
			timePart(at("Other"), "2006/01"),
		}}}},
	}
}

// dailyType has a key of one time.
func dailyType() *Type {
	return &Type{
		Name: "Daily", Kind: Synthetic, ID: id(),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{timePart(field("At", "at", pk.Time, "time.Time"), "2006-01-02")}}}},
	}
}

// twiceType uses a time twice, with two layouts.
func twiceType() *Type {
	at := field("At", "at", pk.Time, "time.Time")
	return &Type{
		Name: "Twice", Kind: Synthetic, ID: id(),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{timePart(at, "2006"), literal("/"), timePart(at, "2006-01-02"), literal("/"), timePart(at, "2006-01")}}}},
	}
}

// nastyType has fields with the names that generated code needs.
func nastyType() *Type {
	t := &Type{
		Name: "Repository", NoMethods: true, Kind: Synthetic, ID: text("DocID", "id"),
		Reserved: []string{"Repository", "Tiny", "event", "eventType"},
	}
	var parts []pk.Part
	for i, name := range []string{"Type", "Ctx", "Key", "R", "String", "Partition", "ID", "PartitionKey"} {
		if i > 0 {
			parts = append(parts, literal("-"))
		}
		parts = append(parts, part(text(name, "the"+name)))
	}
	t.Levels = []pk.Level{{Made: true, Parts: parts}}
	return t
}

// tinyType has names of one letter.
func tinyType() *Type {
	return &Type{
		Name: "R", NoMethods: true, Kind: Synthetic, ID: id(),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(text("K", "k")), literal("."), hashed(4, text("B", "b"))}}}},
	}
}

// lowerType is unexported.
func lowerType() *Type {
	return &Type{
		Name: "event", Kind: Synthetic, ID: id(),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(text("EventKey", "eventKey")), literal("-"), part(field("Type", "type", pk.String, "eventType"))}}}},
	}
}

// aliasedType is in a package that has taken the names of several imports. Its
// fields have types from packages with such names.
func aliasedType() *Type {
	generic := field("Ref", "ref", pk.Text, "")
	generic.Type = pk.GoType{Path: goldenPath + "importaliases/null.v4", Package: "null", Name: "Ref", Args: []pk.GoType{
		{Name: "Asset"}, {Path: goldenPath + "importaliases/partition", Name: "Region"},
	}}
	return &Type{
		Name: "Asset", Kind: Synthetic, ID: id(),
		Reserved: []string{"Asset", "context", "generated", "partition", "pkgenrepository", "repository", "strconv"},
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{
			part(field("Region", "region", pk.String, goldenPath+"importaliases/partition.Region")), literal("-"),
			part(field("Zone", "zone", pk.String, goldenPath+"importaliases/deep/partition.Zone")), literal("-"),
			part(generic), literal("-"), part(field("N", "n", pk.Int, "int")),
		}}}},
	}
}

// constrainedType is declared in a test file of an external test package, with a
// build constraint.
func constrainedType() *Type {
	return &Type{
		Package: "constraint_test", PackagePath: goldenPath + "constraint_test",
		Name: "HTTPProbe", Source: "probe_test.go", Constraint: "linux || darwin || windows",
		Kind: Synthetic, ID: id(),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(field("Kind", "kind", pk.String, goldenPath+"constraint.Kind")), literal("-"), part(text("Host", "host"))}}}},
	}
}
