package conformance

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/internal/condition"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// bulk stores, reads and deletes many documents.
func bulk(t *testing.T, f Face) {
	events := f.Events(t)
	ctx := context.Background()
	n := f.Many
	if n == 0 {
		n = 300
	}
	if testing.Short() {
		n /= 3
	}
	part := n / 3
	result, err := events.CreateAll(ctx, eventsOf(0, n))
	if err != nil || result != (Result{n, 0}) {
		t.Fatalf("%+v, %v", result, err)
	}
	result, err = events.CreateAll(ctx, eventsOf(n-part, n+part))
	if !errors.Is(err, failure.ErrAlreadyExists) || errors.Is(err, failure.ErrNotFound) || result != (Result{2 * part, part}) {
		t.Errorf("create again: %+v, %v", result, err)
	}
	changed := func(yield func(*Event) bool) {
		for e := range eventsOf(0, n+2*part) {
			e.Text = "changed"
			if !yield(e) {
				return
			}
		}
	}
	if result, err = events.UpsertAll(ctx, changed); err != nil || result != (Result{n + 2*part, 0}) {
		t.Errorf("upsert: %+v, %v", result, err)
	}
	var asked []Event
	for i := range n + 3*part {
		asked = append(asked, *eventOf(i))
	}
	asked = append(asked, *eventOf(0))
	found, err := events.GetMany(ctx, asked)
	if err != nil || len(found) != len(asked) {
		t.Fatalf("%d of %d, %v", len(found), len(asked), err)
	}
	for i, e := range found {
		is := i < n+2*part || i == len(asked)-1
		if (e != nil) != is || is && (e.ID != asked[i].ID || e.Text != "changed") {
			t.Errorf("document %d of many is %+v", i, e)
		}
	}
	if _, err := events.GetMany(ctx, []Event{asked[0], {At: day}}); err == nil {
		t.Error("a key that is wrong was read")
	}
	if result, err = events.DeleteAll(ctx, slices.Values(asked)); !errors.Is(err, failure.ErrNotFound) || result != (Result{len(asked), part + 1}) {
		t.Errorf("delete: %+v, %v", result, err)
	}
	if got, err := events.All().Count(ctx); err != nil || got != 0 {
		t.Errorf("%d are left, %v", got, err)
	}
}

// hostiles are texts with a meaning in some language, protocol or store.
var hostiles = []string{
	"'", "''", `"`, `\`, `\\`, `\'`, `' or '1' eq '1`, `') or (PartitionKey ne '`, `"; DROP TABLE`, "${x}", "$where", `{"$ne": null}`, "{$gt: ''}",
	"$ne", "a.b", ".", "..", "{id}", "%", "%27", "%2F", "%00", "a%", "+", "a+b", "a b", " a", "a ", "&", "=", ";", ":", ",", "(", ")", "[", "]", "<b>", "`", "~", "!", "@", "*", "|", "^", "-", "_",
	"g.V().drop()", `').drop().V('`, "${g.V().drop()}", "\"\"\"", "$$", "\\u0027", "\n", "\r\n", "\t", "\x00", "a\x00b", "\x1f", "\x7f", "\u0085", "\u00a0", "\u2028", "\u2029",
	"\ufeff", "\ufffd", "\uffff", "é", "e\u0301", "ß", "İ", "日本語", "\U0001F697", "👩‍👩‍👧", "\u202eabc", "\xff", "a\xc3", "#", "?", "a#b", "a?b", "a/b", `a\b`, "/", "null", "true", "0", "-0", "1e400",
	"datetime'2024-01-01'", "guid'x'", "X'00'", "NaN", "__proto__", "constructor", "$id", "_id", strings.Repeat("'", 100), strings.Repeat("é", 100),
}

