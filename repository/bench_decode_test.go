package repository_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// canned is a transport that answers every query with the same pages, so that
// benchmarks measure only the client.
type canned struct{ pages [][]byte }

func (c canned) Do(r *http.Request) (*http.Response, error) {
	body := []byte(`{"writableLocations":[],"readableLocations":[],"userConsistencyPolicy":{"defaultConsistencyLevel":"Session"}}`)
	header := http.Header{"Content-Type": {"application/json"}, "X-Ms-Request-Charge": {"2.5"}}
	if strings.HasSuffix(r.URL.Path, "/docs") {
		n := 0
		_, _ = fmt.Sscan(r.Header.Get("x-ms-continuation"), &n)
		body = c.pages[n]
		if n+1 < len(c.pages) {
			header.Set("x-ms-continuation", fmt.Sprint(n+1))
		}
	}
	return &http.Response{
		StatusCode: http.StatusOK, Status: "200 OK", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: r,
	}, nil
}

// newCanned is a container whose queries give so many pages of events.
func newCanned(tb testing.TB, pages, events int) *azcosmos.ContainerClient {
	tb.Helper()
	var c canned
	for p := range pages {
		var docs []json.RawMessage
		for i := range events {
			e := kit.Event(p*events + i)
			doc, err := json.Marshal(map[string]any{
				"id": e.ID, "date": e.Date, "vin": e.VIN, "at": "2018-08-09T06:05:04Z", "speed": e.Speed, "partitionKey": e.PartitionKey(),
				"_rid": fmt.Sprintf("%014d==", p*events+i), "_self": "dbs/a/colls/b/docs/c/", "_etag": "\"0\"", "_attachments": "attachments/", "_ts": 1533794704,
			})
			if err != nil {
				tb.Fatal(err)
			}
			docs = append(docs, doc)
		}
		page, err := json.Marshal(map[string]any{"_rid": "a==", "Documents": docs, "_count": len(docs)})
		if err != nil {
			tb.Fatal(err)
		}
		c.pages = append(c.pages, page)
	}
	credential, err := azcosmos.NewKeyCredential(emulator.WellKnownKey)
	if err != nil {
		tb.Fatal(err)
	}
	options := repository.Configure(nil)
	options.Transport = c
	client, err := azcosmos.NewClientWithKey("http://canned.example/", credential, options)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(client.Close)
	container, err := client.NewContainer("db", "events")
	if err != nil {
		tb.Fatal(err)
	}
	return container
}

// collectByHand reads a logical partition with the SDK and decodes it.
func collectByHand(container *azcosmos.ContainerClient, key string) ([]*fleet.VehicleEvent, error) {
	var all []*fleet.VehicleEvent
	pager := container.NewQueryItemsPager(`SELECT * FROM c WHERE (c["vin"] = @vin)`, azcosmos.NewPartitionKeyString(key),
		&azcosmos.QueryOptions{QueryParameters: []azcosmos.QueryParameter{{Name: "@vin", Value: "v"}}})
	for pager.More() {
		page, err := pager.NextPage(context.Background())
		if err != nil {
			return nil, err
		}
		for _, raw := range page.Items {
			e := new(fleet.VehicleEvent)
			if err := json.Unmarshal(raw, e); err != nil {
				return nil, err
			}
			all = append(all, e)
		}
	}
	return all, nil
}

// BenchmarkDecode compares the reading of ten pages of 100 documents, without a
// server.
func BenchmarkDecode(b *testing.B) {
	container := newCanned(b, 10, 100)
	events := fleet.NewVehicleEventRepository(container)
	key := fleet.VehicleEventKey{Date: kit.Day, VIN: "v"}.PartitionKey()
	for name, f := range map[string]func() ([]*fleet.VehicleEvent, error){
		"ours": func() ([]*fleet.VehicleEvent, error) {
			return events.ByDateAndVIN(kit.Day, "v").Collect(context.Background())
		},
		"byHand": func() ([]*fleet.VehicleEvent, error) { return collectByHand(container, key) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if docs, err := f(); err != nil || len(docs) != 1000 {
					b.Fatal(len(docs), err)
				}
			}
		})
	}
}

// TestAllocationsOfARequest bounds what a request of a fan-out allocates besides
// the SDK and the decoding of documents.
func TestAllocationsOfARequest(t *testing.T) {
	container := newCanned(t, 1, 1)
	events := fleet.NewVehicleEventRepository(container,
		repository.WithStrategy(repository.PerKey), repository.WithConcurrency(1))
	run := func(f func() ([]*fleet.VehicleEvent, error)) float64 {
		return testing.AllocsPerRun(5, func() {
			if docs, err := f(); err != nil || len(docs) != kit.BenchBuckets {
				t.Fatal(len(docs), err)
			}
		})
	}
	byHand := run(func() ([]*fleet.VehicleEvent, error) {
		return handwritten[*fleet.VehicleEvent](bench{container: container}, 1, "SELECT * FROM c")
	})
	ours := run(func() ([]*fleet.VehicleEvent, error) { return events.ByDate(kit.Day).Collect(context.Background()) })
	if extra := (ours - byHand) / kit.BenchBuckets; extra > 5 {
		t.Errorf("%.1f extra allocations a request", extra)
	}
}

// BenchmarkRequest is what a request costs the client: 400 queries, one after the
// other, that give one document each.
func BenchmarkRequest(b *testing.B) {
	container := newCanned(b, 1, 1)
	events := fleet.NewVehicleEventRepository(container,
		repository.WithStrategy(repository.PerKey), repository.WithConcurrency(1))
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if docs, err := events.ByDate(kit.Day).Collect(context.Background()); err != nil || len(docs) != kit.BenchBuckets {
				b.Fatal(len(docs), err)
			}
		}
	})
	b.Run("byHand", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			docs, err := handwritten[*fleet.VehicleEvent](bench{container: container}, 1, "SELECT * FROM c")
			if err != nil || len(docs) != kit.BenchBuckets {
				b.Fatal(len(docs), err)
			}
		}
	})
}
