package table_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/table"
)

// click has a key with a random suffix.
type click struct {
	ID     string  `json:"id"`
	Date   string  `json:"date"`
	Page   string  `json:"page"`
	Stored *string `json:"partitionKey"`
}

type clickKey struct {
	Date, ID string
	Suffix   int
}

const clickBuckets = 400

func (k clickKey) Validate() error {
	return partition.Check("click", partition.ID(k.ID), partition.Text("Date", k.Date), partition.RandomSuffix("Suffix", k.Suffix, clickBuckets))
}

// By hand: pkgen refuses a pointer that remembers the suffix.
var clickModel = generated.Model[click, clickKey]{
	Type: "click", Path: "/partitionKey", Synthetic: true,
	Key: func(c *click) clickKey {
		k := clickKey{Date: c.Date, ID: c.ID}
		if c.Stored != nil {
			k.Suffix = partition.Suffix(*c.Stored, ".", clickBuckets)
		}
		return k
	},
	ID:         func(k clickKey) string { return k.ID },
	Text:       func(k clickKey) string { return fmt.Sprintf("%s.%d", k.Date, k.Suffix) },
	Stored:     func(c *click) *string { return c.Stored },
	Random:     &generated.Random[clickKey]{Buckets: clickBuckets, Suffix: func(k *clickKey) *int { return &k.Suffix }},
	Properties: &generated.Properties{ID: "id", Stored: "partitionKey"},
}

func clickOf(id, stored string) *click { return &click{ID: id, Date: "d", Stored: &stored} }

func clicks(t *testing.T, answer func(int, sent) (*http.Response, error)) (*table.Documents[click, clickKey], *fake) {
	f := &fake{answer: answer}
	return table.New(service(t, "http://127.0.0.1:1/account", f), "Clicks", &clickModel), f
}

// TestTransactionsShareASuffix creates documents that have no suffix yet.
func TestTransactionsShareASuffix(t *testing.T) {
	docs, _ := clicks(t, always(500, ""))
	for _, first := range []string{"", "d.1", "d.400"} {
		tx, before := table.NewTransaction(), clickOf("0", first)
		if err := docs.In(tx).Create(before); err != nil || *before.Stored == "" || first != "" && *before.Stored != first {
			t.Fatalf("%v, stored under %q", err, *before.Stored)
		}
		for i := range 9 {
			next := clickOf(fmt.Sprint(i+1), "")
			if err := docs.In(tx).Create(next); err != nil || *next.Stored != *before.Stored {
				t.Fatalf("%v: stored under %q, and the first under %q", err, *next.Stored, *before.Stored)
			}
		}
	}
}

// TestTransactionsRefuseSuffixes has documents of other logical partitions, and one that
// cannot remember its suffix.
func TestTransactionsRefuseSuffixes(t *testing.T) {
	docs, f := clicks(t, always(500, ""))
	base := clickOf("2", "")
	base.Date = "e"
	for name, test := range map[string]struct {
		doc   *click
		alone bool // whether it is refused as the first document as well
		says  string
	}{
		"another base":   {base, false, `the transaction is in partition "d.7", and no suffix`},
		"another suffix": {clickOf("2", "d.8"), false, `the transaction is in partition "d.7"`},
		"no id":          {clickOf("", ""), true, "is empty"},
		"a nil pointer":  {&click{ID: "2", Date: "d"}, true, "must remember the random suffix"},
	} {
		for _, first := range []bool{false, true} {
			if first && !test.alone {
				continue
			}
			tx := table.NewTransaction()
			if !first {
				if err := docs.In(tx).Create(clickOf("1", "d.7")); err != nil {
					t.Fatal(err)
				}
			}
			before, was := tx.Len(), ""
			if test.doc.Stored != nil {
				was = *test.doc.Stored
			}
			err := docs.In(tx).Create(test.doc)
			if err == nil || !strings.Contains(err.Error(), test.says) || tx.Len() != before || test.doc.Stored != nil && *test.doc.Stored != was {
				t.Errorf("%s: %v, %d operations, %+v", name, err, tx.Len(), test.doc)
			}
			if tx.Commit(ctx) == nil {
				t.Errorf("%s: committed", name)
			}
		}
	}
	if len(f.all) != 0 {
		t.Errorf("%d requests", len(f.all))
	}
}

// TestTransactionsMadeAnew repeats a transaction whose outcome stayed unclear: it writes to
// the same logical partition, and finds what the first has stored.
func TestTransactionsMadeAnew(t *testing.T) {
	entity, again := "", false
	docs, f := clicks(t, func(_ int, s sent) (*http.Response, error) {
		switch {
		case s.method == "POST" && again:
			return changeset(refused(409, "EntityAlreadyExists", "0:secret")), nil
		case s.method == "POST": // it takes effect
			_, entity, _ = strings.Cut(s.body, "{")
			entity, _, _ = strings.Cut(entity, "}")
			entity = "{" + entity + "}"
			return nil, errLost
		case again:
			return reply(200, entity, "ETag", "W/\"1\""), nil
		}
		return failed(403, "Forbidden"), nil
	})
	doc := clickOf("1", "")
	attempt := func() error {
		tx := table.NewTransaction()
		if err := docs.In(tx).Create(doc); err != nil {
			t.Fatal(err)
		}
		return tx.Commit(ctx)
	}
	err := attempt()
	first := *doc.Stored
	if !errors.Is(err, documents.ErrUnclear) || first == "" || !strings.Contains(entity, `"PartitionKey":"`+first+`"`) {
		t.Fatalf("%v, stored under %q: %s", err, first, entity)
	}
	again = true
	if err := attempt(); err != nil || *doc.Stored != first {
		t.Errorf("again: %v, stored under %q, and first under %q", err, *doc.Stored, first)
	}
	doc.Page = "/other"
	if err := attempt(); !errors.Is(err, documents.ErrAlreadyExists) || errors.Is(err, documents.ErrUnclear) || *doc.Stored != first {
		t.Errorf("another document: %v, stored under %q", err, *doc.Stored)
	}
	for _, s := range f.all {
		if s.method == "POST" && !strings.Contains(s.body, `"PartitionKey":"`+first+`"`) {
			t.Errorf("sent to another logical partition: %s", s.body)
		}
	}
}
