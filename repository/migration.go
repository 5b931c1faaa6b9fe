package repository

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/parallel"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// Phase selects which of the two containers of a [Migration] a program reads and writes. Each
// release has the next phase, without a gap: only programs of neighbouring phases may run at
// the same time.
type Phase int

// The phases, in the order of releases.
const (
	// PhaseOld reads and writes the old container. Release it first, so that all programs
	// recognize documents that are being created.
	PhaseOld = Phase(write.PhaseOld)
	// PhaseBoth reads both containers, changes documents where they are, and creates them in
	// the old one.
	PhaseBoth = Phase(write.PhaseBoth)
	// PhaseNew reads both containers, changes documents where they are, and creates
	// them in the new one. MoveAll runs in this phase.
	PhaseNew = Phase(write.PhaseNew)
	// PhaseDone reads and writes the new container. Release it when MoveAll has emptied the old
	// one. In this phase MoveAll deletes unfinished creations from the new container, which a
	// repository without a migration would read.
	PhaseDone = Phase(write.PhaseDone)
)

// Migration reads and writes the documents of type T while they move to another container,
// without downtime. Generated migrations embed it. It is safe for concurrent use.
//
// At each moment a document is in one of the two containers, and every write has the condition
// that it is still there. So no write is duplicated or lost when a document moves. An operation
// that meets a document in the middle of a move finishes the move first. It must see earlier
// writes of other programs, so the account needs strong or bounded-staleness consistency.
//
// Costs depend on the phase: see docs/migration.md. Orders, pages, aggregates, the change feed,
// transactions, Move and bulk operations are not supported while documents are in two
// containers.
type Migration[T any, K comparable] struct {
	untyped *untypedMigration
	both    // gives other packages of the run time untyped
	keyed   func(key K) (*write.Relocation, error)
	placed  func(doc *T) (*write.Relocation, error)
	typed   func(doc any) *T // a document of either type as T
}

// both is an alias, so that the embedded field is unexported.
type both = untyped.MigrationFace

// NewMigration returns the migration of documents from one container to another. Before and
// after convert a document to the old and the new type; keys returns both keys of a document.
// Generated constructors call it. It sends nothing.
func NewMigration[T any, K comparable, N generated.Key, O any, P generated.Key](
	from *Documents[O, P], to *Documents[T, N], phase Phase,
	before func(*T) *O, after func(*O) *T, keys func(K) (P, N),
) *Migration[T, K] {
	u := newMigration(from.untyped, to.untyped, phase)
	u.before = func(doc any) any { return before(doc.(*T)) }
	at := func(phase Phase, p P, n N) (*write.Relocation, error) {
		r := u.relocation(phase)
		var err error
		if phase != PhaseDone {
			r.Old.Place, err = placeOf(from.model, p)
		}
		if phase != PhaseOld && err == nil {
			r.New.Place, err = placeOf(to.model, n)
		}
		// Several documents of the old container may have one key in the new one.
		means := func(old *O, fresh *T) bool {
			return (phase == PhaseDone || sameKey(from.model, from.model.Key(old), p)) &&
				(phase == PhaseOld || sameKey(to.model, to.model.Key(fresh), n))
		}
		r.Old.Means = func(doc any) bool { own, ok := doc.(*O); return ok && means(own, after(own)) }
		r.New.Means = func(doc any) bool { own, ok := doc.(*T); return ok && means(before(own), own) }
		return r, err
	}
	m := &Migration[T, K]{
		untyped: u,
		both:    untyped.FaceOfMigration(&u.Migration, u.old),
		keyed: func(key K) (*write.Relocation, error) {
			p, n := keys(key)
			return at(phase, p, n)
		},
		placed: func(doc *T) (*write.Relocation, error) {
			if doc == nil {
				return nil, &Error{Op: "write", Type: to.model.Type, Err: errors.New("the document is nil")}
			}
			return at(phase, from.model.Key(before(doc)), to.model.Key(doc))
		},
		typed: func(doc any) *T {
			if old, ok := doc.(*O); ok {
				if fresh, same := doc.(*T); same {
					return fresh
				}
				return after(old)
			}
			fresh, _ := doc.(*T) // nil with an error
			return fresh
		},
	}
	u.Place = func(doc any) (*write.Relocation, error) {
		own := m.typed(doc)
		return at(min(phase, PhaseNew), from.model.Key(before(own)), to.model.Key(own)) // MoveAll looks at both sides, also in PhaseDone
	}
	return m
}

