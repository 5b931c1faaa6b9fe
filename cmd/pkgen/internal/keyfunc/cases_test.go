package keyfunc

import (
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// cases are types of every layout. The vectors name them.
var cases = []*templates.Type{
	// The three examples.
	synthetic("VehicleEvent", "{date}.{vin%400}", "2018-08-09.126",
		part(text("date")), literal("."), hashed(400, component(text("vin")))),
	synthetic("Reading", "{deviceId}-{date}", "abc-123-2018",
		part(text("deviceId")), literal("-"), part(field("date", pk.Uint))),
	stored(synthetic("Click", "{date}.{*%400}", "2018-08-09.217",
		part(text("date")), literal("."), pk.Part{Bucket: &pk.Bucket{Count: 400}})),

	// Natural keys.
	natural("Order", text("tenantId")),
	natural("Invoice", field("number", pk.Int)),
	natural("Meter", field("serial", pk.Uint)),
	natural("Gauge", field("level", pk.Float)),
	natural("Flag", field("active", pk.Bool)),
	{Name: "Session", Kind: templates.ItemID, Layout: "{id}", ID: text("id"), Levels: []pk.Level{{Parts: []pk.Part{part(text("id"))}}}},
	{Name: "Lease", Kind: templates.ItemID, Layout: "{id}", ID: addr("id"), Levels: []pk.Level{{Parts: []pk.Part{part(addr("id"))}}}},

	// One component, made a text.
	synthetic("Serial", "{serial}", "", part(field("serial", pk.Int))),
	synthetic("Total", "{total}", "", part(field("total", pk.Uint))),
	synthetic("Switch", "{on}", "", part(field("on", pk.Bool))),
	synthetic("Address", "{addr}", "192.0.2.1", part(addr("addr"))),
	synthetic("Label", "{label|lower}", "abc-123", lower(text("label"))),

	// Concatenations and templates.
	synthetic("Sample", `r:{region}::{line}-{slot}-{live}/{owner}'{meta.long}"\`+"`"+`$`, "",
		literal("r:"), part(text("region")), literal("::"), part(field("line", pk.Int)),
		literal("-"), part(field("slot", pk.Uint)), literal("-"), part(field("live", pk.Bool)),
		literal("/"), part(addr("owner")), literal("'"), part(field("meta.long", pk.Int)), literal(`"\`+"`$")),
	synthetic("Discount", "customer:{customerId}:discounts:{uuid|lower}:{month|2006:01}", "",
		literal("customer:"), part(text("customerId")), literal(":discounts:"), lower(text("uuid")),
		literal(":"), at(field("month", pk.Time), "2006:01")),
	synthetic("Mixed", "{vin}/{vin|lower}.{vin|lower%16}", "",
		part(text("vin")), literal("/"), lower(text("vin")), literal("."),
		hashed(16, pk.Component{Field: text("vin"), Lower: true})),
	synthetic("Unicode", "日{é}本{id}\u202e", "",
		literal("日"), part(text("é")), literal("本"), part(text("id")), literal("\u202e")),
	synthetic("Words", "{class}*/{def}{{\"\"\"", "",
		part(text("class")), literal("*/"), part(text("def")), literal(`"""\u0041`)),
	synthetic("Bucket", "b{bucket%7}-{text}/{hash}:{escape}", "",
		literal("b"), hashed(7, component(text("bucket"))), literal("-"), part(text("text")),
		literal("/"), part(text("hash")), literal(":"), part(text("escape"))),

	// Times.
	timed("Year", "2006"), timed("Month", "2006-01"), timed("Day", "2006-01-02"), timed("Hour", "2006-01-02T15"),
	timed("Second", "20060102150405"), timed("Millisecond", "2006-01-02T15:04:05.000"), timed("Tenth", "02.01.2006 15h04'05.0"),
	timed("Unpadded", "2006:1:2"), timed("UnpaddedSecond", "2.1.2006 15h4'5.000"),
	timed("Quoted", `2006年01月"\d yyyy%`),
	synthetic("Twice", "{at|2006}/{at|2006-01-02}/{at|2006-01}", "",
		at(field("at", pk.Time), "2006"), literal("/"), at(field("at", pk.Time), "2006-01-02"),
		literal("/"), at(field("at", pk.Time), "2006-01")),

	// Hashes of everything.
	synthetic("Trip", "{at|2006-01}.{vin+leg+seq+urgent+driver+done|2006-01-02%31}", "",
		at(field("at", pk.Time), "2006-01"), literal("."), hashed(31,
			component(text("vin")), component(field("leg", pk.Int)), component(field("seq", pk.Uint)),
			component(field("urgent", pk.Bool)), component(addr("driver")),
			pk.Component{Field: field("done", pk.Time), Layout: `2006-01-02"'\`})),
	synthetic("Pair", "{date}#{vin+region%10000}", "",
		part(text("date")), literal("#"), hashed(10000, component(text("vin")), component(text("region")))),

	// Escaped keys.
	escaping(synthetic("Escaped", "{deviceId}-{name}.{vin%400}", "",
		part(text("deviceId")), literal("-"), part(text("name")), literal("."), hashed(400, component(text("vin"))))),
	escaping(synthetic("Signed", "{line}-{slot}-{at|2006-01-02}-{label|lower}", "",
		part(field("line", pk.Int)), literal("-"), part(field("slot", pk.Uint)), literal("-"),
		at(field("at", pk.Time), "2006-01-02"), literal("-"), lower(text("label")))),
	escaping(synthetic("Strange", `{a}é{b}]{c}^{d}\{e}"{f}[{g}/{h}`, "",
		part(text("a")), literal("é"), part(text("b")), literal("]"), part(text("c")), literal("^"),
		part(text("d")), literal(`\`), part(text("e")), literal(`"`), part(text("f")), literal("["), part(text("g")),
		literal("/"), part(text("h")))),
	escaping(synthetic("Owned", "{owner}:{id}", "", part(addr("owner")), literal(":"), part(text("id")))),

	// Hierarchical keys.
	levels("Visit", "{tenantId},{userId}", property(text("tenantId")), property(text("userId"))),
	levels("Usage", "{tenantId},{number},{active}",
		property(text("tenantId")), property(field("number", pk.Int)), property(field("active", pk.Bool))),
	levels("Stat", "{serial},{level}", property(field("serial", pk.Uint)), property(field("level", pk.Float))),
	levels("Lot", "{owner},{address.city}", property(addr("owner")), property(text("address.city"))),
	levels("Journal", "{tenantId},{userId|lower},{at|2006-01}",
		property(text("tenantId")), made(lower(text("userId"))), made(at(field("at", pk.Time), "2006-01"))),
	levels("Spread", "{tenantId}.{userId%16},{userId}.{id%4}",
		made(part(text("tenantId")), literal("."), hashed(16, component(text("userId")))),
		made(part(text("userId")), literal("."), hashed(4, component(text("id"))))),
	stored(levels("Burst", "{tenantId},{date}.{*%20}",
		property(text("tenantId")), made(part(text("date")), literal("."), pk.Part{Bucket: &pk.Bucket{Count: 20}}))),
	escaping(levels("Guarded", "{tenantId}.{userId%16},{userId|lower}",
		made(part(text("tenantId")), literal("."), hashed(16, component(text("userId")))), made(lower(text("userId"))))),
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
	return &templates.Type{Name: name, Kind: templates.Natural, Layout: "{" + f.Property + "}", Levels: []pk.Level{{Parts: []pk.Part{part(f)}}}}
}

func synthetic(name, layout, example string, parts ...pk.Part) *templates.Type {
	return &templates.Type{Name: name, Kind: templates.Synthetic, Layout: layout, ExampleKey: example, Levels: []pk.Level{{Made: true, Parts: parts}}}
}

// timed makes a type whose key is a time alone.
func timed(name, layout string) *templates.Type {
	return synthetic(name, "{at|"+layout+"}", "", at(field("at", pk.Time), layout))
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

func levels(name, layout string, all ...pk.Level) *templates.Type {
	return &templates.Type{Name: name, Kind: templates.Hierarchical, Layout: layout, Levels: all}
}

func property(f pk.Field) pk.Level {
	return pk.Level{Path: "/" + f.Property, Parts: []pk.Part{part(f)}}
}

func made(parts ...pk.Part) pk.Level {
	return pk.Level{Path: "/partitionKey", Made: true, Parts: parts}
}
