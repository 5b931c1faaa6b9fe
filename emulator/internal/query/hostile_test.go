package query_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/query"
)

// TestTokensOfManyParts reads 20,000 documents by tokens that divide the key space into as
// many parts as fit a header. A page takes milliseconds, not seconds: nothing ends it with
// its client.
func TestTokensOfManyParts(t *testing.T) {
	var documents []string
	for i := range 20_000 {
		documents = append(documents, fmt.Sprintf(`{"id":"%d","pk":"1"}`, i))
	}
	c := newContainer(t, documents...)
	const parts = 20_000
	bound := func(i int) string { return fmt.Sprintf("%08X", i+1) }
	start := time.Now()
	if _, err := page(c, "SELECT VALUE c.id FROM c", "", 20_000, 0); err != nil {
		t.Fatal(err)
	}
	// Parts that are searched one by one take a hundred times as long as no parts.
	limit := 500*time.Millisecond + 30*time.Since(start)

	first, err := page(c, "SELECT VALUE c.id FROM c", "", 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	var token map[string]json.RawMessage
	text, err := base64.StdEncoding.DecodeString(first.Continuation())
	if err == nil {
		err = json.Unmarshal(text, &token)
	}
	if err != nil {
		t.Fatal(err)
	}
	var segments, positions []string
	for i := range parts {
		segments = append(segments, fmt.Sprintf(`{"max":%q,"after":1}`, bound(i)))
		positions = append(positions, bound(i)+"#1")
	}
	token["segments"] = json.RawMessage("[" + strings.Join(segments, ",") + "]")
	if text, err = json.Marshal(token); err != nil {
		t.Fatal(err)
	}
	start = time.Now()
	p, err := page(c, "SELECT VALUE c.id FROM c", base64.StdEncoding.EncodeToString(text), 20_000, 0)
	if took := time.Since(start); err != nil || len(p.Rows) != 20_000 || took > limit {
		t.Errorf("%v, %d rows after %s", err, len(p.Rows), took)
	}

	h := http.Header{}
	h.Set("A-Im", "Incremental feed")
	h.Set("If-None-Match", `"`+strings.Join(append(positions, "FF#1"), ",")+`"`)
	h.Set("X-Ms-Max-Item-Count", "20000")
	start = time.Now()
	var feed *query.Changes
	now := time.Unix(1000, 0)
	err = c.Read(now, func() error {
		feed, err = query.NewChanges(c, h, now)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	feed.Choose()
	changes, _ := feed.Page()
	if took := time.Since(start); len(changes.Rows) < 10_000 || took > limit {
		t.Errorf("%d changes after %s", len(changes.Rows), took)
	}
}