// Get returns a document: one point read if the container that the phase reads first has it, two
// if the other one has it, and up to four if it is moving or missing. It returns ErrNotFound if
// there is no document, and a *partition.KeyError, without a request, if the key is invalid.
func (m *Migration[T, K]) Get(ctx context.Context, key K) (*T, error) {
	r, err := m.keyed(key)
	if err != nil {
		return nil, err
	}
	doc, err := r.Get(ctx, wire.OpGet)
	return m.typed(doc), err
}

// Exists reports whether [Migration.Get] would return a document. It costs the same as Get.
func (m *Migration[T, K]) Exists(ctx context.Context, key K) (bool, error) {
	_, err := m.Get(ctx, key)
	return failure.Found(err)
}

// GetMany returns the documents with these keys, in the order of keys, nil for a document that
// does not exist: as many point reads per key as [Migration.Get].
func (m *Migration[T, K]) GetMany(ctx context.Context, keys []K) ([]*T, error) {
	docs := make([]*T, len(keys))
	err := parallel.Each(ctx, len(keys), m.untyped.New.Settings.Concurrency, func(ctx context.Context, i int) (err error) {
		if docs[i], err = m.Get(ctx, keys[i]); errors.Is(err, ErrNotFound) {
			docs[i], err = nil, nil
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return docs, nil
}

// Create stores doc as a new document: two writes and a point read, about 11 request units for
// 1 KB, or one write in the first and the last phase. It returns ErrAlreadyExists if either
// container has the document. A refused write is settled by one more read, see [Documents].
func (m *Migration[T, K]) Create(ctx context.Context, doc *T) error {
	return m.store(ctx, wire.OpCreate, doc, func(r *write.Relocation, bodies write.Bodies) (*write.Side, azcore.ETag, error) {
		return r.Create(ctx, wire.OpCreate, bodies)
	})
}

// Upsert replaces doc where it is, or creates it, and ignores its ETag: a point read and a
// conditional write, or two point reads more than Create.
func (m *Migration[T, K]) Upsert(ctx context.Context, doc *T) error {
	return m.store(ctx, wire.OpUpsert, doc, func(r *write.Relocation, bodies write.Bodies) (*write.Side, azcore.ETag, error) {
		return r.Upsert(ctx, bodies)
	})
}

// Replace replaces the document with doc's key, where it is: up to two point reads, and a
// conditional write. It returns ErrNotFound if there is no document. If doc's etag field is
// set, it returns ErrPreconditionFailed if the document has changed or moved since.
func (m *Migration[T, K]) Replace(ctx context.Context, doc *T) error {
	return m.store(ctx, wire.OpReplace, doc, func(r *write.Relocation, bodies write.Bodies) (*write.Side, azcore.ETag, error) {
		unchanged, err := m.untyped.new.CheckedETag(wire.OpReplace, r.New.Place, doc)
		if err != nil {
			return nil, "", err
		}
		return r.Replace(ctx, wire.OpReplace, bodies, unchanged)
	})
}

// store runs an operation that stores doc.
func (m *Migration[T, K]) store(ctx context.Context, op string, doc *T, run func(*write.Relocation, write.Bodies) (*write.Side, azcore.ETag, error)) error {
	r, err := m.placed(doc)
	if err == nil {
		err = m.untyped.ready(ctx, op, r, doc)
	}
	if err != nil {
		return err
	}
	var made write.Document
	at, tag, err := run(r, m.untyped.bodies(op, r, doc, &made))
	if err == nil {
		m.untyped.stored(at, doc, made, tag)
	}
	return err
}

// Update reads a document, calls change with it, and stores it where it is if it has not
// changed or moved meanwhile: up to three point reads, and a write. If it has, Update starts
// over. See [Documents.Update], whose errors it returns.
func (m *Migration[T, K]) Update(ctx context.Context, key K, change func(*T) error) error {
	r, err := m.keyed(key)
	if err != nil {
		return err
	}
	var doc *T
	var made write.Document
	at, tag, err := r.Update(ctx, untyped.OpUpdate, func(stored any) (write.Bodies, error) {
		doc = m.typed(stored)
		if err := change(doc); err != nil {
			return nil, err
		}
		now, err := m.placed(doc)
		if err == nil && !r.Same(now) {
			err = &documents.Error{
				Op: untyped.OpUpdate, Type: r.New.Type, ID: r.New.Place.ID, PartitionKey: r.New.Place.Name,
				Kind: ErrKeyChanged, Err: errors.New("the change makes it the document of another key"),
			}
		}
		return m.untyped.bodies(untyped.OpUpdate, r, doc, &made), err
	})
	if err == nil {
		m.untyped.stored(at, doc, made, tag)
	}
	return err
}

// Patch runs operations on a document where it is: up to two point reads, and a conditional
// patch. Its errors are those of [Documents.Patch].
func (m *Migration[T, K]) Patch(ctx context.Context, key K, operations ...PatchOperation[T]) error {
	return m.patch(ctx, key, nil, operations)
}

// PatchIf is Patch on condition that condition holds. Otherwise it changes nothing, and returns
// ErrPreconditionFailed.
func (m *Migration[T, K]) PatchIf(ctx context.Context, key K, condition Predicate[T], operations ...PatchOperation[T]) error {
	return m.patch(ctx, key, &condition, operations)
}

func (m *Migration[T, K]) patch(ctx context.Context, key K, condition *Predicate[T], operations []PatchOperation[T]) error {
	r, err := m.keyed(key)
	if err != nil {
		return err
	}
	request, err := patchOf(m.untyped.new, r.New.Place, nil, operations, condition)
	if err == nil && m.untyped.old.Types.Indexed != nil && r.Phase != write.PhaseDone {
		err = m.untyped.old.FitPatch(r.Old.Place, nil, &request)
	}
	if err == nil {
		err = r.Patch(ctx, request)
	}
	return err
}

// Delete deletes a document, or marks it as deleted in a type with a field tagged deleted: up
// to four point reads, and a conditional write. It returns ErrNotFound if there is no document.
func (m *Migration[T, K]) Delete(ctx context.Context, key K) error {
	r, err := m.keyed(key)
	if err != nil {
		return err
	}
	return r.Delete(ctx, "")
}

// Restore restores a document in either container: up to three point reads, and a conditional
// patch. Options and errors are those of [Restore].
func (m *Migration[T, K]) Restore(ctx context.Context, key K, options ...DeletedOption) (*T, error) {
	r, unchanged, err := m.overDeleted(write.OpRestore, key, options)
	if err != nil {
		return nil, err
	}
	doc, err := r.Restore(ctx, unchanged)
	if err != nil {
		return nil, err
	}
	return m.typed(doc), nil
}

// Purge purges a document in either container: up to four point reads, and a conditional write.
// Options and errors are those of [Purge].
func (m *Migration[T, K]) Purge(ctx context.Context, key K, options ...DeletedOption) error {
	r, unchanged, err := m.overDeleted(write.OpPurge, key, options)
	if err == nil {
		err = r.Purge(ctx, unchanged)
	}
	return err
}

// overDeleted returns the relocation of a key, and the ETag of IfMatch.
func (m *Migration[T, K]) overDeleted(op string, key K, options []DeletedOption) (*write.Relocation, azcore.ETag, error) {
	r, err := m.keyed(key)
	if err != nil {
		return nil, "", err
	}
	unchanged, err := conditionOf(op, r.New.Place.ID, m.untyped.new.Store.Type, options)
	return r, unchanged, err
}

// DeleteIfMatch deletes the document with doc's key if it has neither changed nor moved since
// doc was read or stored. It returns ErrPreconditionFailed if it has.
func (m *Migration[T, K]) DeleteIfMatch(ctx context.Context, doc *T) error {
	r, err := m.placed(doc)
	if err != nil {
		return err
	}
	unchanged, err := m.untyped.new.IfMatchOf(wire.OpDelete, r.New.Place, doc)
	if err == nil && unchanged == "" {
		err = m.untyped.new.Store.Failure(wire.OpDelete, r.New.Place, errors.New("the document has no ETag: read it first, or use Delete"))
	}
	if err == nil {
		err = r.Delete(ctx, unchanged)
	}
	return err
}
