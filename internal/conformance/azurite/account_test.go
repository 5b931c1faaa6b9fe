package azurite

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/cosmos-pkgen/pkgen/internal/conformance"
	"github.com/cosmos-pkgen/pkgen/internal/conformance/tables"
	"github.com/cosmos-pkgen/pkgen/table"
)

// accountVariable has the connection string of an account of Cosmos DB for Table, or of
// Azure Storage.
const accountVariable = "COSMOS_TABLE_CONNECTION_STRING"

// TestConformanceOfAccount asks an account what the other tests ask Azurite, in tables with
// random names.
func TestConformanceOfAccount(t *testing.T) {
	text := os.Getenv(accountVariable)
	if text == "" {
		t.Skip("NOT TESTED: no account of Cosmos DB for Table. Set " + accountVariable + " to its connection string; the test makes tables of its own and removes them.")
	}
	service, err := aztables.NewServiceClientFromConnectionString(text, table.Configure(nil))
	if err != nil {
		t.Fatalf("%s: %v", accountVariable, err)
	}
	conformance.Run(t, tables.TemporaryFace(service))
}

// TestTemporaryTables checks that the tables for an account work, and are gone afterwards.
func TestTemporaryTables(t *testing.T) {
	service := Service(t, server.Address())
	face := tables.TemporaryFace(service)
	ctx := context.Background()
	names := func() string {
		var all []string
		for pages := service.NewListTablesPager(nil); pages.More(); {
			page, err := pages.NextPage(ctx)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range page.Tables {
				all = append(all, *found.Name)
			}
		}
		return fmt.Sprint(all)
	}
	before := names()
	t.Run("use", func(t *testing.T) {
		e := conformance.Event{ID: "e", Device: "d", At: time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)}
		if err := face.Events(t).Create(ctx, &e); err != nil || e.Version == "" {
			t.Errorf("%v, %+v", err, e)
		}
		p := conformance.Pair{ID: "p", Left: "a", Right: "b"}
		if err := face.Pairs(t).Create(ctx, &p); err != nil {
			t.Error(err)
		}
		if names() == before {
			t.Error("no tables were made")
		}
	})
	if after := names(); after != before {
		t.Errorf("%s before, and %s after", before, after)
	}
}
