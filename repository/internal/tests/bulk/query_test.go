package bulk

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

func TestDeleteFound(t *testing.T) {
	t.Parallel()
	for name, way := range kit.BulkWays {
		t.Run(name, func(t *testing.T) {
			server, events := kit.NewFleet(t)
			ctx := context.Background()
			kit.Fill(t, events, 300)
			server.ResetRequests()
			fast := events.ByDate(kit.Day).WhereRaw("c.speed >= 100")
			outcomes := kit.AllItems(t, events.DeleteFound(fast, way...).All(ctx))
			for _, o := range outcomes {
				if o.Err != nil || o.Item != kit.Event(atoi(strings.TrimLeft(o.Item.ID, "e0"))).Key() {
					t.Errorf("got %+v", o)
				}
			}
			if n, err := events.ByDate(kit.Day).Count(ctx); err != nil || n != 220 || len(outcomes) != 80 {
				t.Errorf("%d outcomes, and %d are left, %v", len(outcomes), n, err)
			}
			summary, err := events.DeleteFound(events.Scan().Limit(20), way...).Collect(ctx)
			if n, countErr := events.Scan().Count(ctx); err != nil || countErr != nil || n != 200 || summary.Items != 20 {
				t.Errorf("%+v, and %d are left, %v", summary, n, errors.Join(err, countErr))
			}
		})
	}
}

// TestDeleteFoundLeavesWhatHasChanged changes documents after the query has found
// them.
func TestDeleteFoundLeavesWhatHasChanged(t *testing.T) {
	t.Parallel()
	for name, way := range kit.BulkWays {
		t.Run(name, func(t *testing.T) {
			_, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil), repository.WithPageSize(1000))
			ctx := context.Background()
			if _, err := r.CreateAll(documents.Sequence(kit.NotesOf(300, 1)), documents.InBatches()).Collect(ctx); err != nil {
				t.Fatal(err)
			}
			first := true
			q := r.Scan().OrderBy(documents.String[fixtures.Note, string]("/id").Asc())
			for o := range r.DeleteFound(q, append(way, documents.WithBulkConcurrency(1))...).All(ctx) {
				if first { // all are found, and few are deleted
					first = false
					if err := r.Upsert(ctx, kit.NoteOf(250, 1)); err != nil {
						t.Fatal(err)
					}
				}
				if changed := o.Item.ID == "n00250"; changed != errors.Is(o.Err, repository.ErrPreconditionFailed) || !changed && o.Err != nil {
					t.Errorf("%s: %v", o.Item.ID, o.Err)
				}
			}
			if left := r.Stored(t); len(left) != 1 || left["n00250"] == nil {
				t.Errorf("left are %v", left)
			}
		})
	}
}

// TestDeleteFoundGoesWhereDocumentsAre has documents whose fields give another
// key than the one they are stored under, and one that the SDK cannot name.
func TestDeleteFoundGoesWhereDocumentsAre(t *testing.T) {
	server, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, fixtures.NoteContainer(), repository.Configure(nil))
	r := kit.Notes{NoteRepository: &fixtures.NoteRepository{Documents: repository.New(container, kit.UnverifiedNotes)}}
	ctx := context.Background()
	for i := range 3 {
		stored := fmt.Sprint("elsewhere", i)
		body := fmt.Sprintf(`{"id":"%d","topic":"a","title":"b","partitionKey":%q}`, i, stored)
		if _, err := container.CreateItem(ctx, azcosmos.NewPartitionKeyString(stored), []byte(body), nil); err != nil {
			t.Fatal(err)
		}
	}
	null := `{"id":"null","topic":"a","title":"b","partitionKey":null}`
	if _, err := container.CreateItem(ctx, azcosmos.NullPartitionKey, []byte(null), nil); err != nil {
		t.Fatal(err)
	}
	server.ResetRequests()
	for _, o := range kit.AllItems(t, r.DeleteFound(r.Scan(), documents.InBatches()).All(ctx)) {
		if o.Item.ID == "null" {
			if o.Err == nil || !strings.Contains(o.Err.Error(), "delete it with azcosmos") {
				t.Errorf("null: %v", o.Err)
			}
		} else if o.Err != nil {
			t.Errorf("%s: %v", o.Item.ID, o.Err)
		}
	}
	if left := r.Stored(t); len(left) != 1 {
		t.Errorf("left are %v", left)
	}
}

func TestDeleteFoundBadQueries(t *testing.T) {
	server, r := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
	_, others := kit.NewPlainNotes(t, emulator.Options{}, repository.Configure(nil))
	for want, q := range map[string]repository.Query[fixtures.Note]{
		"another repository": others.Scan(),
		"zero Query":         {},
		"status 400":         r.Scan().WhereRaw("c.x >"),
	} {
		server.ResetRequests()
		outcomes := kit.AllItems(t, r.DeleteFound(q).All(context.Background()))
		if len(outcomes) != 1 || outcomes[0].Err == nil || !strings.Contains(outcomes[0].Err.Error(), want) || outcomes[0].Item != (fixtures.NoteKey{}) {
			t.Errorf("%s: got %v", want, outcomes)
		}
	}
}
