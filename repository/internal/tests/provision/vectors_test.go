package provision

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// searched adds vectors of 8 numbers, with an index of this type.
func searched(index azcosmos.VectorIndexType) edit {
	return func(p *azcosmos.ContainerProperties) {
		p.VectorEmbeddingPolicy = &azcosmos.VectorEmbeddingPolicy{VectorEmbeddings: []azcosmos.VectorEmbedding{
			{Path: "/v", DataType: azcosmos.VectorDataTypeFloat16, DistanceFunction: azcosmos.VectorDistanceFunctionCosine, Dimensions: 8},
		}}
		p.IndexingPolicy = &azcosmos.IndexingPolicy{
			Automatic: true, IndexingMode: azcosmos.IndexingModeConsistent,
			IncludedPaths: []azcosmos.IncludedPath{{Path: "/*"}}, ExcludedPaths: []azcosmos.ExcludedPath{{Path: "/v/*"}},
			VectorIndexes: []azcosmos.VectorIndex{{Path: "/v", Type: index}},
		}
	}
}

// storedVectorIndexes are the indexes of vectors as the service has them.
func storedVectorIndexes(t *testing.T, db *azcosmos.DatabaseClient) string {
	t.Helper()
	container, err := db.NewContainer("vehicle-event")
	if err != nil {
		t.Fatal(err)
	}
	response, err := container.Read(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.RawResponse.Body)
	if err != nil {
		t.Fatal(err)
	}
	var p struct {
		IndexingPolicy struct{ VectorIndexes json.RawMessage }
	}
	if err := json.Unmarshal(body, &p); err != nil {
		t.Fatal(err)
	}
	return string(p.IndexingPolicy.VectorIndexes)
}

// TestTunedVectorIndex makes a container whose index of vectors has options that azcosmos has no
// fields for, compares it, and changes something else.
func TestTunedVectorIndex(t *testing.T) {
	t.Parallel()
	tuned := admin.VectorIndex{QuantizerType: "product", QuantizationByteSize: 4, IndexingSearchListSize: 200, ShardKey: "/vin"}
	const stored = `[{"path":"/v","type":"diskANN","quantizerType":"product","quantizationByteSize":4,"indexingSearchListSize":200,"vectorIndexShardKey":["/vin"]}]`
	want := wanted(searched(tuned.Of(azcosmos.VectorIndexTypeDiskANN)))
	_, db := kit.NewDatabase(t, emulator.Options{}, nil)
	ensure(t, db, want, admin.Manual(400))
	if got := storedVectorIndexes(t, db); got != stored {
		t.Fatalf("got  %s\nwant %s", got, stored)
	}
	ensure(t, db, want, admin.Manual(400))

	sorted := func(index azcosmos.VectorIndexType) azcosmos.ContainerProperties {
		p := wanted(searched(index))
		p.IndexingPolicy.CompositeIndexes = [][]azcosmos.CompositeIndex{composite("/a", "-/b")}
		return p
	}
	ensure(t, db, sorted(tuned.Of(azcosmos.VectorIndexTypeDiskANN)), admin.Manual(400), admin.FixDifferences())
	if got := storedVectorIndexes(t, db); got != stored {
		t.Errorf("after a change of something else: %s", got)
	}

	tuned.ShardKey, tuned.IndexingSearchListSize = "", 100 // the shards are left to the service
	_, err := admin.Ensure(t.Context(), db, sorted(tuned.Of(azcosmos.VectorIndexTypeDiskANN)), admin.Manual(400), admin.FixDifferences())
	var differences *admin.ContainerError
	if !errors.As(err, &differences) || len(differences.Differences) != 1 {
		t.Fatalf("got %v", err)
	}
	if d := differences.Differences[0]; d.Property != "indexingPolicy.vectorIndexes" || !strings.Contains(d.Have, "search list 200") || !strings.HasSuffix(d.Want, "search list 100") {
		t.Errorf("got %+v", d)
	}

	ensure(t, db, sorted(azcosmos.VectorIndexTypeDiskANN), admin.Manual(400)) // which leaves the options to the service
}

// TestTunedVectorIndexIsRefused creates containers that the service refuses, and one by a client
// that would send the options in another place.
func TestTunedVectorIndexIsRefused(t *testing.T) {
	t.Parallel()
	server, db := kit.NewDatabase(t, emulator.Options{}, nil)
	for _, x := range []admin.VectorIndex{{QuantizationByteSize: 9}, {QuantizerType: "binary"}, {IndexingSearchListSize: 5}} {
		_, err := admin.Ensure(t.Context(), db, wanted(searched(x.Of(azcosmos.VectorIndexTypeDiskANN))), admin.Manual(400))
		if err == nil || !strings.Contains(err.Error(), "status 400") {
			t.Errorf("%+v: %v", x, err)
		}
	}
	server.ResetRequests()
	_, err := admin.Ensure(t.Context(), server.Database(nil), wanted(searched(admin.VectorIndex{ShardKey: "/vin"}.Of(azcosmos.VectorIndexTypeDiskANN))), admin.Manual(400))
	if err == nil || !strings.Contains(err.Error(), "made without repository.Configure") {
		t.Errorf("got %v", err)
	}
	for _, r := range server.Requests() {
		if r.Operation == emulator.OpCreateContainer {
			t.Error("the container was created")
		}
	}
}
