package bulk

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/example/clickstream"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestBulkOfRandomSuffixes creates clicks again that an earlier attempt has
// stored.
func TestBulkOfRandomSuffixes(t *testing.T) {
	seeds.Long(t)
	t.Parallel()
	for name, way := range kit.BulkWays {
		t.Run(name, func(t *testing.T) {
			_, clicks := kit.NewClicks(t)
			ctx := context.Background()
			all := make([]*clickstream.Click, 200)
			for i := range all {
				all[i] = &clickstream.Click{ID: fmt.Sprint(i), Date: kit.Day}
			}
			for range 2 {
				if summary, err := clicks.CreateAll(documents.Items(all...), way...).Collect(ctx); err != nil || summary.Items != 200 {
					t.Fatal(summary, err)
				}
			}
			all[7].Page = "other"
			summary, err := clicks.CreateAll(documents.Items(all...), way...).Collect(ctx)
			if summary.Failed != 1 || !errors.Is(err, repository.ErrAlreadyExists) || !strings.Contains(err.Error(), "item 7:") {
				t.Errorf("got %+v, %v", summary, err)
			}
			if n, err := clicks.Scan().Count(ctx); err != nil || n != 200 {
				t.Errorf("%d clicks are stored, %v", n, err)
			}
		})
	}
}

// TestBulkWhereKeysCollide leaves documents of others alone, also in batches. One
// query looks before each batch.
func TestBulkWhereKeysCollide(t *testing.T) {
	server, r := kit.NewNotes(t)
	ctx := context.Background()
	mine, other := &fixtures.Note{ID: "1", Topic: "a", Title: "b-c"}, &fixtures.Note{ID: "1", Topic: "a-b", Title: "c"}
	if err := r.Create(ctx, other); err != nil {
		t.Fatal(err)
	}
	fine, good := &fixtures.Note{ID: "2", Topic: "a", Title: "b-c"}, &fixtures.Note{ID: "3", Topic: "a", Title: "b-c"}
	server.ResetRequests()
	outcomes := kit.AllItems(t, r.UpsertAll(documents.Items(mine, fine, good), documents.InBatches()).All(ctx))
	if !errors.Is(outcomes[0].Err, repository.ErrAlreadyExists) || outcomes[1].Err != nil || outcomes[2].Err != nil {
		t.Errorf("upsert: %v", outcomes)
	}
	deleted := kit.AllItems(t, r.DeleteAll(documents.Items(mine.Key(), fine.Key(), good.Key()), documents.InBatches()).All(ctx))
	if !errors.Is(deleted[0].Err, repository.ErrNotFound) || deleted[1].Err != nil || deleted[2].Err != nil {
		t.Errorf("delete: %v", deleted)
	}
	sent := server.Documents()
	if n := batchRequests(server); n != 2 || sent[emulator.OpQueryItems] != 2 || len(sent) != 1 {
		t.Errorf("%d batches, and %v", n, sent)
	}

	// What a query finds is deleted as it was found, which needs no look before.
	q := repository.NewQuery(r.Documents, generated.Partition(other.Key().PartitionKey()))
	summary, err := r.DeleteFound(q, documents.InBatches()).Collect(ctx)
	if err != nil || summary.Items != 1 || len(r.Stored(t)) != 0 {
		t.Errorf("got %+v, %v", summary, err)
	}
}

// batchRequests counts the batches in the server's journal.
func batchRequests(server *harness.Account) int {
	n := 0
	for _, request := range server.Requests() {
		if request.Operation == emulator.OpExecuteBatch {
			n++
		}
	}
	return n
}
