package migrate

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// BenchmarkThroughput compares a copy with UpsertAll of a program, which sends as many
// writes at the same time, and has nothing to read: documents a second of both, and their
// ratio.
func BenchmarkThroughput(b *testing.B) {
	const n, workers = 12_000, 32
	text, err := os.ReadFile("../../../../example/fleet/pkgen.lock")
	if err != nil {
		b.Fatal(err)
	}
	entries, problem := lock.Parse(text)
	if problem != nil {
		b.Fatal(problem)
	}
	entry, _ := entries.Find("VehicleEvent")
	var upserting, copying time.Duration
	for b.Loop() {
		srv := harness.New(b, emulator.Options{Partitions: 4, Latency: 5 * time.Millisecond}, repository.Configure(nil))
		source := fleet.NewVehicleEventRepository(srv.Create(harness.Properties("source", entry.Path)), repository.WithConcurrency(workers))
		srv.Create(harness.Properties("copy", entry.Path))
		srv.Create(harness.Properties("state", "/id"))
		all := make([]*fleet.VehicleEvent, n)
		for i := range all {
			all[i] = &fleet.VehicleEvent{ID: fmt.Sprint(i), Date: "2018-08-09", VIN: fmt.Sprintf("1HGCM82633A%06d", i)}
		}
		began := time.Now()
		if _, err := source.UpsertAll(documents.Items(all...)).Collect(b.Context()); err != nil {
			b.Fatal(err)
		}
		upserting += time.Since(began)
		began = time.Now()
		copyAll(b, srv, entry, workers)
		copying += time.Since(began)
	}
	b.ReportMetric(float64(n*b.N)/upserting.Seconds(), "upserts/s")
	b.ReportMetric(float64(n*b.N)/copying.Seconds(), "copies/s")
	b.ReportMetric(upserting.Seconds()/copying.Seconds(), "ratio")
}

// copyAll copies a container over the network.
func copyAll(b *testing.B, srv *harness.Account, entry lock.Entry, workers int) {
	b.Helper()
	a, err := account.Open(srv.ConnectionString())
	if err != nil {
		b.Fatal(err)
	}
	o := Options{Account: a, Types: []lock.Entry{entry}, Workers: workers, pauses: usual}
	for id, c := range map[string]**account.Container{"source": &o.From, "copy": &o.To, "state": &o.State} {
		if *c, err = a.Container(context.Background(), harness.Database, id); err != nil {
			b.Fatal(err)
		}
	}
	m, err := New(b.Context(), o)
	if err == nil {
		err = m.Run(b.Context())
	}
	if err != nil {
		b.Fatal(err)
	}
}
