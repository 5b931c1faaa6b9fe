package bulk

import (
	"context"
	"net/http"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// TestUnclearBatchesInThePipeline has the client itself repeat a batch that took
// effect, and so find its own documents.
func TestUnclearBatchesInThePipeline(t *testing.T) {
	ctx := context.Background()
	transport := &kit.LostOnce{RoundTripper: http.DefaultTransport}
	options := repository.Configure(harness.Impatient())
	options.Transport = transport
	_, r := kit.NewPlainNotes(t, emulator.Options{}, options)
	keys := make([]fixtures.NoteKey, 20)
	for i := range keys {
		keys[i] = kit.NoteOf(i, 1).Key()
	}
	transport.Method = http.MethodPost
	summary, err := r.CreateAll(documents.Sequence(kit.NotesOf(20, 1)), documents.InBatches()).Collect(ctx)
	if err != nil || !transport.Lost || len(r.Stored(t)) != 20 {
		t.Errorf("create: %+v, %v", summary, err)
	}
	transport.Lost = false
	summary, err = r.DeleteAll(documents.Items(keys...), documents.InBatches()).Collect(ctx)
	if err != nil || !transport.Lost || len(r.Stored(t)) != 0 {
		t.Errorf("delete: %+v, %v", summary, err)
	}
}
