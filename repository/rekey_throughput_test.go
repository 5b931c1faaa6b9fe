package repository_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// rate is what a bulk operation has done.
type rate struct {
	requests, documents int
	took                time.Duration
}

func (r rate) perSecond(n int) float64 { return float64(n) / r.took.Seconds() }

// upsertsAndRekeys stores documents by UpsertAll of the release before, and moves those of
// them that have other keys by Rekey, at the same concurrency.
func upsertsAndRekeys(t testing.TB, container *azcosmos.ContainerClient, n, concurrency int, requests func() int) (upserts, moves rate) {
	t.Helper()
	before := repository.New(container, release{now: 4}.model(), repository.WithConcurrency(concurrency))
	second := repository.New(container, release{now: 12, was: []int{4}}.model(), repository.WithConcurrency(concurrency))
	var docs []*ride
	for i := range n {
		docs = append(docs, &ride{ID: fmt.Sprintf("e%d", i), Day: kit.Day, VIN: fmt.Sprintf("V%d", i), Speed: i})
	}
	if err := second.Create(t.Context(), &ride{ID: "e", Day: kit.Day, VIN: "V"}); err != nil { // also reads metadata
		t.Fatal(err)
	}
	began, sent := time.Now(), requests()
	if _, err := before.UpsertAll(documents.Items(docs...)).Collect(t.Context()); err != nil {
		t.Fatal(err)
	}
	upserts = rate{requests() - sent, n, time.Since(began)}
	began, sent = time.Now(), requests()
	s, err := admin.Rekey(t.Context(), second, admin.Run{})
	if err != nil || s.Left != 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	return upserts, rate{requests() - sent, s.Changed, time.Since(began)}
}

// TestRekeyThroughput compares Rekey with UpsertAll in virtual time: almost as many
// requests are under way, of which a document takes four.
func TestRekeyThroughput(t *testing.T) {
	harness.Unraced(t)
	seeds.Gate(t, "many documents")
	t.Parallel()
	for _, concurrency := range []int{8, 32} {
		synctest.Test(t, func(t *testing.T) {
			v := newVirtualRides(t, 5*time.Millisecond, 0)
			upserts, moves := upsertsAndRekeys(t, v.Container("rides", repository.Configure(nil)), 4000, concurrency, v.Requests)
			ratio := moves.perSecond(moves.requests) / upserts.perSecond(upserts.requests)
			if documents := 4 * moves.perSecond(moves.documents) / upserts.perSecond(upserts.documents); ratio < 0.95 || documents < 0.95 {
				t.Errorf("%d at once: %.3f of the requests a second of UpsertAll, and four times the documents are %.3f", concurrency, ratio, documents)
			}
			t.Logf("%d at once: UpsertAll %+v, Rekey %+v: ratio of requests a second %.3f, of documents %.3f", concurrency, upserts, moves, ratio, moves.perSecond(moves.documents)/upserts.perSecond(upserts.documents))
		})
	}
}

// BenchmarkRekey compares Rekey with UpsertAll at the same concurrency: requests and
// documents a second of both, and the ratio of the requests.
func BenchmarkRekey(b *testing.B) {
	var upserts, moves rate
	for b.Loop() {
		srv, container := harness.NewContainer(b, emulator.Options{Partitions: 4, Latency: kit.BenchLatency}, harness.Properties("rides", "/pk"), repository.Configure(nil))
		u, m := upsertsAndRekeys(b, container, kit.BulkWrites, 16, func() int { return len(srv.Requests()) })
		upserts = rate{upserts.requests + u.requests, upserts.documents + u.documents, upserts.took + u.took}
		moves = rate{moves.requests + m.requests, moves.documents + m.documents, moves.took + m.took}
	}
	b.ReportMetric(upserts.perSecond(upserts.requests), "upserts/s")
	b.ReportMetric(moves.perSecond(moves.requests), "requests/s")
	b.ReportMetric(moves.perSecond(moves.documents), "moves/s")
	b.ReportMetric(moves.perSecond(moves.requests)/upserts.perSecond(upserts.requests), "ratio")
}
