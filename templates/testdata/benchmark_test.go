package behaviour

import (
	"slices"
	"strconv"
	"testing"
	"time"

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
	{"concat", func() any { return stringOf(reading.PartitionKey()) }, func() any { return stringOf(readingKey(&reading)) }},
	{"hash", func() any { return stringOf(vehicle.PartitionKey()) }, func() any { return stringOf(vehicleKey(&vehicle)) }},
	{"random", func() any { return stringOf(click.PartitionKey()) }, func() any { return stringOf(clickKey(&click)) }},
	{"time", func() any { return stringOf(daily.PartitionKey()) }, func() any { return stringOf(dailyKey(&daily)) }},
	{"lower", func() any { return stringOf(car.PartitionKey()) }, func() any { return stringOf(carKey(&car)) }},
	{"lower hash", func() any { return stringOf(ride.PartitionKey()) }, func() any { return stringOf(rideKey(&ride)) }},
	{"escape", func() any { return stringOf(parcel.PartitionKey()) }, func() any { return stringOf(parcelKey(&parcel)) }},
	{"ambiguous random", func() any { return stringOf(visit.PartitionKey()) }, func() any { return stringOf(visitKey(&visit)) }},
	{"hierarchical", func() any { return keyOf(event.PartitionKey()) }, func() any { return keyOf(eventKey(&event)) }},
	{"hierarchical hash", func() any { return keyOf(metric.PartitionKey()) }, func() any { return keyOf(metricKey(&metric)) }},
}

func readingKey(r *concat.Reading) string {
	var buf [64]byte
	b := append(buf[:0], r.DeviceID...)
	b = append(b, '-')
	b = strconv.AppendInt(b, int64(r.Date), 10)
	return string(b)
}

func vehicleKey(v *fleet.VehicleEvent) string {
	var buf [64]byte
	b := append(buf[:0], v.Date...)
	b = append(b, '.')
	b = strconv.AppendInt(b, int64(partition.Hash{}.Text(v.VIN).Bucket(400)), 10)
	return string(b)
}

func clickKey(c *clickstream.Click) string {
	suffix := partition.Suffix(c.Stored, ".", 400)
	if suffix == 0 {
		return ""
	}
	var buf [64]byte
	b := append(buf[:0], c.Date...)
	b = append(b, '.')
	b = strconv.AppendInt(b, int64(suffix), 10)
	return string(b)
}

func dailyKey(d *times.Daily) string {
	var buf [64]byte
	b := d.At.UTC().AppendFormat(buf[:0], "2006-01-02")
	return string(b)
}

func carKey(c *lower.Car) string {
	var buf [64]byte
	b := partition.AppendLower(buf[:0], c.VIN)
	b = append(b, '/')
	b = partition.AppendLower(b, string(c.Maker))
	return string(b)
}

func rideKey(r *lower.Ride) string {
	var buf [64]byte
	b := append(buf[:0], r.Date...)
	b = append(b, '.')
	b = strconv.AppendInt(b, int64(partition.Hash{}.Lower(r.VIN).Bucket(16)), 10)
	return string(b)
}

func parcelKey(p *escape.Parcel) string {
	var buf [64]byte
	b := partition.AppendEscaped(buf[:0], p.Sender, "|.")
	b = append(b, '|')
	b = strconv.AppendInt(b, int64(p.N), 10)
	b = append(b, '.')
	b = strconv.AppendInt(b, int64(partition.Hash{}.Text(p.VIN).Bucket(16)), 10)
	return string(b)
}

func visitKey(v *ambiguous.Visit) string {
	suffix := partition.Suffix(v.Stored, ".", 9)
	if suffix == 0 {
		return ""
	}
	var buf [64]byte
	b := append(buf[:0], v.Page...)
	b = append(b, '-')
	b = append(b, v.User...)
	b = append(b, '.')
	b = strconv.AppendInt(b, int64(suffix), 10)
	return string(b)
}

func eventKey(e *hierarchy.Event) azcosmos.PartitionKey {
	var buf [64]byte
	b := e.At.UTC().AppendFormat(buf[:0], "2006-01")
	return azcosmos.NewPartitionKey().AppendString(string(e.TenantID)).AppendString(e.UserID).AppendString(string(b))
}

func metricKey(m *hierarchy.Metric) azcosmos.PartitionKey {
	var buf [64]byte
	b := m.Day.UTC().AppendFormat(buf[:0], "2006-01-02")
	b = append(b, '.')
	b = strconv.AppendInt(b, int64(partition.Hash{}.Text(m.VIN).Bucket(16)), 10)
	var other [64]byte
	host := partition.AppendLower(other[:0], m.Host)
	return azcosmos.NewPartitionKey().AppendString(string(b)).AppendString(string(host)).AppendString(m.ID)
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

// batch is how many keys are made between two looks at the clock.
const batch = 2000

// BenchmarkPartitionKey makes keys by generated code and by hand, in turns, so
// that both meet the same weather. It reports the medians of a key's time, and
// their ratio.
func BenchmarkPartitionKey(b *testing.B) {
	for _, l := range layouts {
		b.Run(l.name, func(b *testing.B) {
			var generated, hand []float64
			for b.Loop() {
				generated = append(generated, timeOf(l.generated))
				hand = append(hand, timeOf(l.hand))
			}
			slices.Sort(generated)
			slices.Sort(hand)
			g, h := generated[len(generated)/2], hand[len(hand)/2]
			b.ReportMetric(g, "ns/generated")
			b.ReportMetric(h, "ns/hand")
			b.ReportMetric(g/h, "ratio")
			b.ReportMetric(testing.AllocsPerRun(100, func() { l.generated() }), "allocs/generated")
			b.ReportMetric(testing.AllocsPerRun(100, func() { l.hand() }), "allocs/hand")
			b.ReportMetric(0, "ns/op") // which would be of two batches
		})
	}
}

// timeOf returns the nanoseconds of a call.
func timeOf(f func() any) float64 {
	start := time.Now()
	for range batch {
		f()
	}
	return float64(time.Since(start).Nanoseconds()) / batch
}
