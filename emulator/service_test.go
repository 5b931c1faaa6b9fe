package emulator_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
)

func TestThroughputThroughTheSDK(t *testing.T) {
	srv, c := newContainer(t, emulator.Options{})
	ctx := t.Context()
	read, err := c.ReadThroughput(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := read.ThroughputProperties.ManualThroughput(); !ok || n != 400 || read.MinThroughput == nil || *read.MinThroughput != 400 {
		t.Errorf("throughput %d, %v; least %v", n, ok, read.MinThroughput)
	}
	if _, err := c.ReplaceThroughput(ctx, azcosmos.NewManualThroughputProperties(21_000), nil); err != nil {
		t.Fatal(err)
	}
	ranges, err := c.ReadFeedRanges(ctx, nil)
	if err != nil || len(ranges) != 3 {
		t.Errorf("feed ranges %v, %v; want 3 for 21,000 RU/s", ranges, err)
	}
	if err := srv.Split("db", "docs", "0"); err == nil {
		t.Error("range 0 was split by the throughput, and can be split again")
	}
}

// TestHotKeyThroughTheSDK is what budgets are for: a program sees that one key is
// hot, and that the SDK's retries hide it at the price of time.
func TestHotKeyThroughTheSDK(t *testing.T) {
	srv, c := newContainer(t, emulator.Options{Partitions: 4, Throughput: 400})
	impatient := srv.Client(&azcosmos.ClientOptions{ClientOptions: azcore.ClientOptions{Retry: policy.RetryOptions{MaxRetries: -1}}})
	hot, err := impatient.NewContainer("db", "docs")
	if err != nil {
		t.Fatal(err)
	}
	var response *azcore.ResponseError
	for i := range 100 {
		body := fmt.Appendf(nil, `{"id":"%d","pk":"hot"}`, i)
		if _, err = hot.CreateItem(t.Context(), pk("hot"), body, nil); err != nil {
			break
		}
	}
	if !errors.As(err, &response) || response.StatusCode != http.StatusTooManyRequests || substatus(err) != "3200" {
		t.Fatalf("100 writes of 5 RU with 100 RU/s: %v", err)
	}
	create(t, c, "patient", "hot", 1) // waits for as long as it was told
}

func TestAdvanceAndReset(t *testing.T) {
	srv := emulator.New(t, emulator.Options{})
	client := srv.Client(nil)
	ctx := t.Context()
	if _, err := client.CreateDatabase(ctx, azcosmos.DatabaseProperties{ID: "db"}, nil); err != nil {
		t.Fatal(err)
	}
	database, err := client.NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	ttl := int32(60)
	_, err = database.CreateContainer(ctx, azcosmos.ContainerProperties{
		ID: "docs", DefaultTimeToLive: &ttl,
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Kind: azcosmos.PartitionKeyKindHash, Version: 2, Paths: []string{"/pk"}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := database.NewContainer("docs")
	if err != nil {
		t.Fatal(err)
	}
	create(t, c, "1", "a", 1)
	srv.Advance(-time.Hour)
	if _, err := c.ReadItem(ctx, pk("a"), "1", nil); err != nil {
		t.Errorf("before its time: %v", err)
	}
	srv.Advance(time.Hour)
	if _, err := c.ReadItem(ctx, pk("a"), "1", nil); status(err) != http.StatusNotFound {
		t.Errorf("an hour after: %v, want 404", err)
	}
	srv.Reset()
	if _, err := database.Read(ctx, nil); status(err) != http.StatusNotFound || len(srv.Requests()) != 1 {
		t.Errorf("after Reset: %v, %d requests in the journal", err, len(srv.Requests()))
	}
}

// TestLimitsThroughTheSDK meets the limits of documents and logical partitions
// with a kilobyte or two.
func TestLimitsThroughTheSDK(t *testing.T) {
	_, c := newContainer(t, emulator.Options{MaxDocument: 1000, MaxLogicalPartition: 2000})
	write := func(id string, n int) error {
		body := fmt.Appendf(nil, `{"id":%q,"pk":"a","x":"%0*d"}`, id, n, 0)
		_, err := c.UpsertItem(context.Background(), pk("a"), body, nil)
		return err
	}
	if err := write("1", 1000); status(err) != http.StatusRequestEntityTooLarge {
		t.Errorf("a document that is too large: %v", err)
	}
	for i := range 2 {
		if err := write(fmt.Sprint(i), 600); err != nil {
			t.Fatal(err)
		}
	}
	if err := write("2", 600); status(err) != http.StatusForbidden || substatus(err) != "1014" {
		t.Errorf("a logical partition that is full: %v", err)
	}
}
