package behaviour

import (
	"strconv"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/partition"

	"golden.test/ambiguous"
	"golden.test/clickstream"
	"golden.test/concat"
	"golden.test/escape"
	"golden.test/fleet"
	"golden.test/hierarchy"
	"golden.test/lower"
	"golden.test/times"
)

var (
	reading = concat.Reading{ID: "1", DeviceID: "abc-123", Date: 2018}
	vehicle = fleet.VehicleEvent{ID: "1", Date: "2018-08-09", VIN: "1HGCM82633A004352"}
	click   = clickstream.Click{ID: "1", Date: "2018-08-09", Stored: "2018-08-09.217"}
	daily   = times.Daily{ID: "1", At: noon}
	car     = lower.Car{ID: "1", VIN: "1HGCM82633A004352", Maker: "Honda"}
	ride    = lower.Ride{ID: "1", Date: "2018-08-09", VIN: "1HGCM82633A004352"}
	parcel  = escape.Parcel{ID: "1", Sender: "Ada|Grace 100%", N: -7, VIN: "1HGCM82633A004352"}
	visit   = ambiguous.Visit{ID: "1", Page: "index", User: "ada", Stored: "index-ada.7"}
	event   = hierarchy.Event{ID: "1", TenantID: "contoso", UserID: "ada", At: noon}
	metric  = hierarchy.Metric{ID: "1", Day: noon, VIN: "1HGCM82633A004352", Host: "Web-1"}
)

// layouts holds, for each layout, what is generated and what one would write by
// hand for the same document.
var layouts = []struct {
	name            string
	generated, hand func() any
}{
	{"concat", func() any { return stringOf(reading.PartitionKey()) }, func() any {
		var buf [64]byte
		b := append(buf[:0], reading.DeviceID...)
		b = append(b, '-')
		b = strconv.AppendInt(b, int64(reading.Date), 10)
		return stringOf(string(b))
	}},
	{"hash", func() any { return stringOf(vehicle.PartitionKey()) }, func() any {
		var buf [64]byte
		b := append(buf[:0], vehicle.Date...)
		b = append(b, '.')
		b = strconv.AppendInt(b, int64(partition.Hash{}.Text(vehicle.VIN).Bucket(400)), 10)
		return stringOf(string(b))
	}},
	{"random", func() any { return stringOf(click.PartitionKey()) }, func() any {
		var buf [64]byte
		b := append(buf[:0], click.Date...)
		b = append(b, '.')
		b = strconv.AppendInt(b, int64(partition.Suffix(click.Stored, ".", 400)), 10)
		return stringOf(string(b))
	}},
	{"time", func() any { return stringOf(daily.PartitionKey()) }, func() any {
		var buf [64]byte
		b := daily.At.UTC().AppendFormat(buf[:0], "2006-01-02")
		return stringOf(string(b))
	}},
	{"lower", func() any { return stringOf(car.PartitionKey()) }, func() any {
		var buf [64]byte
		b := partition.AppendLower(buf[:0], car.VIN)
		b = append(b, '/')
		b = partition.AppendLower(b, string(car.Maker))
		return stringOf(string(b))
	}},
	{"lower hash", func() any { return stringOf(ride.PartitionKey()) }, func() any {
		var buf [64]byte
		b := append(buf[:0], ride.Date...)
		b = append(b, '.')
		b = strconv.AppendInt(b, int64(partition.Hash{}.Lower(ride.VIN).Bucket(16)), 10)
		return stringOf(string(b))
	}},
	{"escape", func() any { return stringOf(parcel.PartitionKey()) }, func() any {
		var buf [64]byte
		b := partition.AppendEscaped(buf[:0], parcel.Sender, "|.")
		b = append(b, '|')
		b = strconv.AppendInt(b, int64(parcel.N), 10)
		b = append(b, '.')
		b = strconv.AppendInt(b, int64(partition.Hash{}.Text(parcel.VIN).Bucket(16)), 10)
		return stringOf(string(b))
	}},
	{"ambiguous random", func() any { return stringOf(visit.PartitionKey()) }, func() any {
		var buf [64]byte
		b := append(buf[:0], visit.Page...)
		b = append(b, '-')
		b = append(b, visit.User...)
		b = append(b, '.')
		b = strconv.AppendInt(b, int64(partition.Suffix(visit.Stored, ".", 9)), 10)
		return stringOf(string(b))
	}},
	{"hierarchical", func() any { return keyOf(event.PartitionKey()) }, func() any {
		var buf [64]byte
		b := event.At.UTC().AppendFormat(buf[:0], "2006-01")
		return keyOf(azcosmos.NewPartitionKey().AppendString(string(event.TenantID)).AppendString(event.UserID).AppendString(string(b)))
	}},
	{"hierarchical hash", func() any { return keyOf(metric.PartitionKey()) }, func() any {
		var buf [64]byte
		b := metric.Day.UTC().AppendFormat(buf[:0], "2006-01-02")
		b = append(b, '.')
		b = strconv.AppendInt(b, int64(partition.Hash{}.Text(metric.VIN).Bucket(16)), 10)
		var other [64]byte
		host := partition.AppendLower(other[:0], metric.Host)
		return keyOf(azcosmos.NewPartitionKey().AppendString(string(b)).AppendString(string(host)).AppendString(metric.ID))
	}},
}

// The results go through these, so that neither side is compiled away, nor pays
// for an interface.
var (
	stringSink string
	keySink    azcosmos.PartitionKey
)

func stringOf(key string) any {
	stringSink = key
	return &stringSink
}

func keyOf(key azcosmos.PartitionKey) any {
	keySink = key
	return &keySink
}

// BenchmarkPartitionKey makes keys by generated code and by hand.
func BenchmarkPartitionKey(b *testing.B) {
	for _, l := range layouts {
		for _, side := range []struct {
			name string
			f    func() any
		}{{"generated", l.generated}, {"hand", l.hand}} {
			b.Run(l.name+"/"+side.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					side.f()
				}
			})
		}
	}
}
