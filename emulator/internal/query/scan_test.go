package query_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/work"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/header"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/query"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
)

// newContainer makes a container with one physical partition, whose key is pk.
func newContainer(t *testing.T, documents ...string) *store.Container {
	t.Helper()
	now := time.Unix(1000, 0)
	a := store.New(store.Limits{Partitions: 1, MaxDocument: 2 << 20, MaxLogicalPartition: 1 << 30})
	if _, err := a.CreateDatabase("d", nil, now); err != nil {
		t.Fatal(err)
	}
	id, sent, err := store.ResourceID([]byte(`{"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}`))
	if err != nil {
		t.Fatal(err)
	}
	definition, err := store.ParseKeyDefinition(sent["partitionKey"], false)
	if err != nil {
		t.Fatal(err)
	}
	c, err := a.CreateContainer("d", id, definition, sent, nil, now)
	if err != nil {
		t.Fatal(err)
	}
	k, err := c.ParseKey(`["1"]`)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range documents {
		err := c.Transact(k, now, false, func(tx *store.Transaction) error {
			in, err := c.Incoming([]byte(text), k)
			if err == nil {
				_, err = tx.Perform(&store.Action{Kind: store.Create, Key: k, ID: in.ID, Incoming: in})
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// page reads one page of a query over the first physical partition, within some steps of
// work; 0 means all.
func page(c *store.Container, sql, token string, size, steps int) (*query.Page, error) {
	meter := work.NewMeter(context.Background(), work.Limits{Steps: steps})
	defer meter.Close()
	body, err := json.Marshal(map[string]string{"query": sql})
	if err != nil {
		return nil, err
	}
	q, err := query.Parse(body, meter)
	if err != nil {
		return nil, err
	}
	q.Pin(c)
	h := http.Header{}
	h.Set("X-Ms-Documentdb-Partitionkeyrangeid", "0")
	h.Set("X-Ms-Max-Item-Count", fmt.Sprint(size))
	if token != "" {
		h.Set(header.Continuation, token)
	}
	var r *query.Reader
	err = c.Read(time.Unix(1000, 0), func() error {
		r, err = query.NewReader(c, q, h, 0)
		return err
	})
	if err != nil {
		return nil, err
	}
	return r.Page()
}

// TestOrderedPageThatTakesTooLong reads the second page of a query with ORDER BY within
// every amount of work. It comes with all its rows, or it is an error.
func TestOrderedPageThatTakesTooLong(t *testing.T) {
	const n = 6
	each := 30_000 // steps
	if seeds.Part(t, "five of six amounts") {
		each *= 6
	}
	var documents []string
	for i := range n { // the last one comes first
		documents = append(documents, fmt.Sprintf(`{"id":"%d","pk":"1","s":"%s%d"}`, i, strings.Repeat("x", 900_000), n-i))
	}
	c := newContainer(t, documents...)
	const sql = "SELECT VALUE c.id FROM c ORDER BY c.s"
	first, err := page(c, sql, "", 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`"4"`, `"3"`, `"2"`, `"1"`, `"0"`}
	var refused, served int
	for steps := 1_500_000; steps < 4_000_000 && served < 3; steps += each {
		p, err := page(c, sql, first.Continuation(), 100, steps)
		if err != nil {
			refused++
			continue
		}
		served++
		var got []string
		for _, row := range p.Rows {
			got = append(got, string(row))
		}
		if !slices.Equal(got, want) {
			t.Errorf("within %d steps: %s, want %s", steps, got, want)
		}
	}
	if refused == 0 || served == 0 {
		t.Errorf("%d pages were refused and %d served, want some of each", refused, served)
	}
}
