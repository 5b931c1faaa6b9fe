package transcripts

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/simulation/shapes"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// operation is a section of a transcript.
type operation struct {
	name string
	only string // a feature that a type needs, of several by "|"
	not  string // a feature that it must not have, likewise
	do   func(ctx context.Context, s *scene) error
}

// has reports whether a type has one of some features.
func has(shape shapes.Shape, features string) bool {
	return slices.ContainsFunc(strings.Split(features, "|"), func(f string) bool { return slices.Contains(shape.Features, f) })
}

func (o operation) of(shape shapes.Shape) bool {
	return (o.only == "" || has(shape, o.only)) && (o.not == "" || !has(shape, o.not))
}

const (
	present = 0 // is stored
	other   = 1 // is stored, too
	early   = 2 // is stored as the release before wrote it, if the type has another form now
	gone    = 3 // is stored, and marked as deleted if the type marks
	absent  = 4 // was never stored
	further = 5 // neither
	foreign = 7 // is of another type, if the type shares its container
)

// scene is what an operation finds.
type scene struct {
	shapes.Store
	shape  shapes.Shape
	db     *azcosmos.DatabaseClient
	before shapes.Doc // what is stored at present
	print  func(format string, a ...any)
}

// place returns the key of a document.
func (s *scene) place(slot int) shapes.Doc {
	d := shapes.Doc{ID: fmt.Sprintf("d-%d", slot), Line: fmt.Sprintf("l%d", slot%2), VIN: fmt.Sprintf("v%d", slot%2), Number: slot % 2}
	if has(s.shape, "growing") {
		d.VIN = "v1" // its bucket among 2 is another among 5
	}
	if has(s.shape, "random") {
		d.Stored = fmt.Sprintf("%s.%d", d.Line, 1+slot%3)
	}
	return d
}

// doc returns a document that is to be stored.
func (s *scene) doc(slot, value int) *shapes.Doc {
	d := s.place(slot)
	d.Value, d.Tag = value, fmt.Sprintf("t%d", value)
	if has(s.shape, "unique") {
		d.Mail = fmt.Sprintf("m%d@x", slot)
	}
	return &d
}

// read returns the document at present as a program that has read it stores it.
func (s *scene) read(value int) *shapes.Doc {
	d := s.doc(present, value)
	d.ETag = s.before.ETag
	return d
}

// stale returns the same with an ETag that the stored document no longer has.
func (s *scene) stale(value int) *shapes.Doc {
	d := s.doc(present, value)
	d.ETag = `"00000000-0000-0000-0000-000000000000"`
	return d
}

// mailed returns a document with the unique value of another slot.
func (s *scene) mailed(slot, value, mail int) *shapes.Doc {
	d := s.doc(slot, value)
	d.Mail = fmt.Sprintf("m%d@x", mail)
	return d
}

// byKey reads the documents of the line, or of the line and the VIN, of the present one.
func (s *scene) byKey(ctx context.Context, line bool) ([]shapes.Doc, error) {
	docs, _, err := s.ByKey(ctx, s.place(present), line)
	return docs, err
}

// show prints a document that an operation has returned or changed.
func (s *scene) show(docs ...shapes.Doc) {
	for _, d := range docs {
		s.print("%s", describe(d))
	}
}

func describe(d shapes.Doc) string {
	words := []string{d.ID, d.Line, d.VIN, fmt.Sprint(d.Number), fmt.Sprintf("value %d", d.Value), d.Tag}
	for _, f := range []struct{ name, value string }{{"stored", d.Stored}, {"ETag", strings.Trim(d.ETag, `"`)}, {"mail", d.Mail}} {
		if f.value != "" {
			words = append(words, f.name+" "+f.value)
		}
	}
	if d.Version != 0 {
		words = append(words, fmt.Sprintf("version %d", d.Version))
	}
	return strings.Join(words, " ")
}

// writes returns an operation that writes a document.
func writes(of func(s *scene) (write func(context.Context, *shapes.Doc) error, d *shapes.Doc)) func(context.Context, *scene) error {
	return func(ctx context.Context, s *scene) error {
		write, d := of(s)
		err := write(ctx, d)
		s.show(*d)
		return err
	}
}

func create(d func(s *scene) *shapes.Doc) func(context.Context, *scene) error {
	return writes(func(s *scene) (func(context.Context, *shapes.Doc) error, *shapes.Doc) { return s.Create, d(s) })
}

