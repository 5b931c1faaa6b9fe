package nosql_test

import (
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/conformance"
	"github.com/cosmos-pkgen/pkgen/internal/conformance/nosql"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
)

func TestConformance(t *testing.T) {
	conformance.Run(t, nosql.Face(func(t *testing.T) *azcosmos.DatabaseClient {
		return harness.New(t, emulator.Options{Partitions: 5}, repository.Configure(nil)).DB
	}))
}
