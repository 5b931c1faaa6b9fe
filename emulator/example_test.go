package emulator_test

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
)

// A hot key: all documents of a day go to one logical partition, and so to one
// physical partition, which has a fifth of the throughput.
func ExampleOptions_throughput() {
	srv, err := emulator.Start(emulator.Options{Partitions: 5, Throughput: 400})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	ctx := context.Background()
	client := srv.Client(&azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{Retry: policy.RetryOptions{MaxRetries: -1}}})
	container, err := exampleContainer(ctx, client)
	if err != nil {
		fmt.Println(err)
		return
	}
	refused := 0
	for i := range 100 {
		body := fmt.Appendf(nil, `{"id":"%d","pk":"2018-08-09"}`, i)
		if _, err := container.CreateItem(ctx, azcosmos.NewPartitionKeyString("2018-08-09"), body, nil); err != nil {
			refused++
		}
	}
	fmt.Println("one key is hot:", refused > 0)

	srv.Advance(time.Second) // no need to wait for it
	_, err = container.CreateItem(ctx, azcosmos.NewPartitionKeyString("2018-08-09"), []byte(`{"id":"later","pk":"2018-08-09"}`), nil)
	fmt.Println("a second later:", err)
	// Output:
	// one key is hot: true
	// a second later: <nil>
}

// The journal shows what a program sends, and what came back.
func ExampleServer_Inject() {
	srv, err := emulator.Start(emulator.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer srv.Close()
	ctx := context.Background()
	container, err := exampleContainer(ctx, srv.Client(nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	srv.Inject(emulator.Fault{Operation: emulator.OpCreateItem, Status: http.StatusTooManyRequests, Count: 2})
	srv.ResetRequests()
	_, err = container.CreateItem(ctx, azcosmos.NewPartitionKeyString("a"), []byte(`{"id":"1","pk":"a"}`), nil)
	fmt.Println(err)
	for _, r := range srv.Requests() {
		fmt.Println(r.Operation, r.PartitionKey, r.Status)
	}
	// Output:
	// <nil>
	// CreateItem ["a"] 429
	// CreateItem ["a"] 429
	// CreateItem ["a"] 201
}

// exampleContainer makes a container whose partition key is /pk.
func exampleContainer(ctx context.Context, client *azcosmos.Client) (*azcosmos.ContainerClient, error) {
	if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
		return nil, err
	}
	database, err := client.NewDatabase("db")
	if err != nil {
		return nil, err
	}
	_, err = database.CreateContainer(ctx, azcosmos.ContainerProperties{
		ID:                     "docs",
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Kind: azcosmos.PartitionKeyKindHash, Version: 2, Paths: []string{"/pk"}},
	}, nil)
	if err != nil {
		return nil, err
	}
	return database.NewContainer("docs")
}
