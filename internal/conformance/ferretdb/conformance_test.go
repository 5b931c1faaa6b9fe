package ferretdb

import (
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/conformance"
	"github.com/cosmos-pkgen/pkgen/internal/conformance/faults"
	"github.com/cosmos-pkgen/pkgen/internal/conformance/mongodb"
	"github.com/cosmos-pkgen/pkgen/mongo"
)

// faceAt is the API for MongoDB, with FerretDB at an address as the server. FerretDB reads
// the collection for each write, so that bulk operations write few documents, and it fails
// where many upserts run at once, so that few do.
func faceAt(uri string) conformance.Face {
	f := mongodb.Face(
		func(t *testing.T) *mongo.Database { return openAt(t, uri, nil) },
		func(t *testing.T, db *mongo.Database) { mongodb.Create(t, db, mongo.Throughput{}) },
		documents.WithConcurrency(4),
	)
	f.Many = 60
	return f
}

func TestConformance(t *testing.T) { conformance.Run(t, faceAt(server.URI())) }

// TestConformanceUnderFaults breaks the connections of the driver.
func TestConformanceUnderFaults(t *testing.T) {
	conformance.RunFaults(t, faceAt(server.URI()), true, func(t *testing.T) (conformance.Events, *faults.Proxy) {
		t.Helper()
		proxy, err := faults.New(server.Address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(proxy.Close)
		return faceAt("mongodb://" + proxy.Addr() + "/").Events(t), proxy
	})
}
