package mongo

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// TestPagesOfEqualIDs has documents of which many have the same _id, and the same or no
// value of the order, as an account allows in different logical partitions.
func TestPagesOfEqualIDs(t *testing.T) {
	ctx := context.Background()
	store := new(shards)
	docs := New(serve(t, store.answer).connect(t, Configure), "things", thingModel())
	random := rand.New(rand.NewPCG(3, 4))
	var keys []string
	total := 0
	for site := range 9 {
		keys = append(keys, fmt.Sprintf("site-%d", site))
		for id := range 3 {
			doc := &thing{ID: fmt.Sprint(id), Site: fmt.Sprint(site)}
			if n := random.IntN(4) - 1; n < 2 {
				doc.Speed = &n
			}
			if err := docs.Create(ctx, doc); err != nil {
				t.Fatal(err)
			}
			total++
		}
	}
	speed := documents.Number[thing, int]("speed")
	id := documents.String[thing, string]("id")
	for name, orders := range map[string][]documents.Order[thing]{
		"by _id": nil, "ascending": {speed.Asc()}, "descending": {speed.Desc()},
		"id first": {id.Desc(), speed.Asc()}, "id last": {speed.Desc(), id.Asc()},
	} {
		for _, all := range []generated.Keys{{}, generated.AnyOf(keys), generated.AnyOf(keys[:1])} {
			want := total
			if all.Len() == 1 {
				want = 3
			}
			for size := 1; size <= total+1; size++ {
				got := make(map[thingKey]bool)
				n := 0
				for cursor := ""; ; {
					found, err := NewQuery(docs, all).OrderBy(orders...).Page(ctx, cursor, size)
					page, next := found.Items, found.Cursor
					if err != nil {
						t.Fatalf("%s, pages of %d: %v", name, size, err)
					}
					for _, doc := range page {
						got[thingKey{doc.Site, doc.ID}] = true
						n++
					}
					if cursor = next; next == "" {
						break
					}
					if len(page) != size {
						t.Fatalf("%s, pages of %d: a page has %d", name, size, len(page))
					}
				}
				if n != want || len(got) != want {
					t.Errorf("%s, pages of %d: %d documents, %d different ones, want %d", name, size, n, len(got), want)
				}
			}
		}
	}
}

// TestPagesOfManyEqualIDs has one _id in logical partitions whose keys are too long for one
// cursor: pages end with an error that says so, and go on by an order that tells the
// documents apart.
func TestPagesOfManyEqualIDs(t *testing.T) {
	ctx := context.Background()
	docs := New(serve(t, new(shards).answer).connect(t, Configure), "things", thingModel())
	const total = 40
	for i := range total {
		if err := docs.Create(ctx, &thing{ID: "stats", Site: strings.Repeat("s", 1900) + strconv.Itoa(i), Speed: &i}); err != nil {
			t.Fatal(err)
		}
	}
	walk := func(q Query[thing]) (n int, err error) {
		for cursor := ""; ; {
			found, err := q.Page(ctx, cursor, 3)
			page, next := found.Items, found.Cursor
			if n += len(page); err != nil || next == "" {
				return n, err
			}
			cursor = next
		}
	}
	n, err := walk(docs.Scan())
	if err == nil || errors.Is(err, documents.ErrCursor) || n == 0 || !strings.Contains(err.Error(), "order by short values that differ") {
		t.Errorf("%d documents, and then %v", n, err)
	}
	if n, err := walk(docs.Scan().OrderBy(documents.Number[thing, int]("speed").Asc())); err != nil || n != total {
		t.Errorf("in an order: %d documents, %v", n, err)
	}
}

// FuzzPosition opens positions of cursors that somebody has made up.
func FuzzPosition(f *testing.F) {
	good, err := (&position{Values: []bson.RawValue{{Type: bson.TypeInt32, Value: []byte{1, 0, 0, 0}}}, ID: "a", Seen: []string{"p"}}).text()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good, 1)
	f.Add("", 0)
	evil, err := bson.Marshal(bson.D{{Key: "v", Value: bson.A{bson.D{{Key: "$gt", Value: ""}}}}, {Key: "i", Value: "a"}, {Key: "s", Value: bson.A{"p"}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(base64.RawURLEncoding.EncodeToString(evil), 1)
	f.Fuzz(func(t *testing.T, text string, orders int) {
		p, err := open(text, orders)
		if err != nil {
			if !errors.Is(err, documents.ErrCursor) {
				t.Errorf("got %v", err)
			}
			return
		}
		if len(p.Values) != orders {
			t.Errorf("%d values", len(p.Values))
		}
		for _, v := range p.Values {
			if _, document := v.DocumentOK(); document || v.Type == bson.TypeArray {
				t.Errorf("a value is a %v", v.Type)
			}
		}
	})
}

func TestChunks(t *testing.T) {
	long := string(make([]byte, 2000))
	var sel api.Selection
	for range 2000 {
		sel.Keys = append(sel.Keys, long)
	}
	n := 0
	for _, part := range chunks(sel) {
		if len(part) == 0 || len(part)*2000 > maxKeyBytes {
			t.Errorf("a chunk of %d keys", len(part))
		}
		n += len(part)
	}
	if n != 2000 {
		t.Errorf("%d keys", n)
	}
	if got := chunks(api.Selection{}); len(got) != 0 {
		t.Errorf("no keys: %v", got)
	}
	if got := chunks(api.Selection{All: true}); len(got) != 1 {
		t.Errorf("all: %v", got)
	}
}
