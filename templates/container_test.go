package templates

import "github.com/cosmos-pkgen/pkgen/internal/pk"

// probeType shares its container with other types. It expires, has composite
// indexes, and keeps unknown properties.
func probeType() *Type {
	t := &Type{
		Name: "Probe", Container: "shared", ExampleKey: "zrh-2018-08-09", Kind: Synthetic, ID: id(),
		Key:           pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(text("Site", "site")), literal("-"), timePart(field("At", "at", pk.Time, "time.Time"), "2006-01-02")}}}},
		Discriminator: &Discriminator{Property: "type", Value: "probe"},
		Rest:          &pk.Field{Selector: "Rest"},
	}
	t.Properties = append(propertiesOf(t.allFields()),
		Property{Name: "Depth", Pointer: "/depth", Kind: kindOf("Number", "int"), Patch: kindOf("PatchNumber", "int")},
		Property{Name: "Odd", Pointer: "/a~1b~01", Kind: kindOf("String", "string"), Patch: kindOf("PatchValue", "string")},
	)
	expires(t)
	return t
}

// alertType hashes, has an ETag, and reaches its unknown properties through a
// pointer.
func alertType() *Type {
	t := &Type{
		Name: "Alert", Container: "shared", Kind: Synthetic, ID: id(), ETag: ref(text("ETag", "_etag")),
		Key:           pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(text("Site", "site")), literal("."), hashed(4, text("Code", "code"))}}}},
		Discriminator: &Discriminator{Property: "type", Value: "alert"},
		Rest:          &pk.Field{Selector: "Extra.Unknown", Pointers: []string{"Extra"}},
	}
	expires(t)
	return t
}

// siteType is the one type of the container whose documents have no discriminator.
// Its keys are ambiguous.
func siteType() *Type {
	t := &Type{
		Name: "Site", Container: "shared", Kind: Synthetic, ID: id(), Ambiguous: true,
		Key:           pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(text("Country", "country")), literal("-"), part(text("Name", "name"))}}}},
		Discriminator: &Discriminator{Property: "type", Others: []string{"alert", "probe"}},
	}
	expires(t)
	return t
}

// expires gives t what all types of the shared container say of the container.
func expires(t *Type) {
	t.TTL = ref(86400)
	t.Composites = [][]IndexPath{
		{{Path: "/depth", Descending: true}, {Path: "/at"}},
		{{Path: `/"a/b~1"`}, {Path: "/depth"}, {Path: "/at", Descending: true}},
	}
}

// leaseType has a container of its own, whose documents have their own time to
// live.
func leaseType() *Type {
	t := &Type{Name: "Lease", Kind: ItemID, ID: id(), TTL: ref(-1)}
	t.Properties = append(propertiesOf(t.allFields()),
		Property{Name: "TTL", Pointer: "/ttl", Omitted: true, Kind: kindOf("Number", "int"), Patch: kindOf("PatchNumber", "int")})
	return t
}
