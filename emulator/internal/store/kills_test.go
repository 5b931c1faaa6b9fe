package store

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"
)

// kills is records that remember each call of Record, so that a test can restore what a kill
// after any of them leaves.
type kills struct{ calls [][]Change }

func (k *kills) Each(table string, visit func(key, value []byte), _ func(error)) {
	kept := map[string][]byte{}
	for _, c := range slices.Concat(k.calls...) {
		switch {
		case c.Table != table:
		case c.Value != nil:
			kept[string(c.Key)] = c.Value
		default:
			for key := range kept {
				if strings.HasPrefix(key, string(c.Key)) {
					delete(kept, key)
				}
			}
		}
	}
	keys := make([]string, 0, len(kept))
	for key := range kept {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		visit([]byte(key), bytes.Clone(kept[key]))
	}
}

func (k *kills) Record(changes []Change) { k.calls = append(k.calls, slices.Clone(changes)) }

func (k *kills) Settle() error { return nil }

func (k *kills) File() string { return "memory" }

// after returns the records that a kill after n calls leaves.
func (k *kills) after(n int) *kills { return &kills{slices.Clone(k.calls[:n])} }

func restored(t *testing.T, l Limits, k *kills) (*Account, *Container) {
	t.Helper()
	a, err := Restore(l, k)
	if err != nil {
		t.Fatal(err)
	}
	_, c := a.Find("d", "c")
	return a, c
}

// newKept makes an account with a container and a document, and its records.
func newKept(t *testing.T, l Limits, first string) (*Account, *Container, *kills) {
	t.Helper()
	k := &kills{}
	a, _ := restored(t, l, k)
	text := first + "\n" + `{"id":"1","pk":"1"}` + "\n"
	if _, err := a.Import(strings.NewReader(text), time.Unix(1000, 0)); err != nil {
		t.Fatal(err)
	}
	_, c := a.Find("d", "c")
	return a, c, k
}

const (
	keptLine       = `{"database":"d","container":{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}}`
	keptThroughput = `{"database":"d","container":{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}},"throughput":{"offerThroughput":20000}}`
)

// limits of accounts in these tests.
var keptLimits = Limits{Partitions: 1, MaxDocument: 2 << 20, MaxLogicalPartition: 20 << 30}

// TestKillWhileThroughputIsRaised checks that throughput never has fewer physical partitions
// than it needs.
func TestKillWhileThroughputIsRaised(t *testing.T) {
	a, c, k := newKept(t, keptLimits, keptThroughput)
	if _, err := a.ReplaceOffer(c.offer.id, Throughput{Manual: 70_000}, "", time.Unix(1001, 0)); err != nil {
		t.Fatal(err)
	}
	for n := range len(k.calls) + 1 {
		_, c := restored(t, keptLimits, k.after(n))
		if c != nil && len(c.Ranges) < c.offer.settings.partitions() {
			t.Errorf("after %d records %d RU/s have %d physical partitions", n, c.offer.settings.Manual, len(c.Ranges))
		}
	}
}

// TestMergeOutlivesARestart checks that partitions which were merged are not split again
// because of the throughput of the container.
func TestMergeOutlivesARestart(t *testing.T) {
	_, c, k := newKept(t, keptLimits, keptThroughput)
	if err := c.MergeRanges([]string{"0", "1"}); err != nil {
		t.Fatal(err)
	}
	want := c.rangeIDs()
	if _, c := restored(t, keptLimits, k); c.rangeIDs() != want {
		t.Errorf("ranges %s after a restart, want %s", c.rangeIDs(), want)
	}
}

// TestKillWhileVersionsAreSwitchedOn checks that the feed of all versions never begins before
// they are kept.
func TestKillWhileVersionsAreSwitchedOn(t *testing.T) {
	_, _, k := newKept(t, keptLimits, keptLine)
	before := len(k.calls)
	all := keptLimits
	all.AllVersions = time.Hour
	restored(t, all, k)
	for n := before; n <= len(k.calls); n++ {
		_, c := restored(t, all, k.after(n))
		r := c.Ranges[0]
		if _, err := c.Versions(r, 0, time.Unix(1001, 0)); err == nil {
			t.Errorf("after %d of %d records the feed begins with 0, and the account has not kept versions before %d", n, len(k.calls), r.LSN)
		}
	}
}

// TestVersionsOfABatchOverARestart writes an item twice in one batch: the log has both texts,
// before a restart and after it.
func TestVersionsOfABatchOverARestart(t *testing.T) {
	all := keptLimits
	all.AllVersions = time.Hour
	now := time.Unix(1001, 0)
	_, c, k := newKept(t, all, keptLine)
	key, err := c.ParseKey(`["1"]`)
	if err != nil {
		t.Fatal(err)
	}
	err = c.Transact(key, now, false, func(tx *Transaction) error {
		for _, text := range []string{`{"id":"2","pk":"1","n":1}`, `{"id":"2","pk":"1","n":2}`} {
			in, err := c.Incoming([]byte(text), key)
			if err != nil {
				return err
			}
			if _, err := tx.Perform(&Action{Kind: Upsert, Key: key, ID: "2", Incoming: in}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	texts := func(c *Container) (list []string) {
		versions, err := c.Versions(c.Ranges[0], 1, now)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range versions {
			list = append(list, string(v.Document.Raw))
		}
		return list
	}
	_, again := restored(t, all, k)
	if got, want := texts(again), texts(c); len(want) != 2 || !slices.Equal(got, want) {
		t.Errorf("after a restart:\n%s\nbefore:\n%s", got, want)
	}
}
