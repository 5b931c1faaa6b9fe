package queries

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// forge returns an open cursor with another content.
func forge(t testing.TB, cursor string, change func(body string) string) string {
	t.Helper()
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		t.Fatal(err)
	}
	body := change(string(raw[6:]))
	if body == string(raw[6:]) {
		t.Fatalf("nothing is changed in %s", body)
	}
	raw = append(raw[:6:6], body...)
	binary.BigEndian.PutUint32(raw[1:], crc32.Update(crc32.ChecksumIEEE(raw[:1]), crc32.IEEETable, raw[5:]))
	return base64.RawURLEncoding.EncodeToString(raw)
}

// replacing returns a change by a regular expression.
func replacing(pattern, by string) func(string) string {
	return func(body string) string { return regexp.MustCompile(pattern).ReplaceAllString(body, by) }
}

// itemsRead counts the documents that queries have returned.
func itemsRead(server *harness.Account) int {
	n := 0
	for _, r := range server.Requests() {
		n += r.Items
	}
	return n
}

// TestForgedPageCursors makes up open cursors: none gets more than a page, nor
// makes the service read much more.
func TestForgedPageCursors(t *testing.T) {
	seeds.Long(t)
	t.Parallel()
	c := kit.NewThings(t, emulator.Options{Partitions: 2}, repository.Configure(nil), false)
	c.Orders(t, 3000, 1)
	q := c.ByBase("x", false).OrderBy(kit.ThingA.Asc()).Limit(20)
	ctx := context.Background()
	first, err := q.Page(ctx, "", 10)
	if err != nil {
		t.Fatal(err)
	}
	before := strings.Repeat(`{"m":"FF","d":1000000000},`, 3) + `{"i":"0A","m":"FF","d":1000000000}`
	for name, change := range map[string]func(string) string{
		"fewer came before": replacing(`"n":10`, `"n":1`),
		"far back":          replacing(`"t":\[.*\]`, `"t":[`+before+`]`),
		"no token":          replacing(`,"t":\[.*\]`, ``),
		"everything came":   replacing(`"g":\[.*?\],.*\]`, `"g":[{"m":"FF","u":18446744073709551615}],"o":1`),
		"much came":         replacing(`"g":\[.*?\],.*\]`, `"g":[{"m":"FF","u":2900}],"o":1`),
		"nothing came":      replacing(`"g":\[.*?\]`, `"g":[{"m":"FF"}]`),
		"another token":     replacing(`"d":10`, `"t":"eyJ4IjoxfQ==","d":10`),
		"another value":     replacing(`"k":4`, `"k":0`),
	} {
		t.Run(name, func(t *testing.T) {
			cursor := forge(t, first.Cursor, change)
			c.Server.ResetRequests()
			page, err := q.Page(ctx, cursor, 10)
			if err != nil && !errors.Is(err, repository.ErrCursor) {
				t.Fatal(err)
			}
			if len(page.Items) > 10 {
				t.Errorf("a page of %d documents", len(page.Items))
			}
			if n := itemsRead(c.Server); n > 1000+6*10 {
				t.Errorf("%d documents were read", n)
			}
		})
	}
	for name, change := range map[string]func(string) string{
		"as many as the limit": replacing(`"n":10`, `"n":20`),
		"below nothing":        replacing(`"n":10`, `"n":-75`),
		"another query":        replacing(`"q":"[^"]*"`, `"q":"AAAAAAAAAAAAAAAAAAAAAA=="`),
		"another container":    replacing(`"c":"[^"]*"`, `"c":"AAAAAAAAAAA="`),
	} {
		if page, err := q.Page(ctx, forge(t, first.Cursor, change), 10); !errors.Is(err, repository.ErrCursor) {
			t.Errorf("%s: %d documents, %v", name, len(page.Items), err)
		}
	}
	// What a limited query gives by its own cursors is limited.
	second, err := q.Page(ctx, first.Cursor, 10)
	if err != nil || len(second.Items) != 10 || second.Cursor != "" {
		t.Errorf("the second page has %d documents and the cursor %q, %v", len(second.Items), second.Cursor, err)
	}
}

