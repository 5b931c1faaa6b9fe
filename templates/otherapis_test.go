package templates

import (
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// otherTypes are the types of the golden files of Table, Mongo and Gremlin. The tests of
// internal/conformance compile these files with the run times, whose drivers this module
// does not have.
var otherTypes = []struct {
	name  string
	types []*Type
}{
	{"table", []*Type{tableEventType(), tableReadingType(), tableClickType(), tableMarkType(), otherOrderType(Table), otherSessionType(Table)}},
	{"mongo", []*Type{mongoEventType(), mongoMessageType(), mongoLetterType(), otherClickType(Mongo), otherOrderType(Mongo), otherSessionType(Mongo)}},
	{"gremlin", []*Type{deviceVertexType(), siteVertexType(), installedEdgeType(), otherClickType(Gremlin), otherOrderType(Gremlin), otherSessionType(Gremlin)}},
}

func init() {
	for _, c := range otherTypes {
		for _, t := range c.types {
			if t.API == Gremlin && t.Label == "" {
				t.Label = t.Name
			}
			if t.API == Table {
				t.Container = t.Name
			}
			complete(t, c.name)
			for i := range t.Properties {
				t.Properties[i].Patch = FieldKind{}
			}
		}
	}
	goldenTypes = append(goldenTypes, otherTypes...)
}

// otherProperties makes properties of fields, as the other APIs have them.
func otherProperties(fields ...pk.Field) []Property {
	kinds := map[pk.Value]string{pk.String: "String", pk.Int: "Number", pk.Uint: "Number", pk.Bool: "Bool", pk.Float: "Number", pk.Text: "Text", pk.TextPtr: "Text"}
	properties := make([]Property, len(fields))
	for i, f := range fields {
		kind := FieldKind{Name: kinds[f.Value], Value: f.Type}
		if f.Value == pk.Time {
			kind = FieldKind{Name: "Instant"}
		}
		properties[i] = Property{Name: f.Name, Pointer: f.Pointer, Kind: kind}
	}
	return properties
}

func at() pk.Field { return field("At", "at", pk.Time, "time.Time") }

func stored() pk.Field { return text("Stored", "partitionKey") }

func etag() pk.Field { return text("ETag", "_etag") }

func newest(f pk.Field) pk.Part { return pk.Part{Component: &pk.Component{Field: f, Newest: true}} }

// eventOf is the document of a device at a time, in as many buckets as in the guide of
// Azure.
func eventOf(api API) *Type {
	speed, live := field("Speed", "speed", pk.Int, "int"), field("Live", "live", pk.Bool, "bool")
	return &Type{
		API: api, Name: "Event", Source: "event.go", Container: "event",
		ExampleKey: "2018-08-09.126",
		Kind:       Synthetic, ID: id(), Stored: ref(stored()), ETag: ref(etag()),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{timePart(at(), "2006-01-02"), literal("."), hashed(400, text("Device", "device"))}}}},
		Properties: append(otherProperties(id(), text("Device", "device"), at(), speed, live, stored(), etag()),
			Property{Name: "Photo", Pointer: "/photo", Kind: FieldKind{Name: "Opaque"}}),
	}
}

// tableEventType has a row key that begins with the newest time.
func tableEventType() *Type {
	t := eventOf(Table)
	t.Row = []pk.Part{newest(at()), literal("-"), part(id())}
	t.ExampleRow = "2518594175999999999-evt-1"
	return t
}

// tableReadingType is escaped, also in its row key.
func tableReadingType() *Type {
	line := field("Line", "line", pk.Int, "int32")
	return &Type{
		API: Table, Name: "Reading", ExampleKey: "eu-7", Parsed: true, Kind: Synthetic, ID: id(),
		Key:        pk.Key{Escape: true, Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(field("Region", "region", pk.String, "Region")), literal("-"), part(line)}}}},
		Row:        []pk.Part{part(text("Kind", "kind")), literal("-"), timePart(at(), "200601021504"), literal("-"), part(id())},
		Properties: otherProperties(id(), field("Region", "region", pk.String, "Region"), line, text("Kind", "kind"), at()),
	}
}

// otherClickType has a random suffix.
func otherClickType(api API) *Type {
	return &Type{
		API: api, Name: "Click", ExampleKey: "2018-08-09.3", Kind: Synthetic, ID: id(), Stored: ref(stored()),
		Key:        pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(text("Date", "date")), literal("."), random(8)}}}},
		Properties: otherProperties(id(), text("Date", "date"), stored()),
	}
}

func tableClickType() *Type { return otherClickType(Table) }

