package tables

import (
	"context"
	"crypto/rand"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/conformance"
	"github.com/cosmos-pkgen/pkgen/table"
)

// TemporaryFace is Face with randomly named tables, which are removed with their test. It touches
// nothing else in the account, so the account may be shared.
func TemporaryFace(service *table.Service) conformance.Face {
	return face(
		func(t *testing.T) *EventRepository {
			t.Helper()
			model := eventModel
			model.Draft = false // the documents are removed before the layout can change
			return &EventRepository{table.New(service, temporary(t, service), &model)}
		},
		func(t *testing.T) *PairRepository {
			t.Helper()
			model := pairModel
			model.Draft = false
			return &PairRepository{table.New(service, temporary(t, service), &model)}
		},
	)
}

// removing is the time limit for removing a table after the context of its test has ended.
const removing = 2 * time.Minute

// temporary creates a table that is removed with the test, and returns its name.
func temporary(t *testing.T, service *table.Service) string {
	t.Helper()
	name := "pkgen" + rand.Text() // letters and digits, 31 of the 63 that a name may have
	if err := table.Ensure(context.Background(), service, name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), removing)
		defer cancel()
		if _, err := service.DeleteTable(ctx, name, nil); err != nil {
			t.Errorf("the table %s is left: remove it: %v", name, err)
		}
	})
	return name
}
