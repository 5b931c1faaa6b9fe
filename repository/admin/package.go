package admin

import (
	"context"
	"fmt"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
)

// Package has the containers and document types of one Go package, for operators. The function
// that pkgen -admin writes returns one, for package command.
type Package struct {
	// Ensure makes the containers of the package; nil if none has a fixed id.
	Ensure func(ctx context.Context, db *azcosmos.DatabaseClient, throughput Throughput, opts ...EnsureOption) error
	Types  []Type
}

// Type is a type of documents for passes over all of them. It is safe for concurrent use.
type Type struct {
	name string
	open func(db *azcosmos.DatabaseClient) (*untyped.Documents, error)
}

// Of returns the type of a model with documents in the container with this id. It sends
// nothing. Generated code calls it.
func Of[T any, K generated.Key](container string, model *generated.Model[T, K]) Type {
	return typeOf(model, func(db *azcosmos.DatabaseClient) (*repository.Documents[T, K], error) {
		c, err := db.NewContainer(container)
		if err != nil {
			return nil, err
		}
		return repository.New(c, model), nil
	})
}

// OfSeveral returns the type of a model with documents in several containers, whose ids come
// from a template. It sends nothing. Generated code calls it.
func OfSeveral[T any, K generated.Key](model *generated.Model[T, K]) Type {
	return typeOf(model, func(db *azcosmos.DatabaseClient) (*repository.Documents[T, K], error) {
		return repository.NewIn(db, model), nil
	})
}

func typeOf[T any, K generated.Key](model *generated.Model[T, K], open func(*azcosmos.DatabaseClient) (*repository.Documents[T, K], error)) Type {
	return Type{model.Type, func(db *azcosmos.DatabaseClient) (*untyped.Documents, error) {
		docs, err := open(db)
		if err != nil {
			return nil, err
		}
		return untyped.Of(docs), nil
	}}
}

// Name is the name of the Go type.
func (t Type) Name() string { return t.name }

// Upgrading, Rekeying and Purging are the passes over all documents of a type.
const (
	Upgrading = "upgrade"
	Rekeying  = "rekey"
	Purging   = "purge"
)

// Has reports whether documents of the type may need a pass: its tags have earlier forms or
// names, earlier numbers of buckets, or deleted. It sends nothing.
func (t Type) Has(db *azcosmos.DatabaseClient, pass string) (bool, error) {
	d, err := t.open(db)
	if err != nil {
		return false, err
	}
	return map[string]bool{
		Upgrading: d.Writer.OutdatedCondition() != "",
		Rekeying:  d.Types.Earlier > 0,
		Purging:   d.Types.Deleted != nil,
	}[pass], nil
}

// Pass is [Upgrade], [Rekey] or [PurgeDeleted] of the documents in a database. Before is the
// time of PurgeDeleted; other passes ignore it.
func (t Type) Pass(ctx context.Context, db *azcosmos.DatabaseClient, pass string, before time.Time, run Run) (Summary, error) {
	d, err := t.open(db)
	if err != nil {
		return Summary{}, err
	}
	switch pass {
	case Upgrading:
		return upgrade(ctx, d, run)
	case Rekeying:
		return checkedRekey(ctx, d, run)
	case Purging:
		return purge(ctx, d, before, run)
	}
	return Summary{}, fmt.Errorf("%q is no pass: write %s, %s or %s", pass, Upgrading, Rekeying, Purging)
}
