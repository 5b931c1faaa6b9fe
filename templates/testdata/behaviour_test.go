// Package behaviour runs the code of the golden files. It is compiled within a
// module of which those are packages.
package behaviour

import (
	"errors"
	"net/netip"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/partition"

	"golden.test/clickstream"
	"golden.test/concat"
	"golden.test/fleet"
	"golden.test/hash"
	"golden.test/itemid"
	"golden.test/names"
	"golden.test/natural"
	"golden.test/placed"
	"golden.test/stored"
	"golden.test/times"
)

// noon is 2018-08-09 12:30 UTC, which is the 10th in this zone.
var noon = time.Date(2018, 8, 10, 2, 30, 0, 0, time.FixedZone("", 14*60*60))

var sample = concat.Sample{
	ID: "1", Region: "eu", Line: -3, Slot: 1 << 63, Live: true, At: noon,
	Owner: netip.MustParseAddr("10.0.0.1"), Batch: concat.Batch{N: 7}, Long: -1,
}

func TestPartitionKey(t *testing.T) {
	trip := hash.Trip{
		At: noon, VIN: "v", Leg: -1, Seq: 2, Urgent: true, Driver: sample.Owner, Batch: hash.Batch{N: 7}, Region: "eu", Done: noon,
	}
	address := &stored.Resource{Subscription: "s", Group: "g", Inner: &stored.Inner{Name: "n"}}
	tests := []struct{ name, got, want string }{
		{"hash suffix", (&fleet.VehicleEvent{Date: "2018-08-09", VIN: "1HGCM82633A004352"}).PartitionKey(), "2018-08-09.126"},
		{"concat", (&concat.Reading{DeviceID: "abc-123", Date: 2018}).PartitionKey(), "abc-123-2018"},
		{"concat of every kind", sample.PartitionKey(), "r:eu::-3-9223372036854775808-true-2018-08-09/10.0.0.1/7'-1"},
		{"hash of every kind", trip.PartitionKey(), "2018-08." +
			strconv.Itoa(partition.Hash{}.Text("v").Text("-1").Text("2").Text("true").Text("10.0.0.1").Text("7").Text("eu").Text("2018-08-09").Bucket(31))},
		{"hash of the id", (&hash.Part{ID: "1HGCM82633A004352", Date: "d"}).PartitionKey(),
			"d." + strconv.Itoa(partition.Hash{}.Text("1HGCM82633A004352").Bucket(16))},
		{"hash without base", (&hash.Lone{VIN: "a"}).PartitionKey(), "b" + strconv.Itoa(partition.Hash{}.Text("a").Bucket(16)) + "-x"},
		{"random suffix", (&clickstream.Click{Date: "2018-08-09", Stored: "2018-08-09.217"}).PartitionKey(), "2018-08-09.217"},
		{"random suffix and a new base", (&clickstream.Click{Date: "2018-08-10", Stored: "2018-08-09.217"}).PartitionKey(), "2018-08-10.217"},
		{"no random suffix yet", (&clickstream.Click{Date: "2018-08-09"}).PartitionKey(), ""},
		{"no legal random suffix", (&clickstream.Click{Date: "2018-08-09", Stored: "2018-08-09.401"}).PartitionKey(), ""},
		{"random suffix behind pointers", (&clickstream.Beat{ID: "b", Suffix: "x", At: noon, Meta: &clickstream.Meta{Stored: "b:x:2018-08-09T12::7"}}).PartitionKey(),
			"b:x:2018-08-09T12::7"},
		{"a nil pointer before the suffix", (&clickstream.Beat{ID: "b", Suffix: "x", At: noon}).PartitionKey(), ""},
		{"methods=none", clickstream.PulseKeyOf(&clickstream.Pulse{Stored: "p.2"}).PartitionKey(), "p.2"},
		{"item id", (&itemid.Session{ID: "s1"}).PartitionKey(), "s1"},
		{"item id of another name", (&itemid.Device{SerialNumber: "s2"}).Key().ID, "s2"},
		{"natural", (&natural.Order{TenantID: "acme"}).PartitionKey(), "acme"},
		{"behind pointers", (&stored.Account{Region: "r", Resource: address}).PartitionKey(), "s-g-r-n"},
		{"a nil pointer", (&stored.Account{Region: "r"}).PartitionKey(), "--r-"},
		{"a nil pointer further on", (&stored.Account{Region: "r", Resource: &stored.Resource{Group: "g"}}).PartitionKey(), "-g-r-"},
		{"times", (&times.Period{Year: noon, Month: noon, Day: noon, Hour: noon, Other: noon}).PartitionKey(),
			"2018-2018-08-2018-08-09-2018-08-09T12-2018/08"},
		{"a time twice", (&times.Twice{At: noon}).PartitionKey(), "2018/2018-08-09/2018-08"},
		{"names", names.RepositoryKey{Type: "a", PartitionKeyValue: "b"}.PartitionKey(), "a-------b"},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s: %q, want %q", test.name, test.got, test.want)
		}
	}
}