// TestForgedFeedCursors divides the key space into 2,000 parts, each of which would
// be polled.
func TestForgedFeedCursors(t *testing.T) {
	t.Parallel()
	c := kit.NewThings(t, emulator.Options{Partitions: 2}, repository.Configure(nil), false)
	c.Orders(t, 50, 1)
	cursor, _, err := changesBy(c, "")
	if err != nil {
		t.Fatal(err)
	}
	lanes := func(n int) func(string) string {
		var all []string
		for i := range n - 1 {
			all = append(all, fmt.Sprintf(`{"m":"%06X"}`, i+1))
		}
		return replacing(`"l":\[.*\]`, `"l":[`+strings.Join(append(all, `{"m":"FF"}`), ",")+`]`)
	}
	for name, change := range map[string]func(string) string{
		"2,000 parts":        lanes(2000),
		"9 parts":            lanes(9),
		"a tag of two lines": replacing(`"e":"[^}]*"`, `"e":"a\r\nb"`),
		"a bound of its own": replacing(`"m":"FF"`, `"m":"zz"`),
		"a late second":      replacing(`"l":`, `"s":9223372036854775807,"l":`),
	} {
		c.Server.ResetRequests()
		_, n, err := changesBy(c, forge(t, cursor, change))
		if !errors.Is(err, repository.ErrCursor) || n > 0 {
			t.Errorf("%s: %d changes, %v", name, n, err)
		}
		for _, r := range c.Server.Requests() {
			if r.Operation == emulator.OpReadChangeFeed {
				t.Errorf("%s: a change feed was read", name)
			}
		}
	}
	c.Server.ResetRequests()
	if _, _, err := changesBy(c, forge(t, cursor, lanes(8))); err != nil {
		t.Error(err)
	}
	if n := len(c.Server.Requests()); n > 40 {
		t.Errorf("8 parts took %d requests", n)
	}
}

// TestFeedCursorsAfterManySplits reads with a client that knows the container from
// before it was split, by the cursor of one that has seen it since.
func TestFeedCursorsAfterManySplits(t *testing.T) {
	t.Parallel()
	c := kit.NewThings(t, emulator.Options{Partitions: 1}, repository.Configure(nil), false)
	c.Orders(t, 50, 1)
	ctx := context.Background()
	caughtUp := ""
	end := feed.OnCaughtUp(func(cursor string) { caughtUp = cursor })
	read := func(from feed.From) (n int) {
		for _, err := range feed.Changes(ctx, c.Documents, from, feed.UntilCaughtUp(), end) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		return n
	}
	if n := read(feed.FromBeginning()); n != 50 {
		t.Fatalf("%d changes", n)
	}
	for i := range 10 {
		if err := c.Server.Split("db", "things", fmt.Sprint(2*i)); err != nil {
			t.Fatal(err)
		}
	}
	if n := read(feed.FromBeginning()); n != 50 {
		t.Errorf("%d changes after splits", n)
	}
	if n := read(feed.FromCursor(caughtUp)); n != 0 {
		t.Errorf("%d changes after the last", n)
	}
}

// closedBy returns the things of a container with cursors of these keys.
func closedBy(t testing.TB, c kit.Things, keys ...[]byte) kit.Things {
	t.Helper()
	container := c.Server.Container("things", repository.Configure(nil))
	var opts []repository.Option
	if len(keys) > 0 {
		opts = append(opts, repository.WithCursorKey(keys[0], keys[1:]...))
	}
	return kit.Things{Documents: repository.New(container, &kit.ThingModel, opts...), Server: c.Server, Leveled: false}
}

