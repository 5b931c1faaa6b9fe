package repository_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/proxytest"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// TestDeleteTwice has a proxy that repeats the request by which a document is marked as
// deleted: the second one is refused, and the deletion is acknowledged.
func TestDeleteTwice(t *testing.T) {
	t.Parallel()
	models := map[string]*generated.Model[parcel, parcelKey]{
		"plain": parcelModel("", false), "stamped": parcelModel("", true), "ambiguous": parcelModel("", false, ambiguousParcels),
	}
	for name, model := range models {
		for _, deletion := range parcelDeletions {
			t.Run(fmt.Sprint(name, " ", deletion.name), func(t *testing.T) {
				t.Parallel()
				_, proxy, d, direct := newTwice(t, model, "/owner")
				p := &parcel{ID: "1", Owner: "o"}
				if err := direct.Create(context.Background(), p); err != nil {
					t.Fatal(err)
				}
				proxy.Fate = proxytest.Writes(proxytest.Twice, allWrites...)
				if err := deletion.run(context.Background(), d, p); err != nil {
					t.Errorf("got %v", err)
				}
				if proxy.Repeated() == 0 {
					t.Error("nothing was repeated")
				}
			})
		}
	}
}
