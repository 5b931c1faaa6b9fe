package fleet_test

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"testing"

	"github.com/cosmos-pkgen/pkgen/example/fleet"
)

var sink string

func TestPartitionKey(t *testing.T) {
	e := fleet.VehicleEvent{Date: "2018-08-09", VIN: "1HGCM82633A004352"}
	if got, want := e.PartitionKey(), "2018-08-09.126"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := (&fleet.VehicleEvent{}).PartitionKey(); got != ".124" {
		t.Errorf("an empty event has the key %q", got) // refused by Validate, but no panic
	}
}

func TestPartitionKeyAllocatesOnce(t *testing.T) {
	e := fleet.VehicleEvent{Date: "2018-08-09", VIN: "1HGCM82633A004352"}
	if n := testing.AllocsPerRun(100, func() { sink = e.PartitionKey() }); n > 1 {
		t.Errorf("%v allocations", n)
	}
}

// byHand is the key as one would write it for speed.
func byHand(date, vin string) string {
	h := uint32(2166136261)
	for i := range len(vin) {
		h = (h ^ uint32(vin[i])) * 16777619
	}
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	h ^= h >> 16
	var buf [64]byte
	b := append(buf[:0], date...)
	b = append(b, '.')
	b = strconv.AppendInt(b, int64(h%400)+1, 10)
	return string(b)
}

// bySprintf is the key as most write it.
func bySprintf(date, vin string) string {
	h := fnv.New32a()
	h.Write([]byte(vin))
	return fmt.Sprintf("%s.%d", date, h.Sum32()%400+1)
}

func BenchmarkPartitionKey(b *testing.B) {
	e := fleet.VehicleEvent{Date: "2018-08-09", VIN: "1HGCM82633A004352"}
	b.Run("generated", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			sink = e.PartitionKey()
		}
	})
	b.Run("by-hand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			sink = byHand(e.Date, e.VIN)
		}
	})
	b.Run("sprintf", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			sink = bySprintf(e.Date, e.VIN)
		}
	})
}