func upsert(d func(s *scene) *shapes.Doc) func(context.Context, *scene) error {
	return writes(func(s *scene) (func(context.Context, *shapes.Doc) error, *shapes.Doc) { return s.Upsert, d(s) })
}

func replace(d func(s *scene) *shapes.Doc) func(context.Context, *scene) error {
	return writes(func(s *scene) (func(context.Context, *shapes.Doc) error, *shapes.Doc) { return s.Replace, d(s) })
}

// fresh returns a document of a slot that knows of no stored one.
func fresh(slot int) func(s *scene) *shapes.Doc {
	return func(s *scene) *shapes.Doc { return s.doc(slot, 50) }
}

// get reads a document and shows it.
func get(slot int) func(context.Context, *scene) error {
	return func(ctx context.Context, s *scene) error {
		d, err := s.Get(ctx, s.place(slot))
		if err == nil {
			s.show(d)
		}
		return err
	}
}

// at does something at the key of a slot.
func at(slot int, do func(s *scene) func(context.Context, shapes.Doc) error) func(context.Context, *scene) error {
	return func(ctx context.Context, s *scene) error { return do(s)(ctx, s.place(slot)) }
}

func deletes(s *scene) func(context.Context, shapes.Doc) error  { return s.Delete }
func restores(s *scene) func(context.Context, shapes.Doc) error { return s.Restore }
func purges(s *scene) func(context.Context, shapes.Doc) error   { return s.Purge }

func patches(s *scene) func(context.Context, shapes.Doc) error {
	return func(ctx context.Context, at shapes.Doc) error { return s.Patch(ctx, at, 5, "patched") }
}

func patchesIf(value int) func(s *scene) func(context.Context, shapes.Doc) error {
	return func(s *scene) func(context.Context, shapes.Doc) error {
		return func(ctx context.Context, at shapes.Doc) error { return s.PatchIf(ctx, at, value, 5, "patched") }
	}
}

func updates(s *scene) func(context.Context, shapes.Doc) error {
	return func(ctx context.Context, at shapes.Doc) error {
		return s.Update(ctx, at, func(d *shapes.Doc) { d.Value, d.Tag = d.Value+5, "updated" })
	}
}

// reads returns an operation that reads several documents.
func reads(of func(ctx context.Context, s *scene) ([]shapes.Doc, error)) func(context.Context, *scene) error {
	return func(ctx context.Context, s *scene) error {
		docs, err := of(ctx, s)
		s.show(docs...)
		return err
	}
}

// bulk writes documents in bulk.
func bulk(op string, together bool, slots ...int) func(context.Context, *scene) error {
	return func(ctx context.Context, s *scene) error {
		var docs []*shapes.Doc
		for _, slot := range slots {
			docs = append(docs, s.doc(slot, 60+slot))
		}
		return outcomes(s, docs, s.Write(ctx, op, docs, together))
	}
}

func outcomes(s *scene, docs []*shapes.Doc, all iter.Seq2[int, error]) error {
	lines := make([]string, len(docs))
	for i, err := range all {
		lines[i] = fmt.Sprintf("%s: %s", describe(*docs[i]), words(err))
	}
	for i, line := range lines {
		if line == "" {
			line = docs[i].ID + " has no outcome"
		}
		s.print("%s", line)
	}
	return nil
}

// commit does all in one transaction.
func commit(ctx context.Context, s *scene, all ...shapes.Intent) error {
	err := s.Commit(ctx, all)
	for _, o := range all {
		s.show(*o.Doc)
	}
	return err
}

