package repository_test

import (
	"context"
	"net/http"
	"slices"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// TestUnclearBatchesInThePipeline has the client itself repeat a batch that took
// effect, and so find its own documents.
func TestUnclearBatchesInThePipeline(t *testing.T) {
	ctx := context.Background()
	transport := &lostOnce{RoundTripper: http.DefaultTransport}
	options := repository.Configure(harness.Impatient())
	options.Transport = transport
	_, r := newPlainNotes(t, emulator.Options{}, options)
	keys := make([]fixtures.NoteKey, 20)
	for i := range keys {
		keys[i] = noteOf(i, 1).Key()
	}
	transport.method = http.MethodPost
	summary, err := r.CreateAll(ctx, notesOf(20, 1), repository.InBatches())
	if err != nil || !transport.lost || len(r.stored(t)) != 20 {
		t.Errorf("create: %+v, %v", summary, err)
	}
	transport.lost = false
	summary, err = r.DeleteAll(ctx, slices.Values(keys), repository.InBatches())
	if err != nil || !transport.lost || len(r.stored(t)) != 0 {
		t.Errorf("delete: %+v, %v", summary, err)
	}
}
