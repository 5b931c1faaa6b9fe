package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
)

// TestOpenSaysAllThatIsWrong finds two containers that somebody has made by hand.
func TestOpenSaysAllThatIsWrong(t *testing.T) {
	account := emulator.New(t, emulator.Options{})
	client, err := azcosmos.NewClientFromConnectionString(account.ConnectionString(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "shop"}, nil); err != nil {
		t.Fatal(err)
	}
	db, err := client.NewDatabase("shop")
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"orders", "users"} {
		made, err := db.CreateContainer(t.Context(), azcosmos.ContainerProperties{
			ID: id, PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/id"}, Kind: azcosmos.PartitionKeyKindHash, Version: 2},
		}, nil)
		if err != nil || made.RawResponse.StatusCode != http.StatusCreated {
			t.Fatal(err)
		}
	}
	_, err = open(t.Context(), account.ConnectionString(), nil, observer{})
	if err == nil {
		t.Fatal("the shop is open")
	}
	for _, part := range []string{`container "orders" of database "shop"`, `container "users" of database "shop"`, "partitionKey.paths", "defaultTtl"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error lacks %s: %v", part, err)
		}
	}
	if strings.Contains(err.Error(), `"balances"`) {
		t.Errorf("the error names what is right: %v", err)
	}
}