func TestCursorsClosedByAKey(t *testing.T) {
	t.Parallel()
	open := kit.NewThings(t, emulator.Options{Partitions: 2}, repository.Configure(nil), false)
	ctx := context.Background()
	for i := range 40 {
		x := &kit.Thing{ID: fmt.Sprint("t", i), Base: "x", Properties: map[string]any{"a": fmt.Sprintf("secret%02d", i)}}
		if err := open.Create(ctx, x); err != nil {
			t.Fatal(err)
		}
	}
	first, second := make([]byte, 32), make([]byte, 32)
	rand.Read(first)
	rand.Read(second)
	old, both, other := closedBy(t, open, first), closedBy(t, open, second, first), closedBy(t, open, second)

	query := func(c kit.Things) repository.Query[kit.Thing] { return c.ByBase("x", false).OrderBy(kit.ThingA.Asc()) }
	page := func(q repository.Query[kit.Thing], cursor string) repository.Page[kit.Thing] {
		t.Helper()
		page, err := q.Page(ctx, cursor, 10)
		if err != nil {
			t.Fatal(err)
		}
		return page
	}
	inOpen, inOld := page(query(open), "").Cursor, page(query(old), "").Cursor
	if raw, _ := base64.RawURLEncoding.DecodeString(inOpen); !strings.Contains(string(raw), "secret09") {
		t.Error("an open cursor does not hold the value that it is after")
	}
	if raw, _ := base64.RawURLEncoding.DecodeString(inOld); strings.Contains(string(raw), "secret") || len(inOld) > len(inOpen)+60 {
		t.Errorf("a closed cursor holds %q", raw)
	}
	if next := page(query(closedBy(t, open, first)), inOld); next.Items[0].At("a") != "secret10" {
		t.Errorf("another process goes on at %v", next.Items[0].At("a"))
	}
	turned := page(query(both), inOld) // by the earlier key
	if turned.Items[0].At("a") != "secret10" || page(query(other), turned.Cursor).Items[0].At("a") != "secret20" {
		t.Error("keys were not changed")
	}
	feedOpen, n, err := changesBy(open, "")
	if n != 40 || err != nil {
		t.Fatal(n, err)
	}
	feedOld, _, err := changesBy(old, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, n, err := changesBy(both, feedOld); n != 0 || err != nil {
		t.Errorf("%d changes after the last, %v", n, err)
	}
	for name, test := range map[string]struct {
		reader kit.Things
		cursor string
		reason string
	}{
		"an open cursor":            {old, inOpen, "not closed by a key"},
		"a closed one without keys": {open, inOld, "WithCursorKey"},
		"one of another key":        {other, inOld, "a key that WithCursorKey does not have"},
		"changed":                   {old, forge(t, inOld, func(body string) string { return body[:40] + string([]byte{body[40] ^ 1}) + body[41:] }), "changed"},
		"cut off":                   {old, forge(t, inOld, func(body string) string { return body[:10] }), "changed"},
		"of the change feed":        {old, feedOld, "changed"},
	} {
		open.Server.ResetRequests()
		if _, err := query(test.reader).Page(ctx, test.cursor, 10); !errors.Is(err, repository.ErrCursor) || !strings.Contains(err.Error(), test.reason) {
			t.Errorf("%s: %v", name, err)
		}
		if n := len(open.Server.Requests()); n > 0 {
			t.Errorf("%s: %d requests", name, n)
		}
	}
	if _, err := query(old).Where(kit.ThingA.Lt(math.MaxInt32)).Page(ctx, inOld, 10); !errors.Is(err, repository.ErrCursor) {
		t.Errorf("another query: %v", err)
	}
	for name, cursor := range map[string]string{"an open cursor": feedOpen, "of a page": inOld} {
		if _, n, err := changesBy(old, cursor); !errors.Is(err, repository.ErrCursor) || n > 0 {
			t.Errorf("the feed by %s: %d changes, %v", name, n, err)
		}
	}
	if _, _, err := changesBy(other, feedOld); !errors.Is(err, repository.ErrCursor) {
		t.Errorf("the feed by another key: %v", err)
	}
}

// changesBy reads the change feed from a cursor on. It returns the last cursor and
// the number of changes.
func changesBy(c kit.Things, cursor string) (string, int, error) {
	n := 0
	for change, err := range feed.Changes(context.Background(), c.Documents, feed.FromCursor(cursor), feed.UntilCaughtUp()) {
		if err != nil {
			return "", n, err
		}
		cursor = change.Cursor()
		n++
	}
	return cursor, n, nil
}

func TestShortCursorKeys(t *testing.T) {
	c := kit.NewThings(t, emulator.Options{Partitions: 2}, repository.Configure(nil), false,
		repository.WithCursorKey([]byte("0123456789abcdef"), []byte("secret")))
	if _, err := c.Scan().Page(context.Background(), "", 10); err == nil || !strings.Contains(err.Error(), "a key of 6 bytes") || strings.Contains(err.Error(), "secret") {
		t.Errorf("a page: %v", err)
	}
	if _, _, err := changesBy(c, ""); err == nil || !strings.Contains(err.Error(), "a key of 6 bytes") {
		t.Errorf("the change feed: %v", err)
	}
}
