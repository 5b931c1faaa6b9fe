package store

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"
)

// indexed makes an account with the container c and an index of it, and returns what writes
// a document to c, and what adds an index.
func indexed(t *testing.T, a *Account) (c *Container, write func(i int), add func(id string) *Container) {
	t.Helper()
	now := time.Unix(1000, 0)
	if _, err := a.CreateDatabase("d", nil, now); err != nil {
		t.Fatal(err)
	}
	create := func(id, more string, p *Throughput) *Container {
		_, sent, err := ResourceID(fmt.Appendf(nil, `{"id":%q,"partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}%s}`, id, more))
		if err != nil {
			t.Fatal(err)
		}
		definition, err := ParseKeyDefinition(sent["partitionKey"], false)
		if err != nil {
			t.Fatal(err)
		}
		c, err := a.CreateContainer("d", id, definition, sent, p, now)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c = create("c", "", nil)
	write = func(i int) {
		k, err := c.ParseKey(`["a"]`)
		if err != nil {
			t.Fatal(err)
		}
		err = c.Transact(k, now, false, func(tx *Transaction) error {
			in, err := c.Incoming(fmt.Appendf(nil, `{"id":"%d","pk":"a","n":%d}`, i%5, i), k)
			if err != nil {
				return err
			}
			_, err = tx.Perform(&Action{Kind: Upsert, Key: k, ID: in.ID, Incoming: in})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	add = func(id string) *Container {
		var p Throughput
		if err := json.Unmarshal([]byte(`{"offerAutopilotSettings":{"maxThroughput":1000}}`), &p); err != nil {
			t.Fatal(err)
		}
		return create(id, `,"globalSecondaryIndexDefinition":{"sourceCollectionId":"c","definition":"SELECT * FROM c"}`, &p)
	}
	return c, write, add
}

// TestVersionsOfASource holds the log that indexes need to a bound. A container without indexes
// has no log. The writes of a source trim it, even if no program reads the indexes. The end of
// the last index removes it.
func TestVersionsOfASource(t *testing.T) {
	k := &kills{}
	a, err := Restore(keptLimits, k)
	if err != nil {
		t.Fatal(err)
	}
	c, write, add := indexed(t, a)
	kept := func() int { return len(c.Ranges[0].versions) }
	write(0)
	if kept() != 0 {
		t.Errorf("a container without indexes keeps %d versions", kept())
	}
	x, y := add("x"), add("y")
	for i := range 1000 {
		write(i)
		if kept() > 2*fewVersions {
			t.Fatalf("after %d writes %d versions are kept", i, kept())
		}
	}
	for _, index := range []*Container{x, y} {
		if n := index.size(); n != 5 {
			t.Errorf("an index that nobody reads has %d entries", n)
		}
	}
	now := time.Unix(1001, 0)
	if err := a.DeleteContainer(x, "", now); err != nil {
		t.Fatal(err)
	}
	if kept() == 0 {
		t.Error("the other index has lost the versions")
	}
	y.Text(now) // it catches up
	before := len(k.calls)
	if err := a.DeleteContainer(y, "", now); err != nil {
		t.Fatal(err)
	}
	if kept() != 0 {
		t.Errorf("without indexes %d versions are kept", kept())
	}
	if calls := len(k.calls) - before; calls != 1 {
		t.Errorf("the end of the last index is recorded in %d parts", calls)
	}
	left := 0
	k.Each(tableVersions, func(_, _ []byte) { left++ }, nil)
	if left != 0 {
		t.Errorf("%d versions are still recorded", left)
	}
}

// TestKillWithIndexes kills the process after each record of a life of two indexes. The account
// is whole after each restart, and the indexes have the documents of their source.
func TestKillWithIndexes(t *testing.T) {
	k := &kills{}
	a, err := Restore(keptLimits, k)
	if err != nil {
		t.Fatal(err)
	}
	_, write, add := indexed(t, a)
	now := time.Unix(1001, 0)
	for round := range 3 {
		for i, id := range []string{"x", "y"} {
			write(round)
			add(id)
			write(round + i)
		}
		for i, id := range []string{"x", "y"} {
			write(round)
			_, c := a.Find("d", id)
			if err := a.DeleteContainer(c, "", now); err != nil {
				t.Fatal(err)
			}
			write(round + i)
		}
	}
	texts := func(c *Container, skip ...string) (list []string) {
		for _, r := range c.Ranges {
			for d := range r.docs.now.All() {
				raw, err := without(d.Raw, append(skip, systemProperties...))
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, string(raw))
			}
		}
		return list
	}
	for n := 2; n <= len(k.calls); n++ { // the database and the container
		a, c := restored(t, keptLimits, k.after(n))
		if c == nil {
			continue
		}
		for _, id := range []string{"x", "y"} {
			if _, x := a.Find("d", id); x != nil {
				x.follow(now)
				if got, want := texts(x, "id", "_id"), texts(c, "id"); !slices.Equal(got, want) {
					t.Fatalf("after %d of %d records %s has %s, and the source %s", n, len(k.calls), id, got, want)
				}
			}
		}
	}
}
