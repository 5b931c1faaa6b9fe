package ferretdb

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/mongo"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// full returns a document with a value of every kind.
func full(id, site string) *reading {
	weight := 1.5
	return &reading{
		ID: id, Site: site, Text: "t\x00{\"$gt\": \"\"}", Speed: -3, Small: 7, Weight: &weight,
		At: time.Date(2024, 2, 29, 12, 0, 0, 123_000_000, time.UTC), Flag: true, Raw: []byte{0, 255},
		Tags: []string{"a", ""}, Names: map[string]string{"k": "v", "l": "w"}, Meta: &meta{Level: 2},
		Object: bson.NewObjectID(),
	}
}

func TestRoundTrip(t *testing.T) {
	ctx := context.Background()
	docs := mongo.New(open(t, nil), "readings", &readingModel)
	for name, want := range map[string]*reading{"full": full("1", "a"), "zero": {ID: "2", Site: "a", Object: bson.NewObjectID()}} {
		if err := docs.Create(ctx, want); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if want.ETag == "" {
			t.Errorf("%s: no version", name)
		}
		got, err := docs.Get(ctx, readingModel.Key(want))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if err := docs.Create(ctx, want); !errors.Is(err, documents.ErrAlreadyExists) {
			t.Errorf("%s: created twice: %v", name, err)
		}
	}
}

func TestVersions(t *testing.T) {
	ctx := context.Background()
	docs := mongo.New(open(t, nil), "readings", &readingModel)
	doc := full("1", "a")
	if err := docs.Replace(ctx, full("1", "a")); !errors.Is(err, documents.ErrNotFound) {
		t.Errorf("a missing document is replaced: %v", err)
	}
	if err := docs.Upsert(ctx, doc); err != nil {
		t.Fatal(err)
	}
	stale := *doc
	doc.Speed = 8
	if err := docs.Replace(ctx, doc); err != nil {
		t.Fatal(err)
	}
	if err := docs.Replace(ctx, &stale); !errors.Is(err, documents.ErrPreconditionFailed) {
		t.Errorf("an old version is replaced: %v", err)
	}
	if err := docs.DeleteIfMatch(ctx, &stale); !errors.Is(err, documents.ErrPreconditionFailed) {
		t.Errorf("an old version is removed: %v", err)
	}
	if err := docs.DeleteIfMatch(ctx, doc); err != nil {
		t.Error(err)
	}
	if err := docs.Delete(ctx, readingModel.Key(doc)); !errors.Is(err, documents.ErrNotFound) {
		t.Errorf("removed twice: %v", err)
	}
	if _, err := docs.Get(ctx, readingModel.Key(doc)); !errors.Is(err, documents.ErrNotFound) {
		t.Errorf("read after it was removed: %v", err)
	}
}

// TestPages has documents in several logical partitions with the same
// values of the orders, and reads pages of every size, of a few sizes with -short.
func TestPages(t *testing.T) {
	ctx := context.Background()
	docs := mongo.New(open(t, nil), "readings", &readingModel)
	want := make(map[string]bool)
	for s := range 5 {
		for i := range 4 {
			doc := &reading{ID: fmt.Sprint(i, s), Site: fmt.Sprint(s), Speed: i / 2, Small: i % 2}
			if s%2 == 0 {
				w := float64(i % 3)
				doc.Weight = &w
			}
			if err := docs.Create(ctx, doc); err != nil {
				t.Fatal(err)
			}
			want[doc.Site+"/"+doc.ID] = true
		}
	}
	f := readingFields
	for name, orders := range map[string][]documents.Order[reading]{
		"by _id": nil, "ascending": {f.Weight.Asc()}, "descending": {f.Weight.Desc()},
		"two": {f.Speed.Desc(), f.Weight.Asc()}, "by id": {f.ID.Desc()}, "id first": {f.ID.Asc(), f.Speed.Desc()},
	} {
		for _, keys := range []generated.Keys{{}, site("0", "1", "2", "3", "4")} {
			q := mongo.NewQuery(docs, keys).OrderBy(orders...)
			all, err := q.Collect(ctx)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for size := 1; size <= 21; size++ {
				if testing.Short() && size > 3 && size < 19 && size != 7 {
					continue
				}
				got := make(map[string]bool)
				cursor, n := "", 0
				for {
					found, err := q.Page(ctx, cursor, size)
					page, next := found.Items, found.Cursor
					if err != nil {
						t.Fatalf("%s, pages of %d: %v", name, size, err)
					}
					for _, doc := range page {
						if orders != nil && name != "by id" && name != "id first" {
							if w, x := doc.Weight, all[n].Weight; (w == nil) != (x == nil) || w != nil && *w != *x || doc.Speed != all[n].Speed && name == "two" || doc.ID != all[n].ID {
								t.Errorf("%s, pages of %d: document %d is out of order", name, size, n)
							}
						}
						n++
						got[doc.Site+"/"+doc.ID] = true
					}
					if next == "" {
						break
					}
					if len(page) != size {
						t.Errorf("%s, pages of %d: a page has %d", name, size, len(page))
					}
					cursor = next
				}
				if n != len(want) || len(got) != len(want) {
					t.Errorf("%s, pages of %d: %d documents, of which %d differ, want %d", name, size, n, len(got), len(want))
				}
			}
		}
	}
	if n, err := mongo.NewQuery(docs, site("1", "2")).Where(f.Speed.Eq(1)).Count(ctx); err != nil || n != 4 {
		t.Errorf("counted %d, %v", n, err)
	}
	if _, err := mongo.NewQuery(docs, generated.Keys{}).OrderBy(f.Small.Asc()).Collect(ctx); err == nil || strings.Contains(err.Error(), "?") {
		t.Errorf("an order by a number of which zeros are left out: %v", err)
	}
}
