package bulk

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// Benchmarks of ten thousand writes, a hundred to a logical partition, compared
// with what a program would write with azcosmos. Requests take 5 ms.

// BenchmarkBulk compares upserts in batches with single ones, and these with
// goroutines that call azcosmos.
func BenchmarkBulk(b *testing.B) {
	for _, concurrency := range []int{16, 32} {
		docs := slices.Collect(kit.NotesOf(kit.BulkWrites, kit.BulkTopics))
		for _, way := range []struct {
			name string
			run  func(r kit.Notes, container *azcosmos.ContainerClient) error
		}{
			{"batches", func(r kit.Notes, _ *azcosmos.ContainerClient) error {
				_, err := r.UpsertAll(documents.Items(docs...), documents.InBatches()).Collect(context.Background())
				return err
			}},
			{"singly", func(r kit.Notes, _ *azcosmos.ContainerClient) error {
				_, err := r.UpsertAll(documents.Items(docs...)).Collect(context.Background())
				return err
			}},
			{"byHand", func(_ kit.Notes, container *azcosmos.ContainerClient) error {
				return upsertByHand(container, docs, concurrency)
			}},
		} {
			b.Run(fmt.Sprintf("%s/C=%d", way.name, concurrency), func(b *testing.B) {
				server, container := harness.NewContainer(b, emulator.Options{Partitions: 5, Latency: kit.BenchLatency}, fixtures.NoteContainer(), repository.Configure(nil))
				r := kit.Notes{NoteRepository: &fixtures.NoteRepository{Documents: repository.New(container, kit.UnverifiedNotes, repository.WithConcurrency(concurrency))}}
				if err := r.Upsert(context.Background(), docs[0]); err != nil { // also reads metadata
					b.Fatal(err)
				}
				server.ResetRequests()
				b.ReportAllocs()
				for b.Loop() {
					if err := way.run(r, container); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(len(server.Requests()))/float64(b.N), "requests/op")
			})
		}
	}
}

// upsertByHand is what a program would write: it makes the key and the JSON, and
// notes the ETag.
func upsertByHand(container *azcosmos.ContainerClient, docs []*fixtures.Note, concurrency int) error {
	type stored struct {
		fixtures.Note
		PartitionKey string `json:"partitionKey"`
	}
	return kit.Parallel(concurrency, len(docs), func(i int) error {
		key := docs[i].Topic + "-" + docs[i].Title
		body, err := json.Marshal(stored{*docs[i], key})
		if err != nil {
			return err
		}
		response, err := container.UpsertItem(context.Background(), azcosmos.NewPartitionKeyString(key), body, nil)
		docs[i].ETag = string(response.ETag)
		return err
	})
}
