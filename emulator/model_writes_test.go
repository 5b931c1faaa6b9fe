package emulator_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"sort"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// patch increments n, on a condition that holds or not.
func (m *model) patch(c *azcosmos.ContainerClient) {
	i, least := m.pick(), m.rng.IntN(50)
	n, exists := m.items[i]
	var p azcosmos.PatchOperations
	p.AppendIncrement("/n", 3)
	p.SetCondition(fmt.Sprintf("from c where c.n >= %d", least))
	_, err := c.PatchItem(m.t.Context(), pk(i.key), i.id, p, nil)
	switch {
	case !exists:
		m.expect("patch", i, err, http.StatusNotFound)
	case n < least:
		m.expect("patch", i, err, http.StatusPreconditionFailed)
	default:
		m.expect("patch", i, err, 0)
		m.items[i] = n + 3
	}
}

// batch runs a few operations on one key: all of them or none.
func (m *model) batch(c *azcosmos.ContainerClient) {
	key := m.pick().key
	b := c.NewTransactionalBatch(pk(key))
	after := maps.Clone(m.items)
	culprit := 0
	for range 1 + m.rng.IntN(4) {
		i := identity{key, m.pick().id}
		body, n := m.body(i)
		_, exists := after[i]
		status := 0
		switch m.rng.IntN(3) {
		case 0:
			b.CreateItem(body, nil)
			status = choose(exists, http.StatusConflict, 0)
			after[i] = n
		case 1:
			b.UpsertItem(body, nil)
			after[i] = n
		case 2:
			b.DeleteItem(i.id, nil)
			status = choose(exists, 0, http.StatusNotFound)
			delete(after, i)
		}
		if culprit == 0 {
			culprit = status
		}
	}
	response, err := c.ExecuteTransactionalBatch(m.t.Context(), b, nil)
	if err != nil {
		m.t.Fatal(err)
	}
	got := 0
	for _, result := range response.OperationResults {
		if s := int(result.StatusCode); s >= 400 && s != http.StatusFailedDependency {
			got = s
		}
	}
	if response.Success != (culprit == 0) || got != culprit {
		m.t.Errorf("batch on %s: success %v, culprit %d, want %d", key, response.Success, got, culprit)
	}
	if culprit == 0 {
		m.items = after
	}
}

// feed follows the change feed of a container by the SDK, from the beginning,
// while the container changes and its partitions split.
type feed struct {
	m     *model
	token string
	seen  map[identity]int // what was last seen of each item
}

func newFeed(m *model) *feed { return &feed{m: m, seen: map[identity]int{}} }

// read reads a page, and reports whether there was anything in it.
func (f *feed) read(c *azcosmos.ContainerClient) bool {
	f.m.t.Helper()
	o := &azcosmos.ChangeFeedOptions{MaxItemCount: 1 + f.m.rng.Int32N(5)}
	if f.token == "" {
		o.FeedRange = &azcosmos.FeedRange{MinInclusive: "", MaxExclusive: "FF"}
	} else {
		o.Continuation = &f.token
	}
	page, err := c.ReadChangeFeed(f.m.t.Context(), o)
	if err != nil {
		f.m.t.Fatal(err)
	}
	f.token = page.ContinuationToken
	for _, item := range page.Items {
		var d struct {
			ID, PK string
			N      int
		}
		if err := json.Unmarshal(item, &d); err != nil {
			f.m.t.Fatal(err)
		}
		f.seen[identity{d.PK, d.ID}] = d.N
	}
	return len(page.Items) > 0
}

// finish reads the rest: whatever exists was seen as it is now. Deletions are not
// in the feed.
func (f *feed) finish(c *azcosmos.ContainerClient) {
	for f.read(c) {
	}
	var got, want []string
	for i, n := range f.m.items {
		want = append(want, fmt.Sprint(i, n))
		if n, ok := f.seen[i]; ok {
			got = append(got, fmt.Sprint(i, n))
		}
	}
	sort.Strings(got)
	sort.Strings(want)
	f.m.compare("change feed", got, want)
}
