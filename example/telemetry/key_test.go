package telemetry_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/cosmos-pkgen/pkgen/example/telemetry"
)

var sink string

func TestPartitionKey(t *testing.T) {
	r := telemetry.Reading{DeviceID: "abc-123", Date: 2018}
	if got, want := r.PartitionKey(), "abc-123-2018"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestPartitionKeyAllocatesOnce(t *testing.T) {
	r := telemetry.Reading{DeviceID: "abc-123", Date: 2018}
	if n := testing.AllocsPerRun(100, func() { sink = r.PartitionKey() }); n > 1 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkPartitionKey(b *testing.B) {
	r := telemetry.Reading{DeviceID: "abc-123", Date: 2018}
	b.Run("generated", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			sink = r.PartitionKey()
		}
	})
	b.Run("by-hand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			sink = r.DeviceID + "-" + strconv.FormatUint(uint64(r.Date), 10)
		}
	})
	b.Run("sprintf", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			sink = fmt.Sprintf("%s-%d", r.DeviceID, r.Date)
		}
	})
}