// hostile uses hostile texts as each text of a document: they must be refused before a request is
// sent, or be read back unchanged.
func hostile(t *testing.T, f Face) {
	events := f.Events(t)
	ctx := context.Background()
	refused := map[string]int{}
	sent := 0
	try := func(what string, e Event) bool {
		wrote := e
		err := events.Create(ctx, &wrote)
		if err != nil {
			var keyError *partition.KeyError
			switch {
			case errors.As(err, &keyError):
			case errors.Is(err, failure.ErrAlreadyExists):
				t.Errorf("%s: the text is another text to the service: %v", what, err)
			case !utf8.ValidString(e.Text + *or(e.Optional)):
				if !strings.Contains(err.Error(), string(failure.ErrNotUTF8)) {
					t.Errorf("%s: refused for another reason: %v", what, err)
				}
			case strings.ContainsRune(e.Text+*or(e.Optional), 0):
			default:
				t.Errorf("%s: refused by %T: %v", what, err, err)
			}
			refused[what[:strings.IndexByte(what, ' ')]]++
			if read, err := events.Get(ctx, e); err == nil {
				t.Errorf("%s: Get of what was refused returned %+v", what, read)
			}
			return false
		}
		sent++
		read, err := events.Get(ctx, e)
		if err != nil || !same(*read, e) {
			t.Errorf("%s: got %+v, %v", what, read, err)
		}
		return true
	}
	only := func(what string, q Query, ok bool, id string) {
		t.Helper()
		if !ok {
			return
		}
		if got := ids(t, q.All(ctx)); !slices.Equal(got, []string{id}) {
			t.Errorf("%s: a condition finds %q", what, got)
		}
	}
	equal := func(property, value string) (Query, bool) {
		return f.many(events, "d").Where(&condition.Comparison{Property: property, Op: condition.Eq, Values: []any{value}})
	}
	for i, h := range hostiles {
		if i%(len(hostiles)/few(len(hostiles))) > 0 {
			continue
		}
		what := fmt.Sprintf("id %q", h)
		if try(what, Event{ID: h, Device: "d", At: day}) {
			q, ok := equal("id", h)
			only(what, q, ok, h)
		}
		id := fmt.Sprint("device", i)
		if what = fmt.Sprintf("device %q", h); try(what, Event{ID: id, Device: h, At: day}) {
			only(what, events.Partition(day, h), true, id)
			only(what, events.DeviceBetween(h, day, day.Add(time.Hour)), true, id)
		}
		id = fmt.Sprint("text", i)
		if what = fmt.Sprintf("text %q", h); try(what, Event{ID: id, Device: "d", At: day, Text: h}) {
			q, ok := equal("text", h)
			only(what, q, ok, id)
			if q, ok = f.many(events, "d").Where(&condition.Comparison{Property: "text", Op: condition.StartsWith, Values: []any{h}}); ok {
				if got := ids(t, q.All(ctx)); !slices.Contains(got, id) {
					t.Errorf("%s: a text that begins with it is not found", what)
				}
			}
		}
		id = fmt.Sprint("optional", i)
		if what = fmt.Sprintf("optional %q", h); try(what, Event{ID: id, Device: "d", At: day, Optional: text(h)}) {
			q, ok := equal("optional", h)
			only(what, q, ok, id)
		}
	}
	if got := walk(t, events.All(), 17, nil); len(got) != sent {
		t.Errorf("%d documents were stored, and %d are there", sent, len(got))
	}
	t.Logf("of %d texts, refused: %v", len(hostiles), refused)
	if refused["text"] > 10 || refused["optional"] > 10 || refused["device"] > 40 {
		t.Errorf("too many texts are refused: %v", refused)
	}
}

func or(s *string) *string {
	if s == nil {
		return new(string)
	}
	return s
}

// collisions stores two documents that the service considers one item.
func collisions(t *testing.T, f Face) {
	if f.Pairs == nil {
		t.Log("the API has no such keys")
		return
	}
	pairs := f.Pairs(t)
	ctx := context.Background()
	is := func(what string, err, want error) {
		t.Helper()
		if !errors.Is(err, want) || (want == nil) != (err == nil) {
			t.Errorf("%s: got %v, want %v", what, err, want)
		}
	}
	mine := Pair{ID: "1", Left: "a", Right: "b-c", Text: "mine"}
	other := Pair{ID: "1", Left: "a-b", Right: "c", Text: "other"}
	is("upsert", pairs.Upsert(ctx, &mine), nil)
	_, err := pairs.Get(ctx, other)
	is("get", err, failure.ErrNotFound)
	is("create", pairs.Create(ctx, &other), failure.ErrAlreadyExists)
	is("upsert of the other", pairs.Upsert(ctx, &other), failure.ErrAlreadyExists)
	is("replace", pairs.Replace(ctx, &other), failure.ErrNotFound)
	is("delete", pairs.Delete(ctx, other), failure.ErrNotFound)
	count := func(all iter.Seq2[*Pair, error]) (n int) {
		for _, err := range all {
			if n++; err != nil {
				t.Fatal(err)
			}
		}
		return n
	}
	if n := count(pairs.Of(ctx, "a-b", "c")); n != 0 {
		t.Errorf("a query finds %d of the other", n)
	}
	if n := count(pairs.Of(ctx, "a", "b-c")); n != 1 {
		t.Errorf("a query finds %d of mine", n)
	}
	mine.Text, mine.Version = "mine again", ""
	is("upsert", pairs.Upsert(ctx, &mine), nil)
	mine.Version = ""
	is("replace", pairs.Replace(ctx, &mine), nil)
	if read, err := pairs.Get(ctx, mine); err != nil || read.Text != "mine again" {
		t.Errorf("got %+v, %v", read, err)
	}
	is("delete", pairs.Delete(ctx, mine), nil)
	is("create", pairs.Create(ctx, &other), nil)
}

// keysHash is the SHA-256 of the partition keys of 10,000 random events, which every API must make.
// It was recorded from the NoSQL API, whose texts are fixed by the vectors of package partition.
const keysHash = "b792e95a149dbb5b61e91f07c3a36972ef541757aa87496fddae1a2c056b360b"

// keys compares the partition keys of 10,000 random events with keysHash.
func keys(t *testing.T, f Face) {
	events := f.Events(t)
	random := rand.New(rand.NewPCG(17, 10_000))
	letters := []rune("abcXYZ019-._~ '\"$%&(){}[]<>|^`éßİ日本\U0001F697")
	h := sha256.New()
	for i := range 10_000 {
		device := make([]rune, 1+random.IntN(20))
		for i := range device {
			device[i] = letters[random.IntN(len(letters))]
		}
		at := time.Unix(random.Int64N(1<<32)-1<<31, random.Int64N(1e9)).In(time.FixedZone("", (random.IntN(27)-13)*3600))
		key := events.Key(Event{ID: fmt.Sprint(i), Device: string(device), At: at})
		if !strings.HasPrefix(key, at.UTC().Format("2006-01-02")+".") {
			t.Fatalf("the key %q of %v", key, at)
		}
		_, _ = io.WriteString(h, key+"\n")
	}
	if got := fmt.Sprintf("%x", h.Sum(nil)); got != keysHash {
		t.Errorf("the keys have the hash %s, want %s", got, keysHash)
	}
}
