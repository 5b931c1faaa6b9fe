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

// Phase says which of the two containers of a [Migration] a program reads and writes.
// Each release has the next phase, and none may be left out: programs of neighbouring
// phases run side by side, others must not.
type Phase int

// The phases, in the order of releases.
const (
	// PhaseOld reads and writes the old container. Release it first, so that all
	// programs know documents that are about to be created.
	PhaseOld = Phase(write.PhaseOld)
	// PhaseBoth reads both containers, changes documents where they are, and creates
	// them in the old one.
	PhaseBoth = Phase(write.PhaseBoth)
	// PhaseNew reads both containers, changes documents where they are, and creates
	// them in the new one. MoveAll runs in this phase.
	PhaseNew = Phase(write.PhaseNew)
	// PhaseDone reads and writes the new container. Release it when MoveAll has left
	// nothing in the old one. MoveAll then removes what creations that ended early have
	// left in the new one, before a repository without a migration reads it.
	PhaseDone = Phase(write.PhaseDone)
)

// Migration reads and writes the documents of type T while they move to another
// container, without downtime. Generated migrations embed it. It is safe for concurrent
// use.
//
// At each moment a document is in one of the two containers, and every write has the
// condition that it is still there. So no write is made twice, and none is lost when a
// document moves. An operation that meets a document on its way does the rest of the
// move first. For this, reads have to see earlier writes of other programs: in an
// account with strong or bounded staleness consistency.
//
// Costs depend on the phase: see docs/migration.md. What cannot be right over two
// containers is missing here: orders, pages, aggregates, the change feed, transactions,
// Move and bulk operations.
type Migration[T any, K comparable] struct {
	untyped *untypedMigration
	both    // by which other packages of the run time reach untyped
	keyed   func(key K) (*write.Relocation, error)
	placed  func(doc *T) (*write.Relocation, error)
	typed   func(doc any) *T // a document of either type as T
}

// both is embedded under a name that programs do not see.
type both = untyped.MigrationFace

// NewMigration returns the migration of documents between two containers. The functions
// give a document the other type, and return both keys of a document. Generated
// constructors call it. It sends nothing.
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

// Get returns the document that key identifies: one to three point reads. It returns
// ErrNotFound if there is no document, and a *partition.KeyError, without a request, if
// the key is invalid.
func (m *Migration[T, K]) Get(ctx context.Context, key K) (*T, error) {
	r, err := m.keyed(key)
	if err != nil {
		return nil, err
	}
	doc, err := r.Get(ctx, wire.OpGet)
	return m.typed(doc), err
}

// Exists reports whether there is a document that [Migration.Get] would return, at the cost
// of Get.
func (m *Migration[T, K]) Exists(ctx context.Context, key K) (bool, error) {
	_, err := m.Get(ctx, key)
	return failure.Found(err)
}

// GetMany returns the documents that keys identify, in the order of keys, nil for one
// that does not exist: one to three point reads for each.
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

// Create stores doc as a new document: two writes and a point read, about 11 request
// units for 1 KB, or one write in the first and the last phase. It returns
// ErrAlreadyExists if one of the containers holds the document already. A write that is
// refused is settled by one more read, as [Documents] says.
func (m *Migration[T, K]) Create(ctx context.Context, doc *T) error {
	return m.store(ctx, wire.OpCreate, doc, func(r *write.Relocation, bodies write.Bodies) (*write.Side, azcore.ETag, error) {
		return r.Create(ctx, wire.OpCreate, bodies)
	})
}

// Upsert stores doc where it is, and otherwise creates it, whatever its ETag says: a
// point read and a write on condition, or two point reads more than Create.
func (m *Migration[T, K]) Upsert(ctx context.Context, doc *T) error {
	return m.store(ctx, wire.OpUpsert, doc, func(r *write.Relocation, bodies write.Bodies) (*write.Side, azcore.ETag, error) {
		return r.Upsert(ctx, bodies)
	})
}

// Replace stores doc in place of the document of its key, where it is: up to two point
// reads, and a write on condition. It returns ErrNotFound if there is no document. If
// doc's etag field is set, it returns ErrPreconditionFailed if the document has changed
// or moved since.
func (m *Migration[T, K]) Replace(ctx context.Context, doc *T) error {
	return m.store(ctx, wire.OpReplace, doc, func(r *write.Relocation, bodies write.Bodies) (*write.Side, azcore.ETag, error) {
		unchanged, err := m.untyped.new.CheckedETag(wire.OpReplace, r.New.Place, doc)
		if err != nil {
			return nil, "", err
		}
		return r.Replace(ctx, wire.OpReplace, bodies, unchanged)
	})
}

// store is an operation that stores doc.
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

// Update reads the document that key identifies, calls change with it, and stores it
// where it is, on condition that nobody has changed or moved it meanwhile: up to three
// point reads, and a write. Otherwise it begins anew, as [Documents.Update] does, whose
// errors it has.
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

// Patch runs operations on the document that key identifies, where it is: up to two
// point reads, and a patch on condition. Its errors are those of [Documents.Patch].
func (m *Migration[T, K]) Patch(ctx context.Context, key K, operations ...PatchOperation[T]) error {
	return m.patch(ctx, key, nil, operations)
}

// PatchIf is Patch on condition that the predicate condition holds. It returns
// ErrPreconditionFailed, and changes nothing, if the condition does not hold.
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

// Delete removes the document that key identifies, or marks it as deleted in a type with a
// field tagged deleted: up to four point reads, and a write on condition. It returns
// ErrNotFound if there is no document.
func (m *Migration[T, K]) Delete(ctx context.Context, key K) error {
	r, err := m.keyed(key)
	if err != nil {
		return err
	}
	return r.Delete(ctx, "")
}

// Restore is that of repositories, for a document of either container: up to three point
// reads, and a patch on condition. It has the options and the errors of [Restore].
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

// Purge is that of repositories, for a document of either container: up to four point
// reads, and a write on condition. It has the options and the errors of [Purge].
func (m *Migration[T, K]) Purge(ctx context.Context, key K, options ...DeletedOption) error {
	r, unchanged, err := m.overDeleted(write.OpPurge, key, options)
	if err == nil {
		err = r.Purge(ctx, unchanged)
	}
	return err
}

// overDeleted returns where the document of a key is, and which ETag it must have.
func (m *Migration[T, K]) overDeleted(op string, key K, options []DeletedOption) (*write.Relocation, azcore.ETag, error) {
	r, err := m.keyed(key)
	if err != nil {
		return nil, "", err
	}
	unchanged, err := conditionOf(op, r.New.Place.ID, m.untyped.new.Store.Type, options)
	return r, unchanged, err
}

// DeleteIfMatch is Delete of the document of doc's key, if it has neither changed nor
// moved since doc was read or stored. It returns ErrPreconditionFailed if it has.
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
