// Package behaviour runs the keys and rows of the golden files of templates for Table,
// MongoDB and Gremlin. A test of internal/conformance compiles it with them.
package behaviour

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/partition"

	"github.com/cosmos-pkgen/pkgen/internal/conformance/goldens/gremlin"
	"github.com/cosmos-pkgen/pkgen/internal/conformance/goldens/mongo"
	"github.com/cosmos-pkgen/pkgen/internal/conformance/goldens/table"
)

// VIN has the bucket 126 of 400 in every API.
const vin = "1HGCM82633A004352"

// At is 2018-08-09 15:04:05 UTC, which is the 10th in this zone, and some nanoseconds.
var at = time.Date(2018, 8, 10, 5, 4, 5, 99, time.FixedZone("", 14*60*60))

func TestKeys(t *testing.T) {
	address := netip.MustParseAddr("2001:DB8::1")
	tests := []struct{ name, got, want string }{
		{"table, hash suffix", (&table.Event{At: at, Device: vin}).PartitionKey(), "2018-08-09.126"},
		{"table, hash suffix of a key", table.EventKey{At: at, Device: vin}.PartitionKey(), "2018-08-09.126"},
		{"table, newest row", (&table.Event{ID: "e1", At: at, Device: vin}).Key().RowKey(), "2518684737549999999-e1"},
		{"table, the first row", table.EventKey{ID: "e1", At: time.Unix(0, 0)}.RowKey(), "2534023007999999999-e1"},
		{"table, escaped", (&table.Reading{Region: "e-u~", Line: -7}).PartitionKey(), "e%2Du~-%2D7"},
		{"table, escaped row", (&table.Reading{ID: "a-b", Kind: "k-", At: at}).Key().RowKey(), "k%2D-201808091504-a%2Db"},
		{"table, random suffix", table.ClickKey{ID: "c", Date: "2018-08-09", Suffix: 3}.PartitionKey(), "2018-08-09.3"},
		{"table, stored suffix", (&table.Click{ID: "c", Date: "2018-08-09", Stored: "2018-08-09.8"}).PartitionKey(), "2018-08-09.8"},
		{"table, no such suffix", (&table.Click{ID: "c", Date: "2018-08-09", Stored: "2018-08-09.9"}).PartitionKey(), ""},
		{"table, random suffix with a row", table.MarkKey{ID: "m", Date: "2018-08-09", At: at, Suffix: 8}.PartitionKey(), "2018-08-09.8"},
		{"table, row before the suffix is chosen", table.MarkKey{ID: "m", At: at}.RowKey(), "2518684737549999999_m"},
		{"table, a property", (&table.Order{ID: "o", TenantID: "acme"}).PartitionKey(), "acme"},
		{"table, the id", (&table.Session{ID: address}).PartitionKey(), "2001:db8::1"},

		{"mongo, hash suffix", (&mongo.Event{At: at, Device: vin}).PartitionKey(), "2018-08-09.126"},
		{"mongo, concat", (&mongo.Message{From: "ann", To: "bob"}).PartitionKey(), "ann-bob"},
		{"mongo, ambiguous", (&mongo.Message{From: "ann-bob", To: ""}).PartitionKey(), "ann-bob-"},
		{"mongo, escaped", (&mongo.Letter{From: "ann-bob", To: "c"}).PartitionKey(), "ann%2Dbob-c"},
		{"mongo, random suffix", mongo.ClickKey{Date: "2018-08-09", Suffix: 3}.PartitionKey(), "2018-08-09.3"},
		{"mongo, a property", (&mongo.Order{TenantID: "acme"}).PartitionKey(), "acme"},
		{"mongo, the id", (&mongo.Session{ID: address}).PartitionKey(), "2001:db8::1"},

		{"gremlin, hash of the id", (&gremlin.Device{ID: vin, Region: "eu"}).PartitionKey(), "eu.14"},
		{"gremlin, text before", (&gremlin.Site{Country: "fr"}).PartitionKey(), "site-fr"},
		{"gremlin, random suffix", gremlin.ClickKey{Date: "2018-08-09", Suffix: 3}.PartitionKey(), "2018-08-09.3"},
		{"gremlin, a property", (&gremlin.Order{TenantID: "acme"}).PartitionKey(), "acme"},
		{"gremlin, the id", (&gremlin.Session{ID: address}).PartitionKey(), "2001:db8::1"},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s: %q, want %q", test.name, test.got, test.want)
		}
	}
}

// TestParsed reads keys back.
func TestParsed(t *testing.T) {
	reading, err := table.ParseReadingPartitionKey("e%2Du~-%2D7")
	if err != nil || reading != (table.ReadingKey{Region: "e-u~", Line: -7}) {
		t.Errorf("%+v, %v", reading, err)
	}
	letter, err := mongo.ParseLetterPartitionKey("ann%2Dbob-c")
	if err != nil || letter != (mongo.LetterKey{From: "ann-bob", To: "c"}) {
		t.Errorf("%+v, %v", letter, err)
	}
	var wrong *partition.KeyError
	if _, err := table.ParseReadingPartitionKey("eu"); !errors.As(err, &wrong) {
		t.Errorf("a key without its second component: %v", err)
	}
}

