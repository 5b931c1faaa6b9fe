package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// TestLogicalPartitionsAgainstModel creates, replaces and deletes documents of some keys,
// with a unique key, and compares with maps: partitions of one document, of few and of many
// are kept in different ways. Physical partitions split and merge meanwhile.
func TestLogicalPartitionsAgainstModel(t *testing.T) {
	a, now := New(Limits{Partitions: 2, MaxDocument: 1 << 20, MaxLogicalPartition: 1 << 30}), time.Now()
	if _, err := a.CreateDatabase("d", nil, now); err != nil {
		t.Fatal(err)
	}
	definition, err := ParseKeyDefinition(json.RawMessage(`{"paths":["/pk"],"kind":"Hash","version":2}`), false)
	if err != nil {
		t.Fatal(err)
	}
	c, err := a.CreateContainer("d", "c", definition, map[string]json.RawMessage{"uniqueKeyPolicy": json.RawMessage(`{"uniqueKeys":[{"paths":["/u"]}]}`)}, nil, now)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	model := map[string]map[string]int{} // by key: the unique value of each id
	for step := range 20_000 {
		pk := fmt.Sprint("k", random.IntN(6))
		most := []int{1, 2, 3, 15, 20, 60}[pk[1]-'0'] // ids of the key
		id, unique := fmt.Sprint(random.IntN(most)), random.IntN(2*most)
		if model[pk] == nil {
			model[pk] = map[string]int{}
		}
		k, err := c.NewKey([]any{pk})
		if err != nil {
			t.Fatal(err)
		}
		kind := []ActionKind{Create, Upsert, Upsert, Delete, Delete}[random.IntN(5)]
		action := &Action{Kind: kind, Key: k, ID: id}
		if kind != Delete {
			if action.Incoming, err = c.Incoming(fmt.Appendf(nil, `{"id":%q,"pk":%q,"u":%d}`, id, pk, unique), k); err != nil {
				t.Fatal(err)
			}
		}
		_, exists := model[pk][id]
		taken := false
		for other, u := range model[pk] {
			taken = taken || other != id && u == unique
		}
		rollback := random.IntN(4) == 0
		err = c.Transact(k, now, false, func(x *Transaction) error {
			_, err := x.Perform(action)
			if err == nil && rollback {
				x.Rollback()
			}
			return err
		})
		want := 0
		switch {
		case kind == Delete && !exists:
			want = status.NotFound
		case kind != Delete && (taken || kind == Create && exists):
			want = status.Conflict
		}
		var failed *status.Error
		if errors.As(err, &failed); err == nil && want != 0 || err != nil && failed.Status != want {
			t.Fatalf("step %d: %v, want %d", step, err, want)
		}
		switch {
		case want != 0 || rollback:
		case kind == Delete:
			delete(model[pk], id)
		default:
			model[pk][id] = unique
		}
		checkPartition(t, c, k, model[pk])
		divide(t, c, random, step)
		if step%100 == 0 {
			checkSurvey(t, c, now)
		}
	}
}

// divide splits a range at some steps, and merges two at others.
func divide(t *testing.T, c *Container, random *rand.Rand, step int) {
	t.Helper()
	var err error
	switch r := c.Ranges[random.IntN(len(c.Ranges))]; {
	case step%1000 == 0:
		err = c.SplitRange(r.ID)
	case step%1000 == 500 && r.Max != MaxEPK:
		err = c.MergeRanges([]string{r.ID, c.rangeOf(r.Max).ID})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// checkSurvey compares what ranges count with what they hold.
func checkSurvey(t *testing.T, c *Container, now time.Time) {
	t.Helper()
	list, _ := c.SurveyRanges(now)
	for i, s := range list {
		keys, size := map[*Key]bool{}, 0
		for d := range c.Ranges[i].docs.now.All() {
			keys[d.Key] = true
			size += len(d.Raw)
		}
		if s.Bytes != size || s.Logical != len(keys) {
			t.Fatalf("range %s counts %d bytes and %d keys, and holds %d and %d", s.ID, s.Bytes, s.Logical, size, len(keys))
		}
	}
}

// checkPartition compares a logical partition with the ids that it has to hold.
func checkPartition(t *testing.T, c *Container, k *Key, want map[string]int) {
	t.Helper()
	var ids []string
	size := 0
	for d := range c.DocumentsOf(k).All() {
		ids = append(ids, d.ID())
		size += len(d.Raw)
		if c.find(k, d.ID()) != d {
			t.Fatalf("%s is not found", d.ID())
		}
		if tag := d.ETag(); len(tag) != 38 {
			t.Fatalf("the entity tag is %s", tag)
		}
	}
	slices.Sort(ids)
	if !slices.Equal(ids, slices.Sorted(maps.Keys(want))) {
		t.Fatalf("%s has %q, want %v", k.Text, ids, want)
	}
	p := c.partitions[k.Text]
	if (p == nil) != (len(want) == 0) || p != nil && (p.size() != size || p.count() != len(want)) {
		t.Fatalf("%s: %+v, want %d documents with %d bytes", k.Text, p, len(want), size)
	}
}
