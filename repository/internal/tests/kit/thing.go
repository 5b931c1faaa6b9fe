package kit

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

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Renewal deletes documents and creates them again, with the same values, each once, so
// that a walk which gives them again ends.
type Renewal struct {
	Things
	done map[ThingKey]bool
}

func (c Things) Renewal() *Renewal { return &Renewal{c, map[ThingKey]bool{}} }

func (c *Renewal) Renew(t testing.TB, all ...*Thing) {
	t.Helper()
	for _, x := range all {
		if c.done[ThingKey{x.ID, x.Base}] {
			continue
		}
		c.done[ThingKey{x.ID, x.Base}] = true
		if err := c.Delete(context.Background(), ThingKey{x.ID, x.Base}); err != nil {
			t.Fatal(err)
		}
		if err := c.Create(context.Background(), x); err != nil {
			t.Fatal(err)
		}
	}
}

// A Thing has any properties. Its partition key is {base}.{id%40}, or {base} and
// {id%40} as two levels.
type Thing struct {
	ID         string
	Base       string
	Properties map[string]any
}

func (x Thing) MarshalJSON() ([]byte, error) {
	all := maps.Clone(x.Properties)
	if all == nil {
		all = map[string]any{}
	}
	all["id"], all["base"] = x.ID, x.Base
	return json.Marshal(all)
}

func (x *Thing) UnmarshalJSON(data []byte) error {
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

const ThingBuckets = 40

type ThingKey struct{ ID, Base string }

func (k ThingKey) Bucket(n int) string { return k.Base + "." + strconv.Itoa(n) }

func (k ThingKey) Text() string {
	return k.Bucket(partition.Hash{}.Text(k.ID).Bucket(ThingBuckets))
}

func (k ThingKey) levels() []any {
	return []any{k.Base, strconv.Itoa(partition.Hash{}.Text(k.ID).Bucket(ThingBuckets))}
}

func (k ThingKey) Validate() error { return nil }

// ThingModel has a key of one level.
//
// By hand: the same type has two layouts.
var ThingModel = generated.Model[Thing, ThingKey]{
	Type: "thing", Path: "/pk", Synthetic: true,
	Key:  func(x *Thing) ThingKey { return ThingKey{x.ID, x.Base} },
	ID:   func(k ThingKey) string { return k.ID },
	Text: ThingKey.Text,
}

// LeveledThingModel has a key of two levels.
//
// By hand: the same type has two layouts.
var LeveledThingModel = generated.Model[Thing, ThingKey]{
	Type: "thing", Paths: []string{"/base", "/pk"}, Made: []int{1},
	Key:    func(x *Thing) ThingKey { return ThingKey{x.ID, x.Base} },
	ID:     func(k ThingKey) string { return k.ID },
	Values: ThingKey.levels,
}

// Things is a container of things with the composite indexes that two orders
// need.
type Things struct {
	*repository.Documents[Thing, ThingKey]
	Server  *harness.Account
	Leveled bool
}

func NewThings(t testing.TB, o emulator.Options, client *azcosmos.ClientOptions, leveled bool, opts ...repository.Option) Things {
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
	model := &ThingModel
	if leveled {
		properties.PartitionKeyDefinition = azcosmos.PartitionKeyDefinition{
			Kind: azcosmos.PartitionKeyKindMultiHash, Paths: []string{"/base", "/pk"}, Version: 2,
		}
		model = &LeveledThingModel
	}
	server, container := harness.NewContainer(t, o, properties, client)
	return Things{repository.New(container, model, opts...), server, leveled}
}

// ByBase selects the things of a base: by all buckets, by their prefix, or by the
// first level.
func (c Things) ByBase(base string, prefix bool) repository.Query[Thing] {
	switch key := (ThingKey{Base: base}); {
	case c.Leveled:
		return repository.NewQuery(c.Documents, generated.Prefix([]any{base}))
	case prefix:
		return repository.NewQuery(c.Documents, generated.Buckets(ThingBuckets, key.Bucket).Prefix(base+"."))
	default:
		return repository.NewQuery(c.Documents, generated.Buckets(ThingBuckets, key.Bucket))
	}
}

// Fill stores n random things of two bases and returns them.
func (c Things) Fill(t testing.TB, r *rand.Rand, n int) []*Thing {
	t.Helper()
	all := make([]*Thing, n)
	for i := range all {
		all[i] = &Thing{ID: fmt.Sprintf("t%04d", i), Base: []string{"x", "y"}[i%2], Properties: map[string]any{}}
		for _, name := range []string{"a", "b"} {
			if v := RandomValue(r); v != Nothing {
				all[i].Properties[name] = v
			}
		}
		if err := c.Create(context.Background(), all[i]); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// Nothing means an absent property.
var Nothing any = struct{}{}

// RandomValue is of any type, and often equal to another one.
func RandomValue(r *rand.Rand) any {
	values := []any{
		Nothing, nil, false, true, -1.5, 0.0, 2.0, 3.0, 1e300, "", "a", "B", "é", "\"\\", "\U0001F600", "\uFFFD",
		[]any{}, []any{"a", 1.0}, map[string]any{}, map[string]any{"a": "}"},
	}
	if r.IntN(2) == 0 {
		return float64(r.IntN(30))
	}
	return values[r.IntN(len(values))]
}

// CompareValues is the order of Cosmos DB.
func CompareValues(v, w any) int {
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

// At is a property, or nothing.
func (x *Thing) At(name string) any {
	if v, ok := x.Properties[name]; ok {
		return v
	}
	return Nothing
}

// Disturb makes trouble for the requests to come: it splits physical partitions,
// and lets requests fail in ways that can be survived.
func (c Things) Disturb(r *rand.Rand) {
	switch r.IntN(6) {
	case 0, 1:
		// Most numbers are of no physical partition.
		_ = c.Server.Split("db", "things", strconv.Itoa(r.IntN(20)))
	case 2:
		c.Server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Skip: r.IntN(5), Status: http.StatusTooManyRequests, Substatus: 3200, RetryAfter: time.Millisecond, Count: 1 + r.IntN(3)})
	case 3:
		if r.IntN(50) == 0 { // the SDK waits a second
			c.Server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Skip: r.IntN(5), Drop: true})
		}
	case 4:
		c.Server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Skip: r.IntN(5), Status: 449})
	case 5:
		c.Server.Inject(emulator.Fault{Operation: emulator.OpQueryItems, Skip: r.IntN(5), Status: http.StatusGone, Substatus: 1002})
	}
}

// ThingsOf are the things of a base, or of all bases if it is empty.
func ThingsOf(all []*Thing, base string) []*Thing {
	return slices.DeleteFunc(slices.Clone(all), func(x *Thing) bool { return base != "" && x.Base != base })
}

// Some reads n changes and returns their ids and the cursor after them.
func (c Things) Some(t *testing.T, cursor string, n int, opts ...feed.Option) ([]string, string) {
	t.Helper()
	var names []string
	for change, err := range feed.Changes(context.Background(), c.Documents, feed.FromCursor(cursor), append(opts, feed.UntilCaughtUp())...) {
		if err != nil {
			t.Fatal(err)
		}
		names, cursor = append(names, change.Doc.ID), change.Cursor()
		if len(names) == n {
			break
		}
	}
	return names, cursor
}

const (
	ThingA documents.Number[Thing, float64] = "/a"
	ThingB documents.Number[Thing, float64] = "/b"
)
