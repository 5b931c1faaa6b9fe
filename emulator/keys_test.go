package emulator_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
)

// keyed is a partition key and the property with that value; nil is no property.
type keyed struct {
	key   azcosmos.PartitionKey
	value []byte
}

// keysOfAllTypes are keys of every type that the service knows.
func keysOfAllTypes(t *testing.T) []keyed {
	var list []keyed
	add := func(key azcosmos.PartitionKey, value any) {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, keyed{key, text})
	}
	for i := range 20 {
		add(azcosmos.NewPartitionKeyString(fmt.Sprint("key ", i)), fmt.Sprint("key ", i))
	}
	for _, s := range []string{"", "é日本", strings.Repeat("long", 100), `"\`, "1", "null"} {
		add(azcosmos.NewPartitionKeyString(s), s)
	}
	for _, n := range []float64{0, 1, -1, 0.5, 1e300, -1e-7, 1 << 53, math.MaxInt32, 1e21} {
		add(azcosmos.NewPartitionKeyNumber(n), n)
	}
	add(azcosmos.NewPartitionKeyBool(true), true)
	add(azcosmos.NewPartitionKeyBool(false), false)
	add(azcosmos.NullPartitionKey, nil)
	return list
}

// TestSDKFindsKeysOfAllTypes reads documents by ReadManyItems, for which the SDK
// computes by itself on which physical partition each one is: both sides must
// agree for every type of key.
func TestSDKFindsKeysOfAllTypes(t *testing.T) {
	srv, c := newContainer(t, emulator.Options{Partitions: 7})
	if err := srv.Split("db", "docs", "3"); err != nil {
		t.Fatal(err)
	}
	var identities []azcosmos.ItemIdentity
	for _, k := range keysOfAllTypes(t) {
		body := fmt.Appendf(nil, `{"id":"1","pk":%s}`, k.value)
		if _, err := c.CreateItem(t.Context(), k.key, body, nil); err != nil {
			t.Fatalf("%s: %v", k.value, err)
		}
		if _, err := c.ReadItem(t.Context(), k.key, "1", nil); err != nil {
			t.Errorf("%s: %v", k.value, err)
		}
		identities = append(identities, azcosmos.ItemIdentity{ID: "1", PartitionKey: k.key})
	}
	response, err := c.ReadManyItems(t.Context(), identities, nil)
	if err != nil || len(response.Items) != len(identities) {
		t.Errorf("%d of %d documents were found, %v", len(response.Items), len(identities), err)
	}
}

// TestSDKFindsHierarchicalKeys is the same for keys of three levels.
func TestSDKFindsHierarchicalKeys(t *testing.T) {
	srv, c := newContainer(t, emulator.Options{Partitions: 5}, "/tenant", "/user", "/session")
	if err := srv.Split("db", "docs", "2"); err != nil {
		t.Fatal(err)
	}
	var identities []azcosmos.ItemIdentity
	for tenant := range 6 {
		for user := range 4 {
			for session := range 3 {
				key := azcosmos.NewPartitionKeyString(fmt.Sprint("t", tenant)).AppendNumber(float64(user)).AppendBool(session == 1)
				body := fmt.Appendf(nil, `{"id":"%d","tenant":"t%d","user":%d,"session":%t}`, session, tenant, user, session == 1)
				if _, err := c.CreateItem(t.Context(), key, body, nil); err != nil {
					t.Fatal(err)
				}
				identities = append(identities, azcosmos.ItemIdentity{ID: fmt.Sprint(session), PartitionKey: key})
			}
		}
	}
	response, err := c.ReadManyItems(t.Context(), identities, nil)
	if err != nil || len(response.Items) != len(identities) {
		t.Errorf("%d of %d documents were found, %v", len(response.Items), len(identities), err)
	}
	prefix := azcosmos.NewPartitionKeyString("t2").AppendNumber(1)
	pages, err := ids(t.Context(), c, "SELECT * FROM c", prefix, nil)
	n := 0
	for _, page := range pages {
		n += len(page)
	}
	if err != nil || n != 3 {
		t.Errorf("%d documents under a prefix of two levels, want 3; %v", n, err)
	}
}

// TestSDKFindsKeysThatEndInTheID is the same for keys of four levels, of which the last is the
// id. An item has a logical partition for itself: a key that ends in another id has no item,
// takes none, and has no batch of two.
func TestSDKFindsKeysThatEndInTheID(t *testing.T) {
	srv, c := newContainer(t, emulator.Options{Partitions: 5}, "/tenant", "/user", "/session", "/id")
	if err := srv.Split("db", "docs", "2"); err != nil {
		t.Fatal(err)
	}
	keyOf := func(tenant, user, session int, id string) azcosmos.PartitionKey {
		return azcosmos.NewPartitionKeyString(fmt.Sprint("t", tenant)).AppendNumber(float64(user)).AppendBool(session == 1).AppendString(id)
	}
	var identities []azcosmos.ItemIdentity
	for tenant := range 6 {
		for user := range 4 {
			for session := range 2 {
				for _, id := range []string{"a", "b"} {
					key := keyOf(tenant, user, session, id)
					body := fmt.Appendf(nil, `{"id":%q,"tenant":"t%d","user":%d,"session":%t}`, id, tenant, user, session == 1)
					if _, err := c.CreateItem(t.Context(), key, body, nil); err != nil {
						t.Fatal(err)
					}
					identities = append(identities, azcosmos.ItemIdentity{ID: id, PartitionKey: key})
				}
			}
		}
	}
	response, err := c.ReadManyItems(t.Context(), identities, nil)
	if err != nil || len(response.Items) != len(identities) {
		t.Errorf("%d of %d documents were found, %v", len(response.Items), len(identities), err)
	}
	for levels, prefix := range []azcosmos.PartitionKey{
		1: azcosmos.NewPartitionKeyString("t2"),
		2: azcosmos.NewPartitionKeyString("t2").AppendNumber(1),
		3: azcosmos.NewPartitionKeyString("t2").AppendNumber(1).AppendBool(true),
		4: keyOf(2, 1, 1, "a"),
	} {
		if levels == 0 {
			continue
		}
		pages, err := ids(t.Context(), c, "SELECT * FROM c", prefix, nil)
		n := 0
		for _, page := range pages {
			n += len(page)
		}
		if want := 16 / []int{1: 1, 2: 4, 3: 8, 4: 16}[levels]; err != nil || n != want {
			t.Errorf("%d documents under %d levels, want %d; %v", n, levels, want, err)
		}
	}
	status := func(err error) int {
		var response *azcore.ResponseError
		if errors.As(err, &response) {
			return response.StatusCode
		}
		return 0
	}
	if _, err := c.ReadItem(t.Context(), keyOf(2, 1, 1, "a"), "b", nil); status(err) != 404 {
		t.Errorf("the item of another id: %v", err)
	}
	if _, err := c.CreateItem(t.Context(), keyOf(9, 1, 1, "a"), []byte(`{"id":"b","tenant":"t9","user":1,"session":true}`), nil); status(err) != 400 {
		t.Errorf("an item under a key of another id: %v", err)
	}
	batch := c.NewTransactionalBatch(keyOf(9, 1, 1, "a"))
	batch.CreateItem([]byte(`{"id":"a","tenant":"t9","user":1,"session":true}`), nil)
	batch.ReadItem("a", nil)
	if answer, err := c.ExecuteTransactionalBatch(t.Context(), batch, nil); err != nil || !answer.Success {
		t.Errorf("a batch of one item: %+v, %v", answer, err)
	}
	batch = c.NewTransactionalBatch(keyOf(9, 1, 1, "c"))
	batch.CreateItem([]byte(`{"id":"c","tenant":"t9","user":1,"session":true}`), nil)
	batch.CreateItem([]byte(`{"id":"d","tenant":"t9","user":1,"session":true}`), nil)
	if answer, err := c.ExecuteTransactionalBatch(t.Context(), batch, nil); err == nil && answer.Success {
		t.Errorf("a batch of two items: %+v", answer)
	}
}
