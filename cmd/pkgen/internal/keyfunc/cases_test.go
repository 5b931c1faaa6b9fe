package keyfunc

import (
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// cases are types of every layout. The vectors name them.
var cases = []*templates.Type{
	// The three examples.
	synthetic("VehicleEvent", "2018-08-09.126",
		part(text("date")), literal("."), hashed(400, component(text("vin")))),
	synthetic("Reading", "abc-123-2018",
		part(text("deviceId")), literal("-"), part(field("date", pk.Uint))),
	stored(synthetic("Click", "2018-08-09.217",
		part(text("date")), literal("."), pk.Part{Bucket: &pk.Bucket{Count: 400}})),

	// Natural keys.
	natural("Order", text("tenantId")),
	natural("Invoice", field("number", pk.Int)),
	natural("Meter", field("serial", pk.Uint)),
	natural("Gauge", field("level", pk.Float)),
	natural("Flag", field("active", pk.Bool)),
	{Name: "Session", Kind: templates.ItemID, ID: text("id"), Key: pk.Key{Levels: []pk.Level{{Parts: []pk.Part{part(text("id"))}}}}},
	{Name: "Lease", Kind: templates.ItemID, ID: addr("id"), Key: pk.Key{Levels: []pk.Level{{Parts: []pk.Part{part(addr("id"))}}}}},

	// One component, made a text.
	synthetic("Serial", "", part(field("serial", pk.Int))),
	synthetic("Total", "", part(field("total", pk.Uint))),
	synthetic("Switch", "", part(field("on", pk.Bool))),
	synthetic("Address", "192.0.2.1", part(addr("addr"))),
	synthetic("Label", "abc-123", lower(text("label"))),

	// Concatenations and templates.
	synthetic("Sample", "",
		literal("r:"), part(text("region")), literal("::"), part(field("line", pk.Int)),
		literal("-"), part(field("slot", pk.Uint)), literal("-"), part(field("live", pk.Bool)),
		literal("/"), part(addr("owner")), literal("'"), part(field("meta.long", pk.Int)), literal(`"\`+"`$")),
	synthetic("Discount", "",
		literal("customer:"), part(text("customerId")), literal(":discounts:"), lower(text("uuid")),
		literal(":"), at(field("month", pk.Time), "2006:01")),
	synthetic("Mixed", "",
		part(text("vin")), literal("/"), lower(text("vin")), literal("."),
		hashed(16, pk.Component{Field: text("vin"), Lower: true})),
	synthetic("Unicode", "",
		literal("日"), part(text("é")), literal("本"), part(text("id")), literal("\u202e")),
	synthetic("Words", "",
		part(text("class")), literal("*/"), part(text("def")), literal(`"""\u0041`)),
	synthetic("Bucket", "",
		literal("b"), hashed(7, component(text("bucket"))), literal("-"), part(text("text")),
		literal("/"), part(text("hash")), literal(":"), part(text("escape"))),

	// Times.
	timed("Year", "2006"), timed("Month", "2006-01"), timed("Day", "2006-01-02"), timed("Hour", "2006-01-02T15"),
	timed("Second", "20060102150405"), timed("Millisecond", "2006-01-02T15:04:05.000"), timed("Tenth", "02.01.2006 15h04'05.0"),
	timed("Unpadded", "2006:1:2"), timed("UnpaddedSecond", "2.1.2006 15h4'5.000"),
	timed("Quoted", `2006年01月"\d yyyy%`),
	synthetic("Twice", "",
		at(field("at", pk.Time), "2006"), literal("/"), at(field("at", pk.Time), "2006-01-02"),
		literal("/"), at(field("at", pk.Time), "2006-01")),

	// Hashes of everything.
	synthetic("Trip", "",
		at(field("at", pk.Time), "2006-01"), literal("."), hashed(31,
			component(text("vin")), component(field("leg", pk.Int)), component(field("seq", pk.Uint)),
			component(field("urgent", pk.Bool)), component(addr("driver")),
			pk.Component{Field: field("done", pk.Time), Layout: `2006-01-02"'\`})),
	synthetic("Pair", "",
		part(text("date")), literal("#"), hashed(10000, component(text("vin")), component(text("region")))),

	// Escaped keys.
	escaping(synthetic("Escaped", "",
		part(text("deviceId")), literal("-"), part(text("name")), literal("."), hashed(400, component(text("vin"))))),
	escaping(synthetic("Signed", "",
		part(field("line", pk.Int)), literal("-"), part(field("slot", pk.Uint)), literal("-"),
		at(field("at", pk.Time), "2006-01-02"), literal("-"), lower(text("label")))),
	escaping(synthetic("Strange", "",
		part(text("a")), literal("é"), part(text("b")), literal("]"), part(text("c")), literal("^"),
		part(text("d")), literal(`\`), part(text("e")), literal(`"`), part(text("f")), literal("["), part(text("g")),
		literal("/"), part(text("h")))),
	escaping(synthetic("Owned", "", part(addr("owner")), literal(":"), part(text("id")))),

	// Hierarchical keys.
	levels("Visit", property(text("tenantId")), property(text("userId"))),
	levels("Usage", property(text("tenantId")), property(field("number", pk.Int)), property(field("active", pk.Bool))),
	levels("Stat", property(field("serial", pk.Uint)), property(field("level", pk.Float))),
	levels("Lot", property(addr("owner")), property(text("address.city"))),
	levels("Journal", property(text("tenantId")), made(lower(text("userId"))), made(at(field("at", pk.Time), "2006-01"))),
	levels("Spread", made(part(text("tenantId")), literal("."), hashed(16, component(text("userId")))),
		made(part(text("userId")), literal("."), hashed(4, component(text("id"))))),
	stored(levels("Burst", property(text("tenantId")), made(part(text("date")), literal("."), pk.Part{Bucket: &pk.Bucket{Count: 20}}))),
	escaping(levels("Guarded", made(part(text("tenantId")), literal("."), hashed(16, component(text("userId")))), made(lower(text("userId"))))),
}

// field makes a field with the JSON property of a name.
func field(property string, value pk.Value) pk.Field {
	return pk.Field{
		Selector: property, Name: property, Property: property,
		Pointer: "/" + strings.ReplaceAll(property, ".", "/"), Value: value,
	}
}

func text(property string) pk.Field { return field(property, pk.String) }

// addr makes a field with a text form.
func addr(property string) pk.Field {
	f := field(property, pk.Text)
	f.Type = pk.GoType{Path: "net/netip", Name: "Addr"}
	return f
}

func component(f pk.Field) pk.Component { return pk.Component{Field: f} }

func part(f pk.Field) pk.Part {
	return pk.Part{Component: &pk.Component{Field: f}}
}

func lower(f pk.Field) pk.Part {
	return pk.Part{Component: &pk.Component{Field: f, Lower: true}}
}

func at(f pk.Field, layout string) pk.Part {
	return pk.Part{Component: &pk.Component{Field: f, Layout: layout}}
}

func literal(s string) pk.Part { return pk.Part{Literal: s} }

func hashed(count int, hash ...pk.Component) pk.Part {
	return pk.Part{Bucket: &pk.Bucket{Count: count, Hash: hash}}
}

func natural(name string, f pk.Field) *templates.Type {
	return &templates.Type{Name: name, Kind: templates.Natural, Key: pk.Key{Levels: []pk.Level{{Parts: []pk.Part{part(f)}}}}}
}

func synthetic(name, example string, parts ...pk.Part) *templates.Type {
	return &templates.Type{Name: name, Kind: templates.Synthetic, ExampleKey: example, Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: parts}}}}
}

// timed makes a type whose key is a time alone.
func timed(name, layout string) *templates.Type {
	return synthetic(name, "", at(field("at", pk.Time), layout))
}

func stored(t *templates.Type) *templates.Type {
	f := text("partitionKey")
	t.Stored = &f
	return t
}

func escaping(t *templates.Type) *templates.Type {
	t.Escape = true
	return t
}

func levels(name string, all ...pk.Level) *templates.Type {
	return &templates.Type{Name: name, Kind: templates.Hierarchical, Key: pk.Key{Levels: all}}
}

func property(f pk.Field) pk.Level {
	return pk.Level{Path: "/" + f.Property, Parts: []pk.Part{part(f)}}
}

func made(parts ...pk.Part) pk.Level {
	return pk.Level{Path: "/partitionKey", Made: true, Parts: parts}
}
