package emulator_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
)

// newContainer starts a server and makes a container in it, with /pk as its key
// unless paths are given.
func newContainer(t *testing.T, o emulator.Options, paths ...string) (*emulator.Server, *azcosmos.ContainerClient) {
	t.Helper()
	srv := emulator.New(t, o)
	return srv, createContainer(t, srv, "docs", paths...)
}

// createContainer makes a container in the database db, which it makes too.
func createContainer(t *testing.T, srv *emulator.Server, id string, paths ...string) *azcosmos.ContainerClient {
	t.Helper()
	client := srv.Client(nil)
	_, err := client.CreateDatabase(t.Context(), azcosmos.DatabaseProperties{ID: "db"}, nil)
	if err != nil && status(err) != http.StatusConflict {
		t.Fatal(err)
	}
	database, err := client.NewDatabase("db")
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		paths = []string{"/pk"}
	}
	kind := azcosmos.PartitionKeyKindHash
	if len(paths) > 1 {
		kind = azcosmos.PartitionKeyKindMultiHash
	}
	_, err = database.CreateContainer(t.Context(), azcosmos.ContainerProperties{
		ID:                     id,
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Kind: kind, Version: 2, Paths: paths},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	container, err := database.NewContainer(id)
	if err != nil {
		t.Fatal(err)
	}
	return container
}

// status returns the HTTP status of an error of the SDK, or 0.
func status(err error) int {
	var response *azcore.ResponseError
	if errors.As(err, &response) {
		return response.StatusCode
	}
	return 0
}

// substatus returns the Cosmos substatus of an error of the SDK, or "".
func substatus(err error) string {
	var response *azcore.ResponseError
	if errors.As(err, &response) && response.RawResponse != nil {
		return response.RawResponse.Header.Get("x-ms-substatus")
	}
	return ""
}

func pk(s string) azcosmos.PartitionKey { return azcosmos.NewPartitionKeyString(s) }

// create creates the item {"id":id,"pk":key,"n":n}.
func create(t *testing.T, c *azcosmos.ContainerClient, id, key string, n int) {
	t.Helper()
	body := fmt.Sprintf(`{"id":%q,"pk":%q,"n":%d}`, id, key, n)
	if _, err := c.CreateItem(t.Context(), pk(key), []byte(body), nil); err != nil {
		t.Fatal(err)
	}
}

// ids reads a query to its end and returns the ids, page by page.
func ids(ctx context.Context, c *azcosmos.ContainerClient, sql string, key azcosmos.PartitionKey, o *azcosmos.QueryOptions) ([][]string, error) {
	var pages [][]string
	pager := c.NewQueryItemsPager(sql, key, o)
	for pager.More() {
		page, err := pager.NextPage(ctx)
		if err != nil {
			return pages, err
		}
		list := []string{}
		for _, item := range page.Items {
			var d struct{ ID string }
			if err := json.Unmarshal(item, &d); err != nil {
				return pages, err
			}
			list = append(list, d.ID)
		}
		pages = append(pages, list)
	}
	return pages, nil
}

func TestItemLifeCycle(t *testing.T) {
	_, c := newContainer(t, emulator.Options{})
	ctx := t.Context()
	created, err := c.CreateItem(ctx, pk("a"), []byte(`{"id":"1","pk":"a","n":1}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	if created.ETag == "" || created.SessionToken == nil || created.RequestCharge <= 0 || len(created.Value) != 0 {
		t.Errorf("create: etag %q, session %v, charge %v, body %q", created.ETag, created.SessionToken, created.RequestCharge, created.Value)
	}
	if _, err := c.CreateItem(ctx, pk("a"), []byte(`{"id":"1","pk":"a"}`), nil); status(err) != http.StatusConflict {
		t.Errorf("second create: %v, want 409", err)
	}
	if _, err := c.CreateItem(ctx, pk("b"), []byte(`{"id":"1","pk":"b"}`), nil); err != nil {
		t.Errorf("the same id under another key: %v", err)
	}
	read, err := c.ReadItem(ctx, pk("a"), "1", nil)
	if err != nil {
		t.Fatal(err)
	}
	if read.ETag != created.ETag || !json.Valid(read.Value) {
		t.Errorf("read: etag %q, want %q; body %s", read.ETag, created.ETag, read.Value)
	}
	if _, err := c.ReadItem(ctx, pk("c"), "1", nil); status(err) != http.StatusNotFound {
		t.Errorf("read under the wrong key: %v, want 404", err)
	}
	stale := azcore.ETag(`"stale"`)
	_, err = c.ReplaceItem(ctx, pk("a"), "1", []byte(`{"id":"1","pk":"a","n":2}`), &azcosmos.ItemOptions{IfMatchEtag: &stale})
	if status(err) != http.StatusPreconditionFailed {
		t.Errorf("replace with a stale etag: %v, want 412", err)
	}
	replaced, err := c.ReplaceItem(ctx, pk("a"), "1", []byte(`{"id":"1","pk":"a","n":2}`),
		&azcosmos.ItemOptions{IfMatchEtag: &created.ETag, EnableContentResponseOnWrite: true})
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ N int }
	if err := json.Unmarshal(replaced.Value, &doc); err != nil || doc.N != 2 || replaced.ETag == created.ETag {
		t.Errorf("replace: %s, %v", replaced.Value, err)
	}
	if _, err := c.DeleteItem(ctx, pk("a"), "1", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := c.ReadItem(ctx, pk("a"), "1", nil); status(err) != http.StatusNotFound {
		t.Errorf("read after delete: %v, want 404", err)
	}
	if _, err := c.ReadItem(ctx, pk("b"), "1", nil); err != nil {
		t.Errorf("the other logical partition lost its item: %v", err)
	}
}
