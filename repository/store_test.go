package repository

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

var plain = azcosmos.ContainerProperties{
	ID: "c",
	PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{
		Kind: azcosmos.PartitionKeyKindHash, Paths: []string{"/pk"}, Version: 2,
	},
}

// sourceOf returns the container c of a client's database db, made if need be.
func sourceOf(t *testing.T, client *azcosmos.Client, create bool) *store {
	t.Helper()
	ctx := context.Background()
	if create {
		if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
			t.Fatal(err)
		}
	}
	db, err := client.NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	if create {
		if _, err := db.CreateContainer(ctx, plain, nil); err != nil {
			t.Fatal(err)
		}
	}
	container, err := db.NewContainer("c")
	if err != nil {
		t.Fatal(err)
	}
	return &store{Container: wire.Container{Client: container, Type: "Doc", Paths: []string{"/pk"}}, settings: newSettings(nil), decode: decoding[merging](json.Unmarshal)}
}

func TestJobsHoldEveryValueOnce(t *testing.T) {
	server := emulator.New(t, emulator.Options{Partitions: 7})
	s := sourceOf(t, server.Client(Configure(nil)), true)
	m, _, err := s.Physical(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var values []located
	for i := range 500 {
		for _, value := range []any{float64(i), i%2 == 0, string(rune('a' + i))} {
			values = append(values, located{value: value})
		}
	}
	if err := locate(values); err != nil {
		t.Fatal(err)
	}
	jobs := scopedJobs(values, "", false, m, 1)
	n := 0
	for _, j := range jobs {
		n += len(j.values)
	}
	if n != len(values) || len(jobs) != 7 {
		t.Errorf("%d jobs hold %d values of %d", len(jobs), n, len(values))
	}
}
