package repository_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// A thing has any properties. Its partition key is {base}.{id%40}, or {base} and
// {id%40} as two levels.
type thing struct {
	ID         string
	Base       string
	Properties map[string]any
}

func (x thing) MarshalJSON() ([]byte, error) {
	all := maps.Clone(x.Properties)
	if all == nil {
		all = map[string]any{}
	}
	all["id"], all["base"] = x.ID, x.Base
	return json.Marshal(all)
}

func (x *thing) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, &x.Properties); err != nil {
		return err
	}
	x.ID, _ = x.Properties["id"].(string)
	x.Base, _ = x.Properties["base"].(string)
	for name := range x.Properties {
		if len(name) > 1 {
			delete(x.Properties, name)
		}
	}
	return nil
}

const thingBuckets = 40

type thingKey struct{ ID, Base string }

func (k thingKey) bucket(n int) string { return k.Base + "." + strconv.Itoa(n) }

func (k thingKey) text() string {
	return k.bucket(partition.Hash{}.Text(k.ID).Bucket(thingBuckets))
}

func (k thingKey) levels() []any {
	return []any{k.Base, strconv.Itoa(partition.Hash{}.Text(k.ID).Bucket(thingBuckets))}
}

func (k thingKey) Validate() error { return nil }

var thingModel = generated.Model[thing, thingKey]{
	Type: "thing", Path: "/pk", Synthetic: true,
	Key:  func(x *thing) thingKey { return thingKey{x.ID, x.Base} },
	ID:   func(k thingKey) string { return k.ID },
	Text: thingKey.text,
}

var leveledThingModel = generated.Model[thing, thingKey]{
	Type: "thing", Paths: []string{"/base", "/pk"}, Made: []int{1},
	Key:    func(x *thing) thingKey { return thingKey{x.ID, x.Base} },
	ID:     func(k thingKey) string { return k.ID },
	Values: thingKey.levels,
}

// things is a container of things with the composite indexes that two orders
// need.
type things struct {
	*repository.Documents[thing, thingKey]
	server  *harness.Account
	leveled bool
}

func newThings(t testing.TB, o emulator.Options, client *azcosmos.ClientOptions, leveled bool, opts ...repository.Option) things {
	t.Helper()
	properties := azcosmos.ContainerProperties{
		ID: "things",
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{
			Kind: azcosmos.PartitionKeyKindHash, Paths: []string{"/pk"}, Version: 2,
		},
		IndexingPolicy: &azcosmos.IndexingPolicy{
			Automatic: true, IndexingMode: azcosmos.IndexingModeConsistent,
			IncludedPaths: []azcosmos.IncludedPath{{Path: "/*"}},
			CompositeIndexes: [][]azcosmos.CompositeIndex{
				{{Path: "/a", Order: azcosmos.CompositeIndexAscending}, {Path: "/b", Order: azcosmos.CompositeIndexAscending}},
				{{Path: "/a", Order: azcosmos.CompositeIndexAscending}, {Path: "/b", Order: azcosmos.CompositeIndexDescending}},
			},
		},
	}
	model := &thingModel
	if leveled {
		properties.PartitionKeyDefinition = azcosmos.PartitionKeyDefinition{
			Kind: azcosmos.PartitionKeyKindMultiHash, Paths: []string{"/base", "/pk"}, Version: 2,
		}
		model = &leveledThingModel
	}
	server, container := harness.NewContainer(t, o, properties, client)
	return things{repository.New(container, model, opts...), server, leveled}
}

// byBase selects the things of a base: by all buckets, by their prefix, or by the
// first level.
func (c things) byBase(base string, prefix bool) repository.Query[thing] {
	switch key := (thingKey{Base: base}); {
	case c.leveled:
		return repository.NewQuery(c.Documents, generated.Prefix([]any{base}))
	case prefix:
		return repository.NewQuery(c.Documents, generated.Buckets(thingBuckets, key.bucket).Prefix(base+"."))
	default:
		return repository.NewQuery(c.Documents, generated.Buckets(thingBuckets, key.bucket))
	}
}

// fill stores n random things of two bases and returns them.
func (c things) fill(t testing.TB, r *rand.Rand, n int) []*thing {
	t.Helper()
	all := make([]*thing, n)
	for i := range all {
		all[i] = &thing{ID: fmt.Sprintf("t%04d", i), Base: []string{"x", "y"}[i%2], Properties: map[string]any{}}
		for _, name := range []string{"a", "b"} {
			if v := randomValue(r); v != nothing {
				all[i].Properties[name] = v
			}
		}
		if err := c.Create(context.Background(), all[i]); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// nothing means an absent property.
var nothing any = struct{}{}

// randomValue is of any type, and often equal to another one.
func randomValue(r *rand.Rand) any {
	values := []any{
		nothing, nil, false, true, -1.5, 0.0, 2.0, 3.0, 1e300, "", "a", "B", "é", "\"\\", "\U0001F600", "\uFFFD",
		[]any{}, []any{"a", 1.0}, map[string]any{}, map[string]any{"a": "}"},
	}
	if r.IntN(2) == 0 {
		return float64(r.IntN(30))
	}
	return values[r.IntN(len(values))]
}

// compareValues is the order of Cosmos DB.
func compareValues(v, w any) int {
	rank := func(v any) int {
		switch v := v.(type) {
		case nil:
			return 1
		case bool:
			if v {
				return 3
			}
			return 2
		case float64:
			return 4
		case string:
			return 5
		case []any:
			return 6
		case map[string]any:
			return 7
		default:
			return 0
		}
	}
	if c := cmp.Compare(rank(v), rank(w)); c != 0 {
		return c
	}
	switch v := v.(type) {
	case float64:
		return cmp.Compare(v, w.(float64))
	case string:
		return strings.Compare(v, w.(string))
	default:
		return 0
	}
}

// at is a property, or nothing.
func (x *thing) at(name string) any {
	if v, ok := x.Properties[name]; ok {
		return v
	}
	return nothing
}

// disturb makes trouble for the requests to come: it splits physical partitions,
// and lets requests fail in ways that can be survived.
func (c things) disturb(r *rand.Rand) {
	switch r.IntN(6) {
	case 0, 1:
		// Most numbers are of no physical partition.
		_ = c.server.Split("db", "things", strconv.Itoa(r.IntN(20)))
	case 2:
		c.server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Skip: r.IntN(5), Status: http.StatusTooManyRequests, Substatus: 3200, RetryAfter: time.Millisecond, Count: 1 + r.IntN(3)})
	case 3:
		if r.IntN(50) == 0 { // the SDK waits a second
			c.server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Skip: r.IntN(5), Drop: true})
		}
	case 4:
		c.server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Skip: r.IntN(5), Status: 449})
	case 5:
		c.server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Skip: r.IntN(5), Status: http.StatusGone, Substatus: 1002})
	}
}

// thingsOf are the things of a base, or of all bases if it is empty.
func thingsOf(all []*thing, base string) []*thing {
	return slices.DeleteFunc(slices.Clone(all), func(x *thing) bool { return base != "" && x.Base != base })
}