// TestOfDocuments compares the keys of documents with what is in them: the time of a row is
// the one that a table gives back.
func TestOfDocuments(t *testing.T) {
	event := table.Event{ID: "e1", At: at, Device: vin}
	if want := (table.EventKey{ID: "e1", At: time.Date(2018, 8, 9, 15, 4, 5, 0, time.UTC), Device: vin}); event.Key() != want {
		t.Errorf("%+v, want %+v", event.Key(), want)
	}
	if later := event.At.Add(100 * time.Nanosecond); (table.EventKey{ID: "e1", At: later}).RowKey() >= event.Key().RowKey() {
		t.Error("the row of a newer event does not sort first")
	}
	click := gremlin.Click{ID: "c", Date: "2018-08-09", Stored: "2018-08-09.5"}
	if want := (gremlin.ClickKey{ID: "c", Date: "2018-08-09", Suffix: 5}); click.Key() != want {
		t.Errorf("%+v, want %+v", click.Key(), want)
	}
}

func TestValidate(t *testing.T) {
	long := func(n int) string { return strings.Repeat("x", n) }
	tests := []struct {
		name  string
		err   error
		field string // "" where the key as a whole is wrong
		ok    bool
	}{
		{name: "table", err: table.EventKey{ID: "e1", At: at, Device: vin}.Validate(), ok: true},
		{name: "table, no device", err: table.EventKey{ID: "e1", At: at}.Validate(), field: "Device"},
		{name: "table, no time", err: table.EventKey{ID: "e1", Device: vin}.Validate(), field: "At"},
		{name: "table, # in the id", err: table.EventKey{ID: "e#1", At: at, Device: vin}.Validate(), field: "ID"},
		{name: "table, the longest row", err: table.EventKey{ID: long(255 - 20), At: at, Device: vin}.Validate(), ok: true},
		{name: "table, a longer row", err: table.EventKey{ID: long(256 - 20), At: at, Device: vin}.Validate()},
		{name: "table, / in a property", err: table.OrderKey{ID: "o", TenantID: "a/b"}.Validate()},
		{name: "table, the longest key", err: table.OrderKey{ID: "o", TenantID: table.TenantID(long(512))}.Validate(), ok: true},
		{name: "table, a longer key", err: table.OrderKey{ID: "o", TenantID: table.TenantID(long(513))}.Validate()},
		{name: "table, no suffix", err: table.MarkKey{ID: "m", Date: "d", At: at}.Validate(), field: "Suffix"},
		{name: "table, no such suffix", err: table.ClickKey{ID: "c", Date: "d", Suffix: 9}.Validate(), field: "Suffix"},
		{name: "table, no id", err: table.SessionKey{}.Validate(), field: "ID"},

		{name: "mongo, / in the id", err: mongo.EventKey{ID: "e/1", At: at, Device: vin}.Validate(), ok: true},
		{name: "mongo, no device", err: mongo.EventKey{ID: "e1", At: at}.Validate(), field: "Device"},
		{name: "mongo, the longest id", err: mongo.OrderKey{ID: long(1023), TenantID: "t"}.Validate(), ok: true},
		{name: "mongo, a longer id", err: mongo.OrderKey{ID: long(1024), TenantID: "t"}.Validate(), field: "ID"},
		{name: "mongo, the longest key", err: mongo.OrderKey{ID: "o", TenantID: mongo.TenantID(long(2048))}.Validate(), ok: true},
		{name: "mongo, a longer key", err: mongo.OrderKey{ID: "o", TenantID: mongo.TenantID(long(2049))}.Validate()},
		{name: "mongo, a NUL", err: mongo.OrderKey{ID: "o", TenantID: "a\x00"}.Validate(), field: "TenantID"},

		{name: "gremlin", err: gremlin.DeviceKey{ID: vin, Region: "eu"}.Validate(), ok: true},
		{name: "gremlin, no region", err: gremlin.DeviceKey{ID: vin}.Validate(), field: "Region"},
		{name: "gremlin, ? in the id", err: gremlin.DeviceKey{ID: "a?", Region: "eu"}.Validate(), field: "ID"},
		{name: "gremlin, a longer key", err: gremlin.SiteKey{ID: "s", Country: long(2048)}.Validate()},
		{name: "gremlin, no suffix", err: gremlin.ClickKey{ID: "c", Date: "d"}.Validate(), field: "Suffix"},
	}
	for _, test := range tests {
		var wrong *partition.KeyError
		switch {
		case test.ok && test.err != nil:
			t.Errorf("%s: %v", test.name, test.err)
		case !test.ok && (!errors.As(test.err, &wrong) || wrong.Field != test.field):
			t.Errorf("%s: %v, want an error about %q", test.name, test.err, test.field)
		}
	}
}
