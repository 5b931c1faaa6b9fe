package roundtrip

import (
	"net/netip"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository"

	"example.com/service/telemetry"
)

func TestTelemetry(t *testing.T) {
	db := database(t)
	t.Run("Sample", func(t *testing.T) {
		r, c := in(t, db, telemetry.EnsureSampleContainer, telemetry.NewSampleRepository)
		d := &telemetry.Sample{ID: "s1", Identity: telemetry.Identity{DeviceID: "abc-123"}, At: at, Stamp: repository.NewTime(at), Axis: [3]int{1, 2, 3}}
		run(t, c, r, d.Key(), trip[telemetry.Sample]{
			document: d, key: `["abc-123-2024-06-01T02"]`, query: r.ByDeviceIDAndAt("abc-123", at).Where(telemetry.SampleFields.Stamp.Le(at)),
			changes: list(telemetry.SamplePatch.Firmware.Set("2.0"), telemetry.SamplePatch.Values.Set([]float64{0.1, 1e300})),
			changed: func(d *telemetry.Sample) { d.Firmware, d.Values = "2.0", []float64{0.1, 1e300} },
		})
	})
	t.Run("Heartbeat", func(t *testing.T) {
		r, c := in(t, db, telemetry.EnsureHeartbeatContainer, telemetry.NewHeartbeatRepository)
		d := &telemetry.Heartbeat{ID: "h1", Day: "2024-06-01", Stored: "2024-06-01.217", Interval: time.Minute}
		run(t, c, r, d.Key(), trip[telemetry.Heartbeat]{
			document: d, key: `["2024-06-01.217"]`, query: r.ByDay("2024-06-01"),
			changes: list(telemetry.HeartbeatPatch.Interval.Increment(time.Second)), changed: func(d *telemetry.Heartbeat) { d.Interval += time.Second },
		})
	})
	t.Run("Flow", func(t *testing.T) {
		r, c := in(t, db, telemetry.EnsureFlowContainer, telemetry.NewFlowRepository)
		source, destination := netip.MustParseAddr("2001:DB8::1"), netip.MustParseAddrPort("[::1]:443")
		d := &telemetry.Flow{ID: "f1", Source: source, Destination: destination, Bytes: 1}
		run(t, c, r, d.Key(), trip[telemetry.Flow]{
			document: d, key: `["[::1]:443|2001:db8::1"]`, query: r.ByDestinationAndSource(destination, source),
			changes: list(telemetry.FlowPatch.Bytes.Increment(1<<40), telemetry.FlowPatch.Protocol.Set("tcp")),
			changed: func(d *telemetry.Flow) { d.Bytes, d.Protocol = 1<<40+1, "tcp" },
		})
	})
	t.Run("Alarm", func(t *testing.T) {
		r, c := in(t, db, telemetry.EnsureAlarmContainer, telemetry.NewAlarmRepository)
		d := &telemetry.Alarm{ID: "a1", Site: "ber", Position: telemetry.Position{Floor: -1, Lat: 52.5}}
		d.Position.Room.Number = "0.12"
		run(t, c, r, d.Key(), trip[telemetry.Alarm]{
			document: d, key: `["ber.1"]`, query: r.BySite("ber"),
			changes: list(telemetry.AlarmPatch.Raised.Set(true), telemetry.AlarmPatch.Position.Lon.Set(13.4)),
			changed: func(d *telemetry.Alarm) { d.Raised, d.Position.Lon = true, 13.4 },
		})
	})
	t.Run("Firmware", func(t *testing.T) {
		r, c := in(t, db, telemetry.EnsureFirmwareContainer, telemetry.NewFirmwareRepository)
		d := &telemetry.Firmware{ID: "v1.2+b", Data: []byte{0, 255}, Checksum: [4]byte{1}, Channels: map[int]time.Time{1: at}}
		run(t, c, r, d.Key(), trip[telemetry.Firmware]{
			document: d, key: `["v1.2+b"]`, query: r.Scan(),
			changes: list(telemetry.FirmwarePatch.Data.Set([]byte("x")), telemetry.FirmwarePatch.Channels.Key("-2").Set(at)),
			changed: func(d *telemetry.Firmware) { d.Data, d.Channels[-2] = []byte("x"), at },
		})
	})
}
