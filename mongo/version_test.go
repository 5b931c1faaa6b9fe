package mongo

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// foreign returns a document as another program writes it, with any values.
func foreign(t *testing.T, elements ...bson.E) bson.Raw {
	t.Helper()
	raw, err := bson.Marshal(bson.D(elements))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestDocumentsWithoutVersion has a document that is stored without a version: two
// programs read it, and only the first write on condition takes effect.
func TestDocumentsWithoutVersion(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	key := thingKey{"a", "1"}
	for name, version := range map[string][]bson.E{
		"none": nil, "null": {{Key: "_etag", Value: nil}}, "empty": {{Key: "_etag", Value: ""}}, "as it is read": {{Key: "_etag", Value: unversioned}},
	} {
		for op, second := range map[string]func(*Documents[thing, thingKey], *thing) error{
			"replace": func(docs *Documents[thing, thingKey], b *thing) error { return docs.Replace(ctx, b) },
			"delete":  func(docs *Documents[thing, thingKey], b *thing) error { return docs.DeleteIfMatch(ctx, b) },
		} {
			store := new(shards)
			store.docs = append(store.docs, foreign(t, append([]bson.E{{Key: "_id", Value: "1"}, {Key: "site", Value: "a"}, {Key: "speed", Value: 1}, {Key: "partitionKey", Value: "site-a"}}, version...)...))
			docs := New(serve(t, store.answer).connect(t, Configure), "things", thingModel())
			a, errA := docs.Get(ctx, key)
			b, errB := docs.Get(ctx, key)
			if errA != nil || errB != nil {
				t.Fatal(errA, errB)
			}
			*a.Speed++
			*b.Speed += 10
			if err := docs.Replace(ctx, a); err != nil || a.ETag == unversioned {
				t.Errorf("%s: replaced as version %q: %v", name, a.ETag, err)
			}
			if err := second(docs, b); !errors.Is(err, documents.ErrPreconditionFailed) {
				t.Errorf("%s, %s: got %v", name, op, err)
			}
			if now, err := docs.Get(ctx, key); err != nil || *now.Speed != 2 || now.ETag != a.ETag {
				t.Errorf("%s, %s: the first change is lost: %+v, %v", name, op, now, err)
			}
		}
	}
}

// TestDeleteWithoutVersion removes what was read without a version, and nothing else.
func TestDeleteWithoutVersion(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	store := new(shards)
	store.docs = append(store.docs, foreign(t, bson.E{Key: "_id", Value: "1"}, bson.E{Key: "site", Value: "a"}, bson.E{Key: "partitionKey", Value: "site-a"}))
	docs := New(serve(t, store.answer).connect(t, Configure), "things", thingModel())
	doc, err := docs.Get(ctx, thingKey{"a", "1"})
	if err != nil {
		t.Fatal(err)
	}
	if err := docs.DeleteIfMatch(ctx, one()); err == nil {
		t.Error("a document that was not read is removed")
	}
	if err := docs.DeleteIfMatch(ctx, doc); err != nil || len(store.docs) != 0 {
		t.Errorf("%d documents, %v", len(store.docs), err)
	}
}

// couple is a document whose keys can collide: "a" and "b-c" make the partition key of
// "a-b" and "c". It has no field for the version.
type couple struct {
	ID    string `json:"id"`
	Left  string `json:"left"`
	Right string `json:"right"`
}

type coupleKey struct{ ID, Left, Right string }

func (k coupleKey) Validate() error { return partition.Check("couple", partition.ID(k.ID)) }

func coupleModel() *generated.Model[couple, coupleKey] {
	// By hand: generated code imports this package.
	return &generated.Model[couple, coupleKey]{
		Type: "couple", Path: "/partitionKey", Synthetic: true, Ambiguous: true,
		Key:        func(c *couple) coupleKey { return coupleKey(*c) },
		ID:         func(k coupleKey) string { return k.ID },
		Text:       func(k coupleKey) string { return k.Left + "-" + k.Right },
		Same:       func(a, b coupleKey) bool { return a == b },
		Properties: &generated.Properties{ID: "id"},
	}
}

// TestLookWithoutVersion has a document whose version is no text. After a write has looked
// at it, a document of other components takes its place: it must stay.
func TestLookWithoutVersion(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, version := range []any{nil, "", 7, true, bson.NewObjectID()} {
		for op, write := range map[string]func(*Documents[couple, coupleKey]) error{
			"upsert":  func(docs *Documents[couple, coupleKey]) error { return docs.Upsert(ctx, &couple{"1", "a", "b-c"}) },
			"replace": func(docs *Documents[couple, coupleKey]) error { return docs.Replace(ctx, &couple{"1", "a", "b-c"}) },
			"delete":  func(docs *Documents[couple, coupleKey]) error { return docs.Delete(ctx, coupleKey{"1", "a", "b-c"}) },
		} {
			for _, overtaken := range []bool{false, true} {
				of := func(left, right string, version any) bson.Raw {
					return foreign(t, bson.E{Key: "_id", Value: "1"}, bson.E{Key: "left", Value: left}, bson.E{Key: "right", Value: right}, bson.E{Key: "partitionKey", Value: "a-b-c"}, bson.E{Key: "_etag", Value: version})
				}
				store := new(shards)
				store.docs = append(store.docs, of("a", "b-c", version))
				first := true
				docs := New(serve(t, func(name string, command bson.Raw) any {
					if overtaken && first && name != "find" {
						first = false
						store.docs[0] = of("a-b", "c", "v1")
					}
					return store.answer(name, command)
				}).connect(t, Configure), "couples", coupleModel())
				err := write(docs)
				what := fmt.Sprintf("%s at a version %v (%T), overtaken %v", op, version, version, overtaken)
				switch {
				case overtaken && (!errors.Is(err, documents.ErrAlreadyExists) && !errors.Is(err, documents.ErrNotFound) || len(store.docs) != 1 || store.docs[0].Lookup("left").StringValue() != "a-b"):
					t.Errorf("%s: got %v, and now there is %v", what, err, store.docs)
				case !overtaken && err != nil:
					t.Errorf("%s: got %v", what, err)
				}
			}
		}
	}
}
