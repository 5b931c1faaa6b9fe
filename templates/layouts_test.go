package templates

import "github.com/cosmos-pkgen/pkgen/internal/pk"

// lower makes a part of a field's text in lower case.
func lower(f pk.Field) pk.Part { return pk.Part{Component: &pk.Component{Field: f, Lower: true}} }

func level(path string, made bool, parts ...pk.Part) pk.Level {
	return pk.Level{Path: path, Made: made, Parts: parts}
}

// eventType has plain levels of each sort, and one that the run time makes.
func eventType() *Type {
	return &Type{
		Name: "Event", ExampleKey: `["contoso","ada","2018-08"]`,
		Kind: Hierarchical, ID: id(), ETag: ref(text("ETag", "_etag")), Stored: ref(text("Month", "month")),
		Key: pk.Key{Levels: []pk.Level{
			level("/tenantId", false, part(field("TenantID", "tenantId", pk.String, "TenantID"))),
			level("/userId", false, part(text("UserID", "userId"))),
			level("/month", true, timePart(field("At", "at", pk.Time, "time.Time"), "2006-01")),
		}},
	}
}

// taskType has levels that are not strings, and one with a text form.
func taskType() *Type {
	return &Type{
		Name: "Task", Kind: Hierarchical, ID: id(), NoMethods: true,
		Key: pk.Key{Levels: []pk.Level{
			level("/number", false, part(field("Number", "number", pk.Int, "int"))),
			level("/open", false, part(field("Open", "open", pk.Bool, "bool"))),
			level("/owner", false, part(field("Owner", "owner", pk.Text, "net/netip.Addr"))),
		}},
	}
}

// metricType has a hash suffix, lower case, and the item id as its last level.
func metricType() *Type {
	return &Type{
		Name: "Metric", Kind: Hierarchical, ID: id(),
		Key: pk.Key{Levels: []pk.Level{
			level("/partitionKey1", true, timePart(field("Day", "day", pk.Time, "time.Time"), "2006-01-02"), literal("."), hashed(16, text("VIN", "vin"))),
			level("/partitionKey2", true, lower(text("Host", "host"))),
			level("/id", false, part(id())),
		}},
	}
}

// hitType has a random suffix on its first level.
func hitType() *Type {
	return &Type{
		Name: "Hit", Kind: Hierarchical, ID: id(), Stored: ref(text("Stored", "partitionKey")),
		Key: pk.Key{Levels: []pk.Level{
			level("/partitionKey", true, part(text("Date", "date")), literal("."), random(9)),
			level("/userId", false, part(text("UserID", "userId"))),
		}},
	}
}

// soloType has one level.
func soloType() *Type {
	return &Type{
		Name: "Solo", Kind: Hierarchical, ID: id(),
		Key: pk.Key{Levels: []pk.Level{level("/tenantId", false, part(text("TenantID", "tenantId")))}},
	}
}

func carType() *Type {
	return &Type{
		Name: "Car", ExampleKey: "1hgcm82633a004352/honda", Kind: Synthetic, ID: id(),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{lower(text("VIN", "vin")), literal("/"), lower(field("Maker", "maker", pk.String, "Maker"))}}}},
	}
}

func rideType() *Type {
	return &Type{
		Name: "Ride", Kind: Synthetic, ID: id(),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(text("Date", "date")), literal("."), {Bucket: &pk.Bucket{
			Count: 16, Hash: []pk.Component{{Field: text("VIN", "vin"), Lower: true}},
		}}}}}},
	}
}

// letterType is escaped, with a component of each kind.
func letterType() *Type {
	return &Type{
		Name: "Letter", Kind: Synthetic, ID: id(),
		Parsed: true,
		Key: pk.Key{Escape: true, Levels: []pk.Level{{Made: true, Parts: []pk.Part{
			literal("l:"), part(field("Region", "region", pk.String, "Region")), literal("-"), part(field("Line", "line", pk.Int, "int8")),
			literal(":"), part(field("Slot", "slot", pk.Uint, "uint64")), literal("-"), part(field("Live", "live", pk.Bool, "Live")),
			literal("-"), timePart(field("At", "at", pk.Time, "time.Time"), "2006-01-02"), literal("-"), part(field("Owner", "owner", pk.Text, "net/netip.Addr")),
			literal("-"), part(field("Batch", "batch", pk.TextPtr, "Batch")), literal("::"), lower(text("Host", "host")),
		}}}},
	}
}

// parcelType is escaped and has a hash suffix.
func parcelType() *Type {
	return &Type{
		Name: "Parcel", Kind: Synthetic, ID: id(), Parsed: true,
		Key: pk.Key{Escape: true, Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(text("Sender", "sender")), literal("|"), part(field("N", "n", pk.Int, "int")), literal("."), hashed(16, text("VIN", "vin"))}}}},
	}
}

// stampType is escaped and has a random suffix.
func stampType() *Type {
	return &Type{
		Name: "stamp", Kind: Synthetic, ID: id(), Parsed: true,
		Stored: ref(text("Stored", "partitionKey")),
		Key:    pk.Key{Escape: true, Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(text("Country", "country")), literal("."), random(9)}}}},
	}
}

// messageType is ambiguous, and has components of which texts are compared.
func messageType() *Type {
	return &Type{
		Name: "Message", Kind: Synthetic, ID: id(), Ambiguous: true,
		ETag: ref(text("ETag", "_etag")),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{
			part(text("From", "from")), literal("-"), lower(field("To", "to", pk.String, "Address")), literal("-"),
			timePart(field("At", "at", pk.Time, "time.Time"), "2006-01-02"), literal("-"), part(field("Line", "line", pk.Int, "int")),
			literal("-"), part(field("Owner", "owner", pk.Text, "net/netip.Addr")), literal("-"), part(field("Batch", "batch", pk.TextPtr, "Batch")),
		}}}},
	}
}

// visitType is ambiguous and has a random suffix.
func visitType() *Type {
	return &Type{
		Name: "Visit", Kind: Synthetic, ID: id(), Ambiguous: true, Stored: ref(text("Stored", "partitionKey")),
		Key: pk.Key{Levels: []pk.Level{{Made: true, Parts: []pk.Part{part(text("Page", "page")), literal("-"), part(text("User", "user")), literal("."), random(9)}}}},
	}
}
