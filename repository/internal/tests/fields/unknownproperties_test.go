package fields

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures/values"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// TestRest changes documents that another program has written, with properties
// that the type does not know.
func TestRest(t *testing.T) {
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, harness.Properties("bags", "/made"), repository.Configure(nil))

	bags := repository.New(container, values.BagModel)
	ctx := context.Background()
	foreign := `{"id":"1","key":"k","made":"k!","Count":3,"big":1234567890123,"nested":{"a":[1,null]},"\u006eull":null,"ttl":-1}`
	if _, err := container.CreateItem(ctx, azcosmos.NewPartitionKeyString("k!"), []byte(foreign), nil); err != nil {
		t.Fatal(err)
	}
	b, err := bags.Get(ctx, values.BagKey{ID: "1", Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range b.Unknown {
		names = append(names, name)
	}
	slices.Sort(names)
	if want := []string{"big", "nested", "null", "ttl"}; !slices.Equal(names, want) || b.Count != 3 {
		t.Errorf("unknown are %v, and the document is %+v, want %v", names, b, want)
	}
	b.Count = 4
	delete(b.Unknown, "ttl")
	if err := bags.Replace(ctx, b); err != nil {
		t.Fatal(err)
	}
	response, err := container.ReadItem(ctx, azcosmos.NewPartitionKeyString("k!"), "1", nil)
	if err != nil {
		t.Fatal(err)
	}
	var stored map[string]json.RawMessage
	if err := json.Unmarshal(response.Value, &stored); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"count": "4", "big": "1234567890123", "nested": `{"a":[1,null]}`, "null": "null", "made": `"k!"`, "Count": "", "ttl": "",
	} {
		if got := string(stored[name]); got != want {
			t.Errorf("%s is stored as %s, want %s", name, got, want)
		}
	}
	for got, err := range bags.Scan().All(ctx) {
		if err != nil || string(got.Unknown["nested"]) != `{"a":[1,null]}` {
			t.Errorf("a query gave %+v, %v", got, err)
		}
	}

	for name, value := range map[string]string{"count": "1", "made": `"x"`, "_ts": "1", "odd": "{"} {
		b.Unknown = map[string]json.RawMessage{name: json.RawMessage(value)}
		if err := bags.Upsert(ctx, b); err == nil || !strings.Contains(err.Error(), `holds "`+name+`"`) {
			t.Errorf("%s among the unknown properties: %v", name, err)
		}
	}
}

// TestRestOfTheTypeWithoutADiscriminator shares a container between bags and
// another type, whose documents have a discriminator. A bag's property of the
// same name is the bag's own.
func TestRestOfTheTypeWithoutADiscriminator(t *testing.T) {
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, harness.Properties("bags", "/made"), repository.Configure(nil))

	model := *values.BagModel
	model.Discriminator = &generated.Discriminator{Property: "type", Others: []string{"box"}}
	bags := repository.New(container, &model)
	ctx := context.Background()
	foreign := `{"id":"1","key":"k","made":"k!","type":"paper"}`
	if _, err := container.CreateItem(ctx, azcosmos.NewPartitionKeyString("k!"), []byte(foreign), nil); err != nil {
		t.Fatal(err)
	}
	key := values.BagKey{ID: "1", Key: "k"}
	if err := bags.Update(ctx, key, func(b *values.Bag) error { b.Count++; return nil }); err != nil {
		t.Fatal(err)
	}
	b, err := bags.Get(ctx, key)
	if err != nil || b.Count != 1 || string(b.Unknown["type"]) != `"paper"` {
		t.Fatalf("stored is %+v, %v", b, err)
	}
	b.Unknown["type"] = json.RawMessage(`"box"`)
	if err := bags.Replace(ctx, b); err == nil || !strings.Contains(err.Error(), "the document is of another type") {
		t.Errorf("a bag that says it is a box: %v", err)
	}
}

// TestRestInAnotherCase has documents with properties whose names differ in case
// alone: the field has the one of its own name, and the other is kept.
func TestRestInAnotherCase(t *testing.T) {
	_, container := harness.NewContainer(t, emulator.Options{Partitions: 5}, harness.Properties("bags", "/made"), repository.Configure(nil))

	bags := repository.New(container, values.BagModel)
	ctx := context.Background()
	partition := azcosmos.NewPartitionKeyString("k!")
	for id, foreign := range map[string]string{
		"1": `{"id":"1","key":"k","made":"k!","count":5,"Count":7,"COUNT":9,"Made":"x","_ETAG":"y"}`,
		"2": `{"Count":7,"count":5,"COUNT":9,"Made":"x","_ETAG":"y","id":"2","key":"k","made":"k!"}`,
	} {
		if _, err := container.CreateItem(ctx, partition, []byte(foreign), nil); err != nil {
			t.Fatal(err)
		}
		key := values.BagKey{ID: id, Key: "k"}
		if err := bags.Update(ctx, key, func(b *values.Bag) error { b.Count++; return nil }); err != nil {
			t.Fatal(err)
		}
		response, err := container.ReadItem(ctx, partition, id, nil)
		if err != nil {
			t.Fatal(err)
		}
		var stored map[string]json.RawMessage
		if err := json.Unmarshal(response.Value, &stored); err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]string{"count": "6", "Count": "7", "COUNT": "9", "Made": `"x"`, "_ETAG": `"y"`, "made": `"k!"`} {
			if got := string(stored[name]); got != want {
				t.Errorf("%s: %s is stored as %s, want %s", id, name, got, want)
			}
		}
	}
	// Without count, the next read would take Count for it.
	b, err := bags.Get(ctx, values.BagKey{ID: "1", Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	b.Count = 0
	if err := bags.Replace(ctx, b); err == nil || !strings.Contains(err.Error(), `holds "COUNT", and the document leaves out "count"`) {
		t.Errorf("a document without the property that another differs from in case: %v", err)
	}
}
