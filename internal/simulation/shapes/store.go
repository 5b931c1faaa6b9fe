package shapes

import (
	"context"
	"fmt"
	"iter"
	"reflect"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Doc is a document of any shape. A shape without a feature has zeros in its fields.
type Doc struct {
	ID, Line, VIN string
	Number        int
	Value         int
	Tag           string // says which write has stored the document
	Stored        string // the partition key, where documents remember it
	ETag          string
	Version       int
	Mail          string
	Created       repository.Time
	TTL           int             // seconds
	Label         string          // which the next release stores under another name
	Size          int             // which the next form has under another name
	At            repository.Time // where the month decides in which container the document is
	Revision      int             // by which the last writer wins, in several write regions
}

// Store is what programs do with the documents of a shape.
type Store interface {
	Writer
	Changer
	Reader
	Searcher
	Processes

	// Lacks returns the names of operations that panic, since the documents do not have them.
	Lacks() []string
}

// Writer stores and removes whole documents.
type Writer interface {
	Create(ctx context.Context, d *Doc) error
	Upsert(ctx context.Context, d *Doc) error
	Replace(ctx context.Context, d *Doc) error
	Delete(ctx context.Context, at Doc) error
	DeleteIfMatch(ctx context.Context, d Doc) error
	Restore(ctx context.Context, at Doc) error
	Purge(ctx context.Context, at Doc) error
}

// Changer changes parts of documents, and several documents.
type Changer interface {
	Update(ctx context.Context, at Doc, change func(d *Doc)) error

	// Patch adds to the value, and sets the tag.
	Patch(ctx context.Context, at Doc, add int, tag string) error
	// PatchIf does the same if the value is what the caller expects.
	PatchIf(ctx context.Context, at Doc, value, add int, tag string) error
	// Write creates, upserts and deletes in bulk, and yields the outcome of each.
	Write(ctx context.Context, op string, docs []*Doc, together bool) iter.Seq2[int, error]
	// Commit does all in one transaction.
	Commit(ctx context.Context, all []Intent) error
}

// Intent is an operation of a transaction.
type Intent struct {
	Kind string // create, upsert, replace, delete, add, or addif: if the value is that of Doc
	Doc  *Doc
	Add  int // to the value, by add and addif
}

// Reader reads documents.
type Reader interface {
	Get(ctx context.Context, at Doc) (Doc, error)
	GetMany(ctx context.Context, at []Doc) (found []bool, docs []Doc, err error)

	// Scan reads all documents, in pages of a size if that is not 0.
	Scan(ctx context.Context, size int) ([]Doc, error)
	// Page reads the page of all documents after a cursor, "" for the first. The last one has
	// no cursor.
	Page(ctx context.Context, cursor string, size int) (docs []Doc, next string, err error)
	// ByKey reads the documents of a line, or those of a line and a VIN, by a query that the
	// repository has for its key. All says whether it has read those of the line.
	ByKey(ctx context.Context, at Doc, line bool) (docs []Doc, all bool, err error)
	// Where reads the documents of a line.
	Where(ctx context.Context, line string) ([]Doc, error)
	Count(ctx context.Context) (int, error)
	Sum(ctx context.Context) (float64, error)
	// Changes yields the changes since a cursor, "" for all, until there are no more.
	Changes(ctx context.Context, cursor string, each func(d Doc, deleted bool)) (next string, err error)
}

// keyed is a pointer to a document.
type keyed[T any, K generated.Key] interface {
	*T
	Key() K
}

// keyedDocuments are those of a repository, or of a tenant.
type keyedDocuments[T any, K generated.Key] interface { //nolint:interfacebloat // as many as the two have in common
	Create(ctx context.Context, doc *T) error
	Upsert(ctx context.Context, doc *T) error
	Replace(ctx context.Context, doc *T) error
	Get(ctx context.Context, key K) (*T, error)
	GetMany(ctx context.Context, keys []K) ([]*T, error)
	Delete(ctx context.Context, key K) error
	DeleteIfMatch(ctx context.Context, doc *T) error
	Update(ctx context.Context, key K, change func(*T) error) error
	Patch(ctx context.Context, key K, operations ...repository.PatchOperation[T]) error
	PatchIf(ctx context.Context, key K, condition repository.Predicate[T], operations ...repository.PatchOperation[T]) error
	CreateAll(docs iter.Seq2[*T, error], opts ...documents.BulkOption) documents.Bulk[*T]
	UpsertAll(docs iter.Seq2[*T, error], opts ...documents.BulkOption) documents.Bulk[*T]
	DeleteAll(keys iter.Seq2[K, error], opts ...documents.BulkOption) documents.Bulk[K]
}

// transaction has the operations of documents in a transaction.
type transaction[T any, K generated.Key] interface {
	Create(doc *T) error
	Upsert(doc *T) error
	Replace(doc *T) error
	Delete(key K) error
	Patch(key K, operations ...repository.PatchOperation[T]) error
	PatchIf(key K, condition repository.Predicate[T], operations ...repository.PatchOperation[T]) error
}

// typed is a Store.
type typed[T any, K generated.Key, P keyed[T, K]] struct {
	docs    keyedDocuments[T, K]
	all     *repository.Documents[T, K] // nil for those of one tenant
	scan    func() repository.Query[T]
	joins   func(*repository.Transaction) transaction[T, K]
	queries any // the generated repository
	reflected[T]
}

// reflected converts values of a struct type to documents of any shape, and back.
type reflected[T any] struct {
	fields map[string]int // by name
}

func fieldsOf[T any]() reflected[T] {
	fields := map[string]int{}
	for i := range reflect.TypeFor[T]().NumField() {
		fields[reflect.TypeFor[T]().Field(i).Name] = i
	}
	return reflected[T]{fields}
}

// Open returns the documents of a repository as a Store. Queries is the generated repository,
// which has the queries by key.
func Open[T any, K generated.Key, P keyed[T, K]](docs *repository.Documents[T, K], queries any) Store {
	return open[T, K, P](docs, queries)
}

func open[T any, K generated.Key, P keyed[T, K]](docs *repository.Documents[T, K], queries any) *typed[T, K, P] {
	s := &typed[T, K, P]{queries: queries, reflected: fieldsOf[T]()}
	if docs != nil {
		s.docs, s.all, s.scan = docs, docs, docs.Scan
		s.joins = func(tx *repository.Transaction) transaction[T, K] { return docs.In(tx) }
	}
	return s
}

// each calls f for the fields that T and Doc have in common.
func (s reflected[T]) each(t *T, d *Doc, f func(of, in reflect.Value)) {
	of, in := reflect.ValueOf(t).Elem(), reflect.ValueOf(d).Elem()
	for i := range in.NumField() {
		if n, has := s.fields[in.Type().Field(i).Name]; has {
			f(of.Field(n), in.Field(i))
		}
	}
}

// in returns a document as T.
func (s reflected[T]) in(d *Doc) *T {
	t := new(T)
	s.each(t, d, func(of, in reflect.Value) { of.Set(in) })
	s.derive(t, *d)
	return t
}

func (s reflected[T]) out(t *T) (d Doc) {
	s.each(t, &d, func(of, in reflect.Value) { in.Set(of) })
	return d
}

func (s *typed[T, K, P]) key(at Doc) K { return P(s.in(&at)).Key() }

// with calls f with a document as T, and copies what f does to it.
func (s *typed[T, K, P]) with(d *Doc, f func(*T) error) error {
	t := s.in(d)
	err := f(t)
	*d = s.out(t)
	return err
}

func (s *typed[T, K, P]) Lacks() []string { return nil }

func (s *typed[T, K, P]) Create(ctx context.Context, d *Doc) error {
	return s.with(d, func(t *T) error { return s.docs.Create(ctx, t) })
}

func (s *typed[T, K, P]) Upsert(ctx context.Context, d *Doc) error {
	return s.with(d, func(t *T) error { return s.docs.Upsert(ctx, t) })
}

func (s *typed[T, K, P]) Replace(ctx context.Context, d *Doc) error {
	return s.with(d, func(t *T) error { return s.docs.Replace(ctx, t) })
}

func (s *typed[T, K, P]) Get(ctx context.Context, at Doc) (Doc, error) {
	return s.outOr(s.docs.Get(ctx, s.key(at)))
}

// outOr returns a document that was read, or the error.
func (s *typed[T, K, P]) outOr(t *T, err error) (Doc, error) {
	if err != nil {
		return Doc{}, err
	}
	return s.out(t), nil
}

func (s *typed[T, K, P]) GetMany(ctx context.Context, at []Doc) (found []bool, docs []Doc, err error) {
	return s.many(at, func(keys []K) ([]*T, error) { return s.docs.GetMany(ctx, keys) })
}

// many calls read with the keys of documents.
func (s *typed[T, K, P]) many(at []Doc, read func(keys []K) ([]*T, error)) (found []bool, docs []Doc, err error) {
	keys := make([]K, len(at))
	for i, d := range at {
		keys[i] = s.key(d)
	}
	all, err := read(keys)
	if err != nil {
		return nil, nil, err
	}
	for _, t := range all {
		found = append(found, t != nil)
		if t == nil {
			docs = append(docs, Doc{})
		} else {
			docs = append(docs, s.out(t))
		}
	}
	return found, docs, nil
}

func (s *typed[T, K, P]) Delete(ctx context.Context, at Doc) error {
	return s.docs.Delete(ctx, s.key(at))
}

func (s *typed[T, K, P]) DeleteIfMatch(ctx context.Context, d Doc) error {
	return s.docs.DeleteIfMatch(ctx, s.in(&d))
}

func (s *typed[T, K, P]) Restore(ctx context.Context, at Doc) error {
	_, err := repository.Restore(ctx, s.all, s.key(at))
	return err
}

func (s *typed[T, K, P]) Purge(ctx context.Context, at Doc) error {
	return repository.Purge(ctx, s.all, s.key(at))
}

func (s *typed[T, K, P]) Update(ctx context.Context, at Doc, change func(d *Doc)) error {
	return s.docs.Update(ctx, s.key(at), s.changes(change))
}

// changes returns a change of a document as one of T.
func (s *typed[T, K, P]) changes(change func(d *Doc)) func(*T) error {
	return func(t *T) error {
		d := s.out(t)
		change(&d)
		s.each(t, &d, func(of, in reflect.Value) { of.Set(in) })
		return nil
	}
}

const (
	value = "/value"
	tag   = "/tag"
)

func operations[T any](add int, by string) []repository.PatchOperation[T] {
	return []repository.PatchOperation[T]{
		repository.PatchNumber[T, int](value).Increment(add),
		repository.PatchValue[T, string](tag).Set(by),
	}
}

func (s *typed[T, K, P]) Patch(ctx context.Context, at Doc, add int, by string) error {
	return s.docs.Patch(ctx, s.key(at), operations[T](add, by)...)
}

func (s *typed[T, K, P]) PatchIf(ctx context.Context, at Doc, is, add int, by string) error {
	return s.docs.PatchIf(ctx, s.key(at), documents.Number[T, int](value).Eq(is), operations[T](add, by)...)
}

func (s *typed[T, K, P]) Write(ctx context.Context, op string, docs []*Doc, together bool) iter.Seq2[int, error] {
	var o []documents.BulkOption
	if together {
		o = append(o, documents.InBatches())
	}
	return func(yield func(int, error) bool) {
		if op == "delete" {
			keys := func(yield func(K) bool) {
				for _, d := range docs {
					if !yield(s.key(*d)) {
						return
					}
				}
			}
			for outcome := range s.docs.DeleteAll(documents.Sequence(keys), o...).All(ctx) {
				if !yield(outcome.Index, outcome.Err) {
					return
				}
			}
			return
		}
		all := make([]*T, len(docs))
		source := func(yield func(*T, error) bool) {
			for i, d := range docs {
				all[i] = s.in(d)
				if !yield(all[i], nil) {
					return
				}
			}
		}
		bulk := s.docs.UpsertAll
		if op == "create" {
			bulk = s.docs.CreateAll
		}
		for outcome := range bulk(source, o...).All(ctx) {
			*docs[outcome.Index] = s.out(all[outcome.Index])
			if !yield(outcome.Index, outcome.Err) {
				return
			}
		}
	}
}

func (s *typed[T, K, P]) Commit(ctx context.Context, all []Intent) error {
	tx := repository.NewTransaction()
	in := s.joins(tx)
	docs := make([]*T, len(all))
	for i, o := range all {
		docs[i] = s.in(o.Doc)
		var err error
		switch o.Kind {
		case "create":
			err = in.Create(docs[i])
		case "upsert":
			err = in.Upsert(docs[i])
		case "replace":
			err = in.Replace(docs[i])
		case "delete":
			err = in.Delete(s.key(*o.Doc))
		case "add":
			err = in.Patch(s.key(*o.Doc), operations[T](o.Add, o.Doc.Tag)...)
		case "addif":
			err = in.PatchIf(s.key(*o.Doc), documents.Number[T, int](value).Eq(o.Doc.Value), operations[T](o.Add, o.Doc.Tag)...)
		default:
			err = fmt.Errorf("no transaction has %s", o.Kind)
		}
		if err != nil {
			return fmt.Errorf("before the request: %w", err)
		}
	}
	err := tx.Commit(ctx)
	for i, t := range docs {
		*all[i].Doc = s.out(t)
	}
	return err
}

func (s reflected[T]) collect(all iter.Seq2[*T, error]) ([]Doc, error) {
	var out []Doc
	for t, err := range all {
		if err != nil {
			return nil, err
		}
		out = append(out, s.out(t))
	}
	return out, nil
}

func (s *typed[T, K, P]) Scan(ctx context.Context, size int) ([]Doc, error) {
	return s.read(ctx, s.scan(), size)
}

// read reads the documents of a query, in pages of a size if that is not 0.
func (s reflected[T]) read(ctx context.Context, q repository.Query[T], size int) ([]Doc, error) {
	if size == 0 {
		return s.collect(q.All(ctx))
	}
	var out []Doc
	for cursor := ""; ; {
		page, next, err := s.page(ctx, q, cursor, size)
		if err != nil {
			return nil, err
		}
		out = append(out, page...)
		if cursor = next; cursor == "" {
			return out, nil
		}
	}
}

func (s *typed[T, K, P]) Page(ctx context.Context, cursor string, size int) (docs []Doc, next string, err error) {
	return s.page(ctx, s.scan(), cursor, size)
}

func (s reflected[T]) page(ctx context.Context, q repository.Query[T], cursor string, size int) (docs []Doc, next string, err error) {
	page, err := q.Page(ctx, cursor, size)
	if err != nil {
		return nil, "", err
	}
	for _, t := range page.Items {
		docs = append(docs, s.out(t))
	}
	return docs, page.Cursor, nil
}

func (s *typed[T, K, P]) ByKey(ctx context.Context, at Doc, line bool) (docs []Doc, all bool, err error) {
	lines, has := s.queries.(interface {
		ByLine(line string) repository.Query[T]
	})
	both, other := s.queries.(interface {
		ByLineAndVIN(line, vin string) repository.Query[T]
	})
	if all = has && (line || !other); all {
		docs, err = s.collect(lines.ByLine(at.Line).All(ctx))
	} else {
		docs, err = s.collect(both.ByLineAndVIN(at.Line, at.VIN).All(ctx))
	}
	return docs, all, err
}

func (s *typed[T, K, P]) Where(ctx context.Context, line string) ([]Doc, error) {
	return s.collect(s.scan().Where(documents.String[T, string]("/line").Eq(line)).All(ctx))
}

func (s *typed[T, K, P]) Count(ctx context.Context) (int, error) { return s.scan().Count(ctx) }

func (s *typed[T, K, P]) Sum(ctx context.Context) (float64, error) {
	return repository.Sum(ctx, s.scan(), documents.Number[T, int](value))
}

func (s *typed[T, K, P]) Changes(ctx context.Context, cursor string, each func(d Doc, deleted bool)) (next string, err error) {
	from := feed.FromBeginning()
	if cursor != "" {
		from = feed.FromCursor(cursor)
	}
	next = cursor
	for change, err := range feed.Changes(ctx, s.all, from, feed.UntilCaughtUp(), feed.OnCaughtUp(func(c string) { next = c })) {
		if err != nil {
			return next, err
		}
		each(s.out(change.Doc), change.Deleted)
	}
	return next, nil
}
