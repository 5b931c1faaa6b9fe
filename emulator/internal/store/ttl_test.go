package store

import (
	"encoding/json"
	"testing"
	"time"
)

func TestExpiriesDoNotPileUp(t *testing.T) {
	now := time.Now()
	a := New(Limits{Partitions: 1, MaxDocument: 1 << 20, MaxLogicalPartition: 1 << 30})
	if _, err := a.CreateDatabase("db", nil, now); err != nil {
		t.Fatal(err)
	}
	definition := KeyDefinition{Paths: []string{"/pk"}, Kind: kindHash, Version: 2}
	c, err := a.CreateContainer("db", "c", definition, map[string]json.RawMessage{"defaultTtl": json.RawMessage("1000")}, nil, now)
	if err != nil {
		t.Fatal(err)
	}
	k, err := c.ParseKey(`["a"]`)
	if err != nil {
		t.Fatal(err)
	}
	for range 500 {
		in, err := c.Incoming([]byte(`{"id":"1","pk":"a"}`), k)
		if err != nil {
			t.Fatal(err)
		}
		err = c.Transact(k, now, false, func(t *Transaction) error {
			_, err := t.Perform(&Action{Kind: Upsert, Key: k, ID: "1", Incoming: in})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n := len(c.expiring); n > 100 {
		t.Errorf("%d notes for one item", n)
	}
}
