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
// Its operations are those of [documents.Collection]. Each of them sends one command for one
// document, with its shard key: Get and Exists a find, Create an insert, Upsert and Replace
// an update, Delete a delete. If the layout of the key is ambiguous, Upsert, Delete, and
// Replace of a document without a version read first. GetMany sends a find for each key, and
// CreateAll, UpsertAll and DeleteAll a command for each item, 32 at once.
//
// A request without an answer is repeated twice if that is safe. If Create finds its id taken
// after that, it reads the document, and succeeds if it is doc. MongoDB does not tell a
// document that has another version from one that is gone: both are documents.ErrPreconditionFailed.
//
// A client whose write concern asks for no answers, w=0, cannot write: the error of the
// first write matches documents.ErrUnclear, and later ones are refused before they are sent.
type Documents[T any, K generated.Key] struct {
	*documents.Collection[T, K]
}

// Query selects documents of type T: see [documents.Query].
//
// All, Collect and First send one find for all partition keys of the query together, of up to
// 1 MiB of keys, and one getMore for each further batch. A find is repeated if that is safe. A
// getMore is not, since the server may have gone on: the loop ends with the error, and Page
// can go on where a page ended. Count is one aggregation.
//
// Page sends one find, and getMores only where a page has more than 16 MB. Documents come in
// the order of OrderBy, or else by _id. A cursor holds the partition keys of the documents so
// far that have the last one's _id and values of the order. If they make it longer than 64 KB,
// Page returns an error that says what to do.
//
// An index of the property serves Eq, In, the comparisons of order and StartsWith, which is
// sent as a range. EqualFold, EndsWith and Contains are sent as regular expressions without
// special characters, and read every text. Accounts with request units have an index of _id
// and the shard key alone: other comparisons read the logical partitions of the query, unless
// the program makes an index.
type Query[T any] = documents.Query[T]

// Option changes how a repository works. Package documents has the functions that make one.
type Option = documents.Option

// New returns the documents of a model in a collection. It sends nothing. Every operation
// returns what is wrong with the options or the database.
//
// Create the collection by [Ensure] before: otherwise the first write makes one, and
// Cosmos DB makes it without a shard key.
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

// DeleteIfMatch removes doc if it has not changed since it was read: one delete. Error:
// documents.ErrPreconditionFailed if the document has another version or is gone.
func (d *Documents[T, K]) DeleteIfMatch(ctx context.Context, doc *T) error {
	return documents.DeleteIfMatch(ctx, d.Collection, doc)
}

// NewQuery returns the query of the documents of keys. Generated code calls it.
func NewQuery[T any, K generated.Key](d *Documents[T, K], keys generated.Keys) Query[T] {
	return documents.NewQuery(d.Collection, keys)
}

// FindInBuckets returns the document of an id under one of keys: one find with all the
// shard keys. Generated code calls it for keys with a random suffix. Errors: documents.ErrNotFound;
// documents.ErrAmbiguous if several documents have the id.
func FindInBuckets[T any, K generated.Key](ctx context.Context, d *Documents[T, K], id string, keys generated.Keys) (*T, error) {
	return documents.FindInBuckets(ctx, d.Collection, id, keys)
}
