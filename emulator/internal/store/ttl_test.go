package server

import (
	"encoding/json"
	"testing"
	"time"
)

func TestExpiriesDoNotPileUp(t *testing.T) {
	now := time.Now()
	a := newAccount(accountLimits{partitions: 1, maxDocument: 1 << 20, maxLogicalPartition: 1 << 30})
	if _, err := a.createDatabase("db", nil, now); err != nil {
		t.Fatal(err)
	}
	definition := keyDefinition{Paths: []string{"/pk"}, Kind: kindHash, Version: 2}
	c, err := a.createContainer("db", "c", definition, map[string]json.RawMessage{"defaultTtl": json.RawMessage("1000")}, nil, now)
	if err != nil {
		t.Fatal(err)
	}
	k, err := parseKey(`["a"]`)
	if err != nil {
		t.Fatal(err)
	}
	for range 500 {
		in, err := c.incomingDocument([]byte(`{"id":"1","pk":"a"}`), k)
		if err != nil {
			t.Fatal(err)
		}
		err = c.transact(k, now, false, func(t *transaction) error {
			_, err := t.perform(&action{kind: upsertItem, key: k, id: "1", in: in})
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
