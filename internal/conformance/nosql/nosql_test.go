package nosql_test

import (
	"context"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/conformance"
	"github.com/cosmos-pkgen/pkgen/internal/conformance/nosql"
	"github.com/cosmos-pkgen/pkgen/repository"
)

func TestConformance(t *testing.T) {
	conformance.Run(t, nosql.Face(func(t *testing.T) *azcosmos.DatabaseClient {
		client := emulator.New(t, emulator.Options{Partitions: 5}).Client(repository.Configure(nil))
		if _, err := client.CreateDatabase(context.Background(), azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
			t.Fatal(err)
		}
		db, err := client.NewDatabase("db")
		if err != nil {
			t.Fatal(err)
		}
		return db
	}))
}