// operations are the sections of each transcript.
var operations = []operation{
	{name: "create", do: create(fresh(absent))},
	{name: "create of one that exists", do: create(fresh(present))},
	{name: "create of a deleted one", only: "deleted|purged", do: create(fresh(gone))},
	{name: "create with a value that another has", only: "unique", do: create(func(s *scene) *shapes.Doc { return s.mailed(absent, 50, other) })},
	{name: "upsert of a new one", do: upsert(fresh(absent))},
	{name: "upsert of one that exists", do: upsert(fresh(present))},
	{name: "upsert on its ETag", only: "etag", do: upsert(func(s *scene) *shapes.Doc { return s.read(50) })},
	{name: "upsert of a deleted one", only: "deleted|purged", do: upsert(fresh(gone))},
	{name: "upsert with a new unique value", only: "unique", do: upsert(func(s *scene) *shapes.Doc { return s.mailed(present, 50, 70) })},
	{name: "upsert with a value that another has", only: "unique", do: upsert(func(s *scene) *shapes.Doc { return s.mailed(present, 50, other) })},
	{name: "upsert of one of an earlier form", only: "schema", do: upsert(fresh(early))},
	{name: "replace", do: replace(fresh(present))},
	{name: "replace of none", do: replace(fresh(absent))},
	{name: "replace on its ETag", only: "etag", do: replace(func(s *scene) *shapes.Doc { return s.read(50) })},
	{name: "replace on a stale ETag", only: "etag", do: replace(func(s *scene) *shapes.Doc { return s.stale(50) })},
	{name: "replace with a new unique value", only: "unique", do: replace(func(s *scene) *shapes.Doc { return s.mailed(present, 50, 70) })},
	{name: "delete", do: at(present, deletes)},
	{name: "delete of none", do: at(absent, deletes)},
	{name: "delete of a deleted one", only: "deleted|purged", do: at(gone, deletes)},
	{name: "delete on its ETag", only: "etag", do: func(ctx context.Context, s *scene) error { return s.DeleteIfMatch(ctx, *s.read(50)) }},
	{name: "delete on a stale ETag", only: "etag", do: func(ctx context.Context, s *scene) error { return s.DeleteIfMatch(ctx, *s.stale(50)) }},
	{name: "patch", do: at(present, patches)},
	{name: "patch of none", do: at(absent, patches)},
	{name: "patch of one of an earlier form", only: "schema", do: at(early, patches)},
	{name: "patch if", do: at(present, patchesIf(10))},
	{name: "patch if it has another value", do: at(present, patchesIf(11))},
	{name: "update", do: at(present, updates)},
	{name: "update of none", do: at(absent, updates)},
	{name: "update of one of an earlier form", only: "schema", do: at(early, updates)},
	{name: "get", do: get(present)},
	{name: "get of none", do: get(absent)},
	{name: "get of a deleted one", only: "deleted|purged", do: get(gone)},
	{name: "get of one of an earlier form", only: "schema", do: get(early)},
	{name: "get many", do: func(ctx context.Context, s *scene) error {
		found, docs, err := s.GetMany(ctx, []shapes.Doc{s.place(present), s.place(other), s.place(early), s.place(gone), s.place(absent)})
		for i, d := range docs {
			if found[i] {
				s.show(d)
			} else {
				s.print("none")
			}
		}
		return err
	}},
	{name: "create where one of another type is", only: "shared", do: create(fresh(foreign))},
	{name: "upsert of one of another type", only: "shared", do: upsert(fresh(foreign))},
	{name: "replace of one of another type", only: "shared", do: replace(fresh(foreign))},
	{name: "delete of one of another type", only: "shared", do: at(foreign, deletes)},
	{name: "patch of one of another type", only: "shared", do: at(foreign, patches)},
	{name: "get of one of another type", only: "shared", do: get(foreign)},
	{name: "scan", do: reads(func(ctx context.Context, s *scene) ([]shapes.Doc, error) { return s.Scan(ctx, 0) })},
	{name: "pages of two", do: reads(func(ctx context.Context, s *scene) ([]shapes.Doc, error) { return s.Scan(ctx, 2) })},
	{name: "where", do: reads(func(ctx context.Context, s *scene) ([]shapes.Doc, error) { return s.Where(ctx, "l0") })},
	{name: "by line", do: reads(func(ctx context.Context, s *scene) ([]shapes.Doc, error) { return s.byKey(ctx, true) })},
	{name: "by line and VIN", do: reads(func(ctx context.Context, s *scene) ([]shapes.Doc, error) { return s.byKey(ctx, false) })},
	{name: "count", do: func(ctx context.Context, s *scene) error {
		n, err := s.Count(ctx)
		s.print("%d", n)
		return err
	}},
	{name: "sum", do: func(ctx context.Context, s *scene) error {
		sum, err := s.Sum(ctx)
		s.print("%v", sum)
		return err
	}},
	{name: "rank by a text", only: "fulltext", do: reads(func(ctx context.Context, s *scene) ([]shapes.Doc, error) { return s.Rank(ctx, s.place(present), 0) })},
	{name: "rank by a text and a vector", only: "fulltext", do: reads(func(ctx context.Context, s *scene) ([]shapes.Doc, error) { return s.Rank(ctx, s.place(present), 1) })},
	{name: "with an element", only: "elements", do: reads(func(ctx context.Context, s *scene) ([]shapes.Doc, error) {
		return s.Elements(ctx, s.place(present), false)
	})},
	{name: "rows of elements", only: "elements", do: reads(func(ctx context.Context, s *scene) ([]shapes.Doc, error) {
		return s.Elements(ctx, s.place(present), true)
	})},
	{name: "where by a computed property", only: "computed", do: reads(func(ctx context.Context, s *scene) ([]shapes.Doc, error) { return s.Computed(ctx, s.place(present), 0) })},
	{name: "pages of two by a computed property", only: "computed", do: reads(func(ctx context.Context, s *scene) ([]shapes.Doc, error) { return s.Computed(ctx, s.place(present), 2) })},
	{name: "bulk create", do: bulk("create", false, absent, present, further)},
	{name: "bulk create in batches", do: bulk("create", true, absent, absent+2, absent+4)},
	{name: "bulk upsert", do: bulk("upsert", false, present, other, absent)},
	{name: "bulk upsert in batches", do: bulk("upsert", true, present, early, absent)},
	{name: "bulk delete", do: bulk("delete", false, present, other, absent)},
	{name: "bulk delete in batches", do: bulk("delete", true, present, early)},
	{name: "transaction", not: "random|unique|growing", do: func(ctx context.Context, s *scene) error {
		return commit(ctx, s, shapes.Intent{Kind: "upsert", Doc: s.doc(present, 50)}, shapes.Intent{Kind: "upsert", Doc: s.doc(absent, 54)})
	}},
	{name: "transaction of other operations", not: "random|unique|growing", do: func(ctx context.Context, s *scene) error {
		return commit(ctx, s, shapes.Intent{Kind: "add", Doc: s.doc(present, 50), Add: 5}, shapes.Intent{Kind: "create", Doc: s.doc(absent, 54)}, shapes.Intent{Kind: "delete", Doc: s.doc(early, 52)})
	}},
	{name: "transaction that fails", not: "random|unique|growing", do: func(ctx context.Context, s *scene) error {
		return commit(ctx, s, shapes.Intent{Kind: "addif", Doc: s.doc(present, 10), Add: 5}, shapes.Intent{Kind: "replace", Doc: s.doc(absent, 54)})
	}},
	{name: "restore", only: "deleted|purged", do: at(gone, restores)},
	{name: "restore of one that is not deleted", only: "deleted|purged", do: at(present, restores)},
	{name: "purge", only: "deleted|purged", do: at(gone, purges)},
	{name: "purge of one that is not deleted", only: "deleted|purged", do: at(present, purges)},
	{name: "changes", do: func(ctx context.Context, s *scene) error {
		_, err := s.Changes(ctx, "", func(d shapes.Doc, deleted bool) {
			if deleted {
				s.print("deleted: %s", describe(d))
				return
			}
			s.show(d)
		})
		return err
	}},
	{name: "move", only: "mover", do: func(ctx context.Context, s *scene) error {
		done, err := s.shape.Stages[0].Settle(ctx, s.db)
		s.print("done: %t", done)
		return err
	}},
}