// tableMarkType has a random suffix and a row key, and is a draft.
func tableMarkType() *Type {
	t := otherClickType(Table)
	t.Name, t.Draft, t.NoMethods = "Mark", true, true
	t.Row = []pk.Part{newest(at()), literal("_"), part(id())}
	t.Properties = otherProperties(id(), text("Date", "date"), at(), stored())
	return t
}

// otherOrderType has a property as its key.
func otherOrderType(api API) *Type {
	tenant := field("TenantID", "tenantId", pk.String, "TenantID")
	t := natural("Order", "acme", tenant)
	t.API, t.Properties = api, otherProperties(id(), tenant)
	return t
}

// otherSessionType has its id as key, which makes its own text.
func otherSessionType(api API) *Type {
	id := field("ID", "id", pk.Text, "net/netip.Addr")
	return &Type{API: api, Name: "Session", Kind: ItemID, ID: id, Properties: otherProperties(id)}
}

// mongoEventType has nested properties, BSON names of its own, and indexes.
func mongoEventType() *Type {
	t := eventOf(Mongo)
	device := text("Device", "device")
	device.Pointer = "/dev"
	t.Levels[0].Parts[2].Bucket.Hash[0].Field = device
	t.Properties[1].Pointer = "/dev"
	t.Properties[3].Omitted = true
	t.Properties = append(t.Properties, Property{Name: "Position", Pointer: "/position", Properties: []Property{
		{Name: "Lat", Pointer: "/position/lat", Kind: kindOf("Number", "float64")},
		{Name: "City", Pointer: "/position/city", Kind: kindOf("String", "string"), Omitted: true},
	}})
	t.Composites = [][]IndexPath{{{Path: "/dev"}, {Path: "/at", Descending: true}}, {{Path: "/position/lat"}, {Path: "/speed"}, {Path: "/id"}}}
	return t
}

// mongoMessageType is ambiguous, so that each write looks first.
func mongoMessageType() *Type {
	return &Type{
		API: Mongo, Name: "Message", ExampleKey: "ann-bob", Ambiguous: true, Kind: Synthetic, ID: id(), ETag: ref(etag()),
		Key:        pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(text("From", "from")), literal("-"), part(text("To", "to"))}}}},
		Properties: otherProperties(id(), text("From", "from"), text("To", "to"), etag()),
	}
}

// mongoLetterType is escaped.
func mongoLetterType() *Type {
	t := mongoMessageType()
	t.Name, t.Ambiguous, t.Escape, t.Parsed = "Letter", false, true, true
	return t
}

// deviceVertexType is the vertex at which edges begin.
func deviceVertexType() *Type {
	speed := field("Speed", "speed", pk.Float, "float64")
	return &Type{
		API: Gremlin, Name: "Device", ExampleKey: "eu.3", Kind: Synthetic, ID: id(),
		Key:        pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(text("Region", "region")), literal("."), hashed(16, id())}}}},
		Properties: otherProperties(id(), text("Region", "region"), speed, at()),
	}
}

// siteVertexType is the vertex at which edges end.
func siteVertexType() *Type {
	return &Type{
		API: Gremlin, Name: "Site", Label: "site", ExampleKey: "site-fr", Kind: Synthetic, ID: id(),
		Key:        pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{literal("site-"), part(text("Country", "country"))}}}},
		Properties: otherProperties(id(), text("Country", "country")),
	}
}

func installedEdgeType() *Type {
	return &Type{
		API: Gremlin, Name: "Installed", ID: id(), Kind: Hierarchical, Edge: &Edge{From: "Device", To: "Site"},
		Properties: otherProperties(id(), field("Since", "since", pk.Time, "time.Time")),
	}
}

// TestOtherAPIsHaveNoDriverOfNoSQL checks that the files of other APIs import neither the
// run time of NoSQL nor its driver, and that each names its own.
func TestOtherAPIsHaveNoDriverOfNoSQL(t *testing.T) {
	for _, c := range otherTypes {
		for _, typ := range c.types {
			source, err := Render(typ)
			if err != nil {
				t.Fatal(err)
			}
			for _, out := range []string{`"` + azcosmosPath + `"`, `"` + repositoryPath + `"`, "repository.", "azcosmos"} {
				text := strings.ReplaceAll(string(source), generatedPath, "")
				if strings.Contains(text, out) {
					t.Errorf("%s %s: the file has %s", c.name, typ.Name, out)
				}
			}
			if own := "const _ = " + c.name + ".V1"; !strings.Contains(string(source), own) {
				t.Errorf("%s %s: no %s", c.name, typ.Name, own)
			}
		}
	}
}