func TestNaturalScalars(t *testing.T) {
	tests := []struct {
		name      string
		got, want azcosmos.PartitionKey
	}{
		{"int", (&natural.Invoice{Number: -2018}).PartitionKey(), azcosmos.NewPartitionKeyNumber(-2018)},
		{"uint", (&natural.Meter{Serial: 7}).PartitionKey(), azcosmos.NewPartitionKeyNumber(7)},
		{"float", (&natural.Gauge{Level: 0.5}).PartitionKey(), azcosmos.NewPartitionKeyNumber(0.5)},
		{"named bool", (&natural.Flag{Active: true}).PartitionKey(), azcosmos.NewPartitionKeyBool(true)},
		{"bool", (&natural.Toggle{}).PartitionKey(), azcosmos.NewPartitionKeyBool(false)},
	}
	for _, test := range tests {
		if !reflect.DeepEqual(test.got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, test.got, test.want)
		}
	}
}

// TestKeyIsComparable expects equal keys of times within one period, however
// they are written.
func TestKeyIsComparable(t *testing.T) {
	a := times.Twice{ID: "1", At: noon}
	b := times.Twice{ID: "1", At: noon.UTC().Add(-12 * time.Hour)}
	if a.Key() != b.Key() {
		t.Errorf("%+v and %+v differ", a.Key(), b.Key())
	}
	b.At = noon.Add(12 * time.Hour)
	if a.Key() == b.Key() {
		t.Error("keys of two days are equal")
	}
}

