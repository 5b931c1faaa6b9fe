package repository

import (
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tenancy"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
)

// NewIn returns the documents in the containers of the database db that the model describes. A
// document's fields name its container. Generated constructors of types with a container
// template call NewIn. It sends nothing.
//
// A container that does not exist has no documents: reads return ErrNotFound, and queries leave
// it out. A write to it returns [ErrNoContainer], or creates it: see admin.WithEnsureContainer.
// The first operation on each container costs the metadata requests that the first operation of
// a repository made by [New] costs.
func NewIn[T any, K generated.Key](db *azcosmos.DatabaseClient, model *generated.Model[T, K], opts ...Option) *Documents[T, K] {
	return newDocuments(untyped.NewIn(db, typesOf(model), settingsOf(opts)), model)
}

// NewTiered returns the documents of a type whose tenants share a container of the database db,
// or have their own. Each operation goes to the container that the directory lists for the
// tenant. Generated constructors of repositories of one tenant call NewTiered. It sends
// nothing.
func NewTiered[T any, K generated.Key](db *azcosmos.DatabaseClient, model *generated.Model[T, K], directory tenancy.Directory, opts ...Option) *Documents[T, K] {
	tiers := untyped.Tiers{DB: db, Directory: directory, Shared: model.Own.Shared, Whole: model.Own.Whole, Ensure: model.Own.EnsureShared}
	return newDocuments(untyped.NewTiered(tiers, typesOf(model), settingsOf(opts)), model)
}

// WithWindowBounds refuses to store documents with an implausible time, in a type with a
// container for each period of time. Create, Upsert and their bulk operations return an error
// that matches [ErrOutOfBounds], without a request, for a document whose time is more than late
// before now, or more than early after now. The time is that of the document, not that of its
// window. Reads, changes, moves and deletions of stored documents are not bounded. A negative
// duration is no bound.
func WithWindowBounds(late, early time.Duration) Option {
	return func(s *untyped.Settings) { s.Containers.Late, s.Containers.Early = late, early }
}

// at returns the documents of the container that a valid key names.
func (d *scope[T, K]) at(key K) (*untyped.Documents, error) {
	if !d.untyped.IsSeveral() {
		return d.untyped, nil
	}
	return d.untyped.In(d.model.Containers.Name(key))
}

// addContainers adds to t what a model with several containers declares.
func addContainers[T any, K generated.Key](t *untyped.Types, m *generated.Model[T, K]) {
	c := m.Containers
	t.Ensure, t.Properties = c.Ensure, untyped.PropertiesOf(c.Properties)
	t.Template, t.TimeProperty = c.Parts, c.Property
	t.Container = func(doc any) (string, time.Time, error) {
		key := m.Key(doc.(*T))
		if err := checkContainer(m, key); err != nil {
			return "", time.Time{}, err
		}
		var at time.Time
		switch {
		case m.At != nil:
			at = m.At(doc.(*T)).UTC()
		case c.Time != nil:
			at = c.Time(key)
		}
		return c.Name(key), at, nil
	}
}

// checkContainer returns an error if a key is invalid for a reason other than a random suffix
// that is not chosen yet.
func checkContainer[T any, K generated.Key](m *generated.Model[T, K], key K) error {
	if m.Random != nil {
		if suffix := m.Random.Suffix(&key); *suffix == 0 {
			*suffix = 1
		}
	}
	return key.Validate()
}

// sameContainer reports whether the documents of two valid keys are in one container.
func sameContainer[T any, K generated.Key](m *generated.Model[T, K], a, b K) bool {
	return m.Containers == nil || m.Containers.Name(a) == m.Containers.Name(b)
}
