package emulator_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sort"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
)

// identity is what identifies an item.
type identity struct{ key, id string }

// model is the emulator without partitions, conditions or the network: a map.
type model struct {
	t     *testing.T
	rng   *rand.Rand
	items map[identity]int
}

// TestAgainstModel runs random operations against a server and a model, and
// compares every answer. Pages are small and partitions split on the way.
func TestAgainstModel(t *testing.T) {
	seeds := uint64(6)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			srv, c := newContainer(t, emulator.Options{Partitions: 1 + int(seed)})
			m := &model{t, rand.New(rand.NewPCG(seed, 1)), map[identity]int{}}
			feed := newFeed(m)
			ranges := 1 + int(seed)
			for range 500 {
				switch m.rng.IntN(16) {
				case 0, 1, 2:
					m.create(c)
				case 3, 4:
					m.upsert(c)
				case 5:
					m.replace(c)
				case 6:
					m.delete(c)
				case 7, 8:
					m.read(c)
				case 9:
					m.queryKey(c)
				case 10:
					m.queryAll(c)
				case 11:
					m.patch(c)
				case 12:
					m.batch(c)
				case 13, 14:
					feed.read(c)
				case 15:
					if ranges < 12 && m.rng.IntN(4) == 0 {
						// The id may be one that was split before: that is an error, and no harm.
						if srv.Split("db", "docs", fmt.Sprint(m.rng.IntN(ranges))) == nil {
							ranges += 2
						}
					}
				}
				if t.Failed() {
					return
				}
			}
			m.readMany(c)
			feed.finish(c)
		})
	}
}

func (m *model) pick() identity {
	return identity{fmt.Sprintf("k%d", m.rng.IntN(8)), fmt.Sprintf("i%d", m.rng.IntN(10))}
}

func (m *model) body(i identity) ([]byte, int) {
	n := m.rng.IntN(50)
	return fmt.Appendf(nil, `{"id":%q,"pk":%q,"n":%d}`, i.id, i.key, n), n
}

// expect compares the outcome of a write or read with what the model says.
func (m *model) expect(what string, i identity, err error, want int) {
	m.t.Helper()
	if got := status(err); got != want || (err != nil) != (want != 0) {
		m.t.Errorf("%s of %v: %v, want status %d", what, i, err, want)
	}
}

func choose(condition bool, yes, no int) int {
	if condition {
		return yes
	}
	return no
}

func (m *model) create(c *azcosmos.ContainerClient) {
	i := m.pick()
	body, n := m.body(i)
	_, exists := m.items[i]
	_, err := c.CreateItem(m.t.Context(), pk(i.key), body, nil)
	m.expect("create", i, err, choose(exists, http.StatusConflict, 0))
	if !exists {
		m.items[i] = n
	}
}

func (m *model) upsert(c *azcosmos.ContainerClient) {
	i := m.pick()
	body, n := m.body(i)
	_, err := c.UpsertItem(m.t.Context(), pk(i.key), body, nil)
	m.expect("upsert", i, err, 0)
	m.items[i] = n
}

func (m *model) replace(c *azcosmos.ContainerClient) {
	i := m.pick()
	body, n := m.body(i)
	_, exists := m.items[i]
	_, err := c.ReplaceItem(m.t.Context(), pk(i.key), i.id, body, nil)
	m.expect("replace", i, err, choose(exists, 0, http.StatusNotFound))
	if exists {
		m.items[i] = n
	}
}

func (m *model) delete(c *azcosmos.ContainerClient) {
	i := m.pick()
	_, exists := m.items[i]
	_, err := c.DeleteItem(m.t.Context(), pk(i.key), i.id, nil)
	m.expect("delete", i, err, choose(exists, 0, http.StatusNotFound))
	delete(m.items, i)
}

func (m *model) read(c *azcosmos.ContainerClient) {
	i := m.pick()
	want, exists := m.items[i]
	got, err := c.ReadItem(m.t.Context(), pk(i.key), i.id, nil)
	m.expect("read", i, err, choose(exists, 0, http.StatusNotFound))
	if exists {
		m.compare("read", []string{line(m.t, got.Value)}, []string{fmt.Sprintf("%s/%s=%d", i.key, i.id, want)})
	}
}

// line is an item as a comparable line.
func line(t *testing.T, item []byte) string {
	t.Helper()
	var d struct {
		ID, PK string
		N      int
	}
	if err := json.Unmarshal(item, &d); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s/%s=%d", d.PK, d.ID, d.N)
}

func (m *model) compare(what string, got, want []string) {
	m.t.Helper()
	if !slices.Equal(got, want) {
		m.t.Errorf("%s:\n got %q\nwant %q", what, got, want)
	}
}

// lines are the items of the model that a filter selects, in the order of their text.
func (m *model) lines(filter func(identity, int) bool) []string {
	var list []string
	for i, n := range m.items {
		if filter(i, n) {
			list = append(list, fmt.Sprintf("%s/%s=%d", i.key, i.id, n))
		}
	}
	sort.Strings(list)
	return list
}

// run reads a query to its end in small pages.
func (m *model) run(c *azcosmos.ContainerClient, sql string, key azcosmos.PartitionKey) []string {
	m.t.Helper()
	pager := c.NewQueryItemsPager(sql, key, &azcosmos.QueryOptions{PageSizeHint: 1 + m.rng.Int32N(5)})
	var list []string
	for pager.More() {
		page, err := pager.NextPage(m.t.Context())
		if err != nil {
			m.t.Fatalf("%s: %v", sql, err)
		}
		for _, item := range page.Items {
			list = append(list, line(m.t, item))
		}
	}
	return list
}

func (m *model) queryKey(c *azcosmos.ContainerClient) {
	key, least := m.pick().key, m.rng.IntN(50)
	want := m.lines(func(i identity, n int) bool { return i.key == key && n >= least })
	sql := fmt.Sprintf("SELECT * FROM c WHERE c.n >= %d ORDER BY c.id", least)
	m.compare(sql+" in "+key, m.run(c, sql, pk(key)), want)
}

func (m *model) queryAll(c *azcosmos.ContainerClient) {
	a, b, least := m.pick().key, m.pick().key, m.rng.IntN(50)
	sql := fmt.Sprintf("SELECT * FROM c WHERE c.n >= %d", least)
	want := m.lines(func(_ identity, n int) bool { return n >= least })
	if m.rng.IntN(2) == 0 {
		sql = fmt.Sprintf("SELECT * FROM c WHERE c.pk IN ('%s', '%s')", a, b)
		want = m.lines(func(i identity, _ int) bool { return i.key == a || i.key == b })
	}
	got := m.run(c, sql, azcosmos.NewPartitionKey())
	sort.Strings(got)
	m.compare(sql, got, want)
}

func (m *model) readMany(c *azcosmos.ContainerClient) {
	var identities []azcosmos.ItemIdentity
	for i := range m.items {
		identities = append(identities, azcosmos.ItemIdentity{ID: i.id, PartitionKey: pk(i.key)})
	}
	response, err := c.ReadManyItems(m.t.Context(), identities, nil)
	if err != nil {
		m.t.Fatal(err)
	}
	var got []string
	for _, item := range response.Items {
		got = append(got, line(m.t, item))
	}
	sort.Strings(got)
	m.compare("read many", got, m.lines(func(identity, int) bool { return true }))
}
