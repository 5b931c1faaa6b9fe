package mongo

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Documents are the documents of type T in one collection, by keys of type K. Generated
// repositories embed it. It is safe for concurrent use.
//
// Its operations are those of [documents.Collection]. Each sends one command for one document,
// with its shard key: Get and Exists a find, Create an insert, Upsert and Replace an update,
// Delete a delete. If the layout of the key is ambiguous, Upsert, Delete, and Replace of a
// document without a version read first. GetMany sends a find per key, and CreateAll, UpsertAll
// and DeleteAll a command per item, 32 at once.
//
// A request without a response is repeated up to three times if that is safe. If Create then
// finds its id taken, it reads the document, and succeeds if it equals doc. MongoDB does not
// distinguish a document with another version from a missing one: both are
// documents.ErrPreconditionFailed.
//
// A client whose write concern requests no responses, w=0, cannot write: the error of the first
// write matches documents.ErrUnclear, and later ones are refused before they are sent.
type Documents[T any, K generated.Key] struct {
	*documents.Collection[T, K]
}

// Query selects documents of type T: see [documents.Query].
//
// All, Collect and First send one find for all partition keys of the query together, per 1 MiB
// of keys, and one getMore for each further batch. A find is repeated if that is safe. A
// getMore is not, since the server may have advanced: the loop ends with the error, and Page
// can resume after the last page. Count is one aggregation.
//
// Page sends one find, and a getMore only if a page has more than 16 MB. Documents come in the
// order of OrderBy, or otherwise by _id. A cursor has the partition keys of the preceding
// documents with the last one's _id and order values. If they make it longer than 64 KB, Page
// returns an error with the remedy.
//
// An index of the property serves Eq, In, the comparisons of order and StartsWith, which is
// sent as a range. EqualFold, EndsWith and Contains are sent as regular expressions without
// special characters, and read every text. Accounts with request units index only _id and the
// shard key: other comparisons read the logical partitions of the query, unless the program
// makes an index.
type Query[T any] = documents.Query[T]

// Option changes how a repository works. Package documents has the functions that make one.
type Option = documents.Option

// New returns the documents of a model in a collection. It sends nothing. If the options or the
// database are invalid, every operation returns the error.
//
// Create the collection first with [Ensure]: otherwise the first write makes one, which in
// Cosmos DB has no shard key.
func New[T any, K generated.Key](db *Database, name string, model *generated.Model[T, K], opts ...Option) *Documents[T, K] {
	s := api.SettingsOf(opts)
	c, err := newCodec(model)
	if err != nil {
		s.Refuse(err)
	}
	spec := api.Container[T, K]{
		Model:    model,
		Driver:   &collection[T]{codec: c, docs: db.Collection(name), pageSize: s.PageSize},
		ID:       model.ID,
		Name:     name,
		Settings: s,
	}
	if model.Properties != nil {
		spec.IDProperty = model.Properties.ID
	}
	if model.Draft {
		spec.Stays = stays(db, model.Type)
	}
	return &Documents[T, K]{documents.New(spec)}
}

// DeleteIfMatch deletes doc if it has not changed since it was read: one delete. Error:
// documents.ErrPreconditionFailed if the document has another version or is gone.
func (d *Documents[T, K]) DeleteIfMatch(ctx context.Context, doc *T) error {
	return documents.DeleteIfMatch(ctx, d.Collection, doc)
}

// NewQuery returns the query for the documents under keys. Generated code calls it.
func NewQuery[T any, K generated.Key](d *Documents[T, K], keys generated.Keys) Query[T] {
	return documents.NewQuery(d.Collection, keys)
}

// FindInBuckets returns the document with an id under one of keys: one find with all shard
// keys. Generated code calls it for keys with a random suffix. Errors: documents.ErrNotFound;
// documents.ErrAmbiguous if several documents have the id.
func FindInBuckets[T any, K generated.Key](ctx context.Context, d *Documents[T, K], id string, keys generated.Keys) (*T, error) {
	return documents.FindInBuckets(ctx, d.Collection, id, keys)
}