// sentinels are what a program asks an error for.
var sentinels = []struct {
	name string
	err  error
}{
	{"ErrNotFound", repository.ErrNotFound}, {"ErrAlreadyExists", repository.ErrAlreadyExists}, {"ErrNotUnique", repository.ErrNotUnique},
	{"ErrUnfinished", repository.ErrUnfinished}, {"ErrOtherType", repository.ErrOtherType}, {"ErrDeleted", repository.ErrDeleted},
	{"ErrPreconditionFailed", repository.ErrPreconditionFailed}, {"ErrThrottled", repository.ErrThrottled}, {"ErrNoContainer", repository.ErrNoContainer},
	{"ErrTooLarge", repository.ErrTooLarge}, {"ErrKeyChanged", repository.ErrKeyChanged}, {"ErrAmbiguous", repository.ErrAmbiguous},
	{"ErrUnclear", repository.ErrUnclear}, {"ErrCursor", repository.ErrCursor}, {"ErrNewerDocument", repository.ErrNewerDocument}, {"ErrMoved", repository.ErrMoved},
}

// words returns which sentinels an error matches.
func words(err error) string {
	if err == nil {
		return "nil"
	}
	var out []string
	for _, s := range sentinels {
		if errors.Is(err, s.err) {
			out = append(out, s.name)
		}
	}
	if failed := (*azcore.ResponseError)(nil); len(out) == 0 && errors.As(err, &failed) {
		return fmt.Sprintf("status %d", failed.StatusCode)
	}
	if len(out) == 0 {
		return "another error: " + strings.ReplaceAll(err.Error(), "\n", " ")
	}
	return strings.Join(out, ", ")
}