func TestValidate(t *testing.T) {
	legal := sample.Key()
	change := func(change func(*concat.SampleKey)) error {
		key := legal
		change(&key)
		return key.Validate()
	}
	tests := []struct {
		name  string
		err   error
		field string // "" where the key as a whole is wrong
		ok    bool
	}{
		{name: "legal", err: legal.Validate(), ok: true},
		{name: "id", err: change(func(k *concat.SampleKey) { k.ID = "a/b" }), field: "ID"},
		{name: "empty string", err: change(func(k *concat.SampleKey) { k.Region = "" }), field: "Region"},
		{name: "zero time", err: change(func(k *concat.SampleKey) { k.At = time.Time{} }), field: "At"},
		{name: "empty text form", err: change(func(k *concat.SampleKey) { k.Owner = netip.Addr{} }), field: "Owner"},
		{name: "too long", err: change(func(k *concat.SampleKey) { k.Region = concat.Region(strings.Repeat("x", 2048)) })},
		{name: "hashed field", err: fleet.VehicleEventKey{ID: "1", Date: "d"}.Validate(), field: "VIN"},
		{name: "no suffix", err: clickstream.ClickKey{ID: "1", Date: "d"}.Validate(), field: "Suffix"},
		{name: "suffix", err: clickstream.ClickKey{ID: "1", Date: "d", Suffix: 400}.Validate(), ok: true},
		{name: "item id", err: itemid.SessionKey{ID: "a?b"}.Validate(), field: "ID"},
		{name: "item id that is no key", err: itemid.SessionKey{ID: "\U0001f600"}.Validate(), field: "ID"},
		{name: "integer", err: natural.InvoiceKey{ID: "1", Number: 1<<53 + 1}.Validate(), field: "Number"},
		{name: "unsigned integer", err: natural.MeterKey{ID: "1", Serial: 1<<53 + 1}.Validate(), field: "Serial"},
		{name: "zero", err: natural.InvoiceKey{ID: "1"}.Validate(), ok: true},
		{name: "bool", err: natural.FlagKey{ID: "1"}.Validate(), ok: true},
		{name: "nil pointer", err: (&stored.Account{ID: "1", Region: "r"}).Key().Validate(), field: "Resource.Subscription"},
	}
	for _, test := range tests {
		var keyError *partition.KeyError
		switch {
		case test.ok && test.err != nil:
			t.Errorf("%s: %v", test.name, test.err)
		case !test.ok && (!errors.As(test.err, &keyError) || keyError.Field != test.field):
			t.Errorf("%s: %v, want an error about %q", test.name, test.err, test.field)
		}
	}
}

func TestAllocations(t *testing.T) {
	order := natural.Order{ID: "1", TenantID: "acme"}
	event := fleet.VehicleEvent{ID: "1", Date: "2018-08-09", VIN: "1HGCM82633A004352"}
	reading := concat.Reading{ID: "1", DeviceID: "abc-123", Date: 2018}
	var text string
	tests := []struct {
		name string
		f    func()
		want float64
	}{
		{"natural key", func() { text = order.PartitionKey() }, 0},
		{"hash suffix", func() { text = event.PartitionKey() }, 1},
		{"concat", func() { text = reading.PartitionKey() }, 1},
	}
	for _, test := range tests {
		if got := testing.AllocsPerRun(100, test.f); got != test.want {
			t.Errorf("%s: %v allocations, want %v", test.name, got, test.want)
		}
	}
	_ = text
}

func TestContainers(t *testing.T) {
	tests := []struct{ name, got, want string }{
		{"a month", (&placed.Measurement{At: noon}).Key().Container(), "telemetry-2018-08"},
		{"any time of a month", placed.MeasurementKey{At: noon}.Container(), "telemetry-2018-08"},
		{"a tenant", placed.OrderKey{TenantID: "Contoso-EU"}.Container(), "orders-_43ontoso-_45_55"},
		{"a region and a month", placed.ReadingKey{Region: "eu-west", At: noon}.Container(), "eu_2dwest-201808-v2"},
		{"every kind", placed.TallyKey{Line: -3, Serial: 7, On: true, Owner: sample.Owner, ContainerValue: "ä", At: noon}.Container(),
			"_2d3-7-true-10_2e0_2e0_2e1-_c3_a4-2018-08-09-12"},
		{"the properties", placed.OrderContainer("a").ID, "orders-a"},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s: %q, want %q", test.name, test.got, test.want)
		}
	}
	key := placed.OrderKey{TenantID: "contoso"}
	var id string
	if n := testing.AllocsPerRun(100, func() { id = key.Container() }); n != 1 {
		t.Errorf("%q costs %v allocations", id, n)
	}
	var problem *partition.KeyError
	for field, key := range map[string]interface{ Validate() error }{
		"TenantID": placed.OrderKey{ID: "1", TenantID: placed.TenantID(strings.Repeat("a", 249)), CustomerID: "c"},
		"At":       placed.MeasurementKey{ID: "1", DeviceID: "d"},
		"Region":   placed.ReadingKey{ID: "1", DeviceID: "d", At: noon},
	} {
		if err := key.Validate(); !errors.As(err, &problem) || problem.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}
