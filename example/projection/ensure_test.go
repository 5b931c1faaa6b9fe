package main

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/admin"
)

// TestEnsureContainers has containers that differ, one that is missing, and a context
// that has ended.
func TestEnsureContainers(t *testing.T) {
	server := emulator.New(t, emulator.Options{})
	var options azcosmos.ClientOptions
	repository.Configure(&options)
	client := server.Client(&options)
	if _, err := client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
		t.Fatal(err)
	}
	db, err := client.NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	t.Run("a context that has ended", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		err := EnsureContainers(ctx, db, admin.AnyThroughput())
		for _, want := range []string{DailySumContainer().ID, JourneyContainer().ID} {
			if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), `"`+want+`"`) {
				t.Errorf("no mention of %s: %v", want, err)
			}
		}
	})
	t.Run("a database that is missing", func(t *testing.T) {
		missing, err := client.NewDatabase("missing")
		if err != nil {
			t.Fatal(err)
		}
		if err := EnsureContainers(t.Context(), missing, admin.AnyThroughput()); err == nil || strings.Count(err.Error(), "\n") < 1 {
			t.Errorf("got %v", err)
		}
	})
	t.Run("containers that are missing", func(t *testing.T) {
		if err := EnsureContainers(t.Context(), db, admin.Manual(400)); err != nil {
			t.Fatal(err)
		}
		if err := EnsureContainers(t.Context(), db, admin.Manual(400)); err != nil {
			t.Errorf("what was just made differs: %v", err)
		}
	})
	t.Run("both differ", func(t *testing.T) {
		err := EnsureContainers(t.Context(), db, admin.Autoscale(1000))
		for _, id := range []string{DailySumContainer().ID, JourneyContainer().ID} {
			if err == nil || !strings.Contains(err.Error(), `container "`+id+`" of database "db" differs from the code:`) {
				t.Errorf("nothing about %s: %v", id, err)
			}
		}
		if got := strings.Count(err.Error(), "throughput: have manual 400 RU/s, want autoscale up to 1000 RU/s"); got != 2 {
			t.Errorf("%d containers differ in their throughput: %v", got, err)
		}
		var one *admin.ContainerError
		if !errors.As(err, &one) {
			t.Errorf("no ContainerError: %v", err)
		}
	})
	t.Run("another key, next to one that is missing", func(t *testing.T) {
		for _, id := range []string{DailySumContainer().ID, JourneyContainer().ID} {
			container, err := db.NewContainer(id)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := container.Delete(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
		}
		other := azcosmos.ContainerProperties{ID: DailySumContainer().ID, PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Kind: azcosmos.PartitionKeyKindHash, Paths: []string{"/other"}, Version: 2}}
		if _, err := db.CreateContainer(t.Context(), other, nil); err != nil {
			t.Fatal(err)
		}
		err := EnsureContainers(t.Context(), db, admin.AnyThroughput())
		if err == nil || !strings.Contains(err.Error(), "partitionKey.paths: have /other") {
			t.Errorf("got %v", err)
		}
		container, err := db.NewContainer(JourneyContainer().ID)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := container.Read(t.Context(), nil); err != nil {
			t.Errorf("the container after the one that differs was not made: %v", err)
		}
	})
}