// TestMethodsOfOtherAPIs lists what the repositories of each API have.
func TestMethodsOfOtherAPIs(t *testing.T) {
	for _, test := range []struct {
		typ  *Type
		want string
	}{
		{tableEventType(), "Create Upsert Replace Get Delete ByAtAndDevice ByAt ByDeviceBetween ByAtBetween Scan"},
		{tableMarkType(), "Create Upsert Replace Get Delete ByDate Scan"},
		{otherClickType(Mongo), "Create Upsert Replace Get Delete ByDate FindInBuckets Scan"},
		{installedEdgeType(), "Create Get Delete Of Out In"},
	} {
		var names []string
		for _, m := range test.typ.Methods() {
			names = append(names, m.Name)
			if m.Cost == "" || strings.Contains(m.Cost, "%") {
				t.Errorf("%s.%s costs %q", test.typ.Name, m.Name, m.Cost)
			}
		}
		if got := strings.Join(names, " "); got != test.want {
			t.Errorf("%s: got %s, want %s", test.typ.Name, got, test.want)
		}
		for _, m := range test.typ.Promoted() {
			if slices.Contains(names, m.Name) || strings.HasPrefix(m.Name, "Patch") {
				t.Errorf("%s: promoted %s", test.typ.Name, m.Name)
			}
		}
	}
}

// TestBulkCostsWhatEachCosts has a type of which Upsert looks before it writes, and Create
// does not.
func TestBulkCostsWhatEachCosts(t *testing.T) {
	typ, costs := mongoMessageType(), map[string]string{}
	for _, m := range append(typ.Methods(), typ.Promoted()...) {
		costs[m.Name] = m.Cost
	}
	for _, name := range []string{"Create", "Upsert", "Delete"} {
		if got, want := costs[name+"All"], costs[name]+", for each document"; got != want {
			t.Errorf("%sAll costs %q, want %q", name, got, want)
		}
	}
}

// TestKeysOfAllAPIsAreEqual compares the code that makes keys: a layout has the same text
// in every API. (A document of the type Repository has another name where no package has it.)
func TestKeysOfAllAPIsAreEqual(t *testing.T) {
	keys := func(typ *Type) string {
		source, err := Render(typ)
		if err != nil {
			t.Fatal(err)
		}
		_, rest, found := strings.Cut(string(source), "KeyLayout = ")
		text, _, found2 := strings.Cut(rest, "\n// Validate ")
		if !found || !found2 {
			t.Fatalf("%s: the file has other sections", typ.Name)
		}
		return text
	}
	compared := 0
	for _, c := range goldenTypes {
		for _, typ := range c.types {
			plain := *typ
			if plain.API != NoSQL || plain.Name == "Repository" || plain.Kind == Hierarchical || plain.Containers != nil || plain.Own != nil || plain.Former != nil || newPlan(&plain).scalar {
				continue
			}
			compared++
			want := keys(&plain)
			for _, api := range []API{Table, Mongo, Gremlin} {
				other := plain
				other.API = api
				got := keys(&other)
				if got != want {
					t.Errorf("%s: the keys of API %d are made otherwise:\n%s\nwant\n%s", typ.Name, api, got, want)
				}
			}
		}
	}
	if compared < 20 {
		t.Errorf("%d types compared, want 20 at least", compared)
	}
}

// TestBulkNamesBatches says where InBatches saves requests, and how many documents go
// together; not where it has no effect.
func TestBulkNamesBatches(t *testing.T) {
	const together = "; with InBatches one request for up to 100 of a logical partition"
	for _, test := range []struct {
		typ         *Type
		create, del string // what the costs end in
	}{
		{tableEventType(), "for each document" + together, "for each document" + together},
		{vehicleEventType(), "for each document" + together, "for each document" + together},
		{tierTypes()[1], "for each document; with InBatches one request for up to 49 of a logical partition", "up to 49 of a logical partition"},
		{patronType(), "4 writes, including 2 for its unique values, about 23 request units for 1 KB, for each document", "3 point reads and 3 writes, about 20 request units for 1 KB, for each document"},
		{mongoEventType(), "for each document", "for each document"},
	} {
		complete(test.typ, "bulk")
		for _, m := range test.typ.Promoted() {
			want := map[string]string{"CreateAll": test.create, "DeleteAll": test.del}[m.Name]
			if !strings.HasSuffix(m.Cost, want) {
				t.Errorf("%s.%s costs %q, want what ends in %q", test.typ.Name, m.Name, m.Cost, want)
			}
			if m.Name == "Move" && test.typ.Unique != nil {
				t.Errorf("%s has Move, which refuses unique values", test.typ.Name)
			}
		}
	}
}
