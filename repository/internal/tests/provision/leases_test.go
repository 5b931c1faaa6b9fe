package provision

import (
	"errors"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

func TestEnsureLeases(t *testing.T) {
	t.Parallel()
	_, db := kit.NewDatabase(t, emulator.Options{}, nil)
	for range 2 {
		leases, err := admin.EnsureLeases(t.Context(), db, "leases", admin.AnyThroughput())
		if err != nil {
			t.Fatal(err)
		}
		got, err := leases.Read(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		p := got.ContainerProperties
		if ttl := p.DefaultTimeToLive; p.PartitionKeyDefinition.Paths[0] != "/id" || p.PartitionKeyDefinition.Version != 2 || ttl == nil || *ttl != -1 {
			t.Errorf("the container is %+v", p)
		}
	}
}

// TestEnsureLeasesOfOthers meets containers that programs of other SDKs have made.
func TestEnsureLeasesOfOthers(t *testing.T) {
	t.Parallel()
	_, db := kit.NewDatabase(t, emulator.Options{Lenient: true}, nil)
	seconds := int32(3600)
	for id, have := range map[string]azcosmos.ContainerProperties{
		"accepted": {PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/id"}, Version: 1}},
		"keyed":    {PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/pk"}, Version: 2}},
		"expiring": {PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/id"}, Version: 2}, DefaultTimeToLive: &seconds},
	} {
		have.ID = id
		if _, err := db.CreateContainer(t.Context(), have, nil); err != nil {
			t.Fatal(err)
		}
		_, err := admin.EnsureLeases(t.Context(), db, id, admin.AnyThroughput())
		var unlike *admin.ContainerError
		switch {
		case id == "accepted" && err != nil:
			t.Error(err)
		case id == "keyed" && (!errors.As(err, &unlike) || unlike.Differences[0].Property != "partitionKey.paths"):
			t.Error(err)
		case id == "expiring" && (!errors.As(err, &unlike) || unlike.Differences[0].Property != "defaultTtl" || !unlike.Differences[0].Fixable):
			t.Error(err)
		}
	}
	leases, err := admin.EnsureLeases(t.Context(), db, "expiring", admin.AnyThroughput(), admin.FixDifferences())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := leases.Read(t.Context(), nil); err != nil || *got.ContainerProperties.DefaultTimeToLive != -1 {
		t.Errorf("after FixDifferences: %+v, %v", got.ContainerProperties, err)
	}
	if _, err := admin.EnsureLeases(t.Context(), db, "", admin.AnyThroughput()); err == nil || !strings.Contains(err.Error(), "id") {
		t.Errorf("an empty id: %v", err)
	}
}
