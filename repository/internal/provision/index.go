package provision

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// ErrIndexBuilding says that the service still copies documents into an index, so that
// reads would miss some.
var ErrIndexBuilding = errors.New("the index is still being built, and reads would miss documents: try again later, or ensure it with WaitForIndex")

// Pauses between two looks at an index under construction. They double from the first to
// the last.
const (
	firstLook = 100 * time.Millisecond
	lastLook  = 30 * time.Second
)

// checkIndex returns an error for an index that the service would refuse.
func (e *Container) checkIndex() error {
	if e.Index == nil {
		return nil
	}
	if e.Index.Source == e.Want.ID {
		return fmt.Errorf("the container %q cannot be an index of itself: name another one", e.Want.ID)
	}
	if e.Throughput.Mode != AutoscaleMode && e.Throughput.Mode != Any {
		return fmt.Errorf("an index has autoscale throughput, and not %v: want Autoscale, or AnyThroughput for one that exists", e.Throughput)
	}
	return e.Index.Check(e.Want.PartitionKeyDefinition.Paths)
}

// checkCreation prepares the creation of a container with properties that azcosmos lacks.
// It returns an error if the service would refuse an index without a clear reason, or the
// client would drop the properties.
func (e *Container) checkCreation(ctx context.Context) error {
	clear(e.extras.Properties)
	if e.Computed != nil {
		if !e.extras.Seen() {
			return e.withoutPolicy()
		}
		if err := e.sendComputed(e.Computed); err != nil {
			return err
		}
	}
	switch {
	case e.isTuned() && !e.extras.Seen():
		return e.Failure(fmt.Errorf("creating an index of vectors with options takes a policy: %w", route.ErrNotConfigured))
	case e.Index == nil:
		return nil
	case !e.extras.Seen():
		return e.Failure(fmt.Errorf("creating an index takes a policy: %w", route.ErrNotConfigured))
	case e.Throughput.Mode == Any:
		return e.Failure(errors.New("the index does not exist, and an index has autoscale throughput: want Autoscale, so that Ensure creates it"))
	}
	source, err := e.DB.NewContainer(e.Index.Source)
	if err != nil {
		return e.Failure(err)
	}
	have, err := read(ctx, source)
	if wire.StatusOf(err) == http.StatusNotFound {
		if missing := e.withoutDatabase(ctx); missing != nil {
			return missing
		}
		return e.because(fmt.Errorf("the container %q, which is to be indexed, does not exist: ensure it first", e.Index.Source), err)
	}
	if err != nil {
		return e.Failure(err)
	}
	more, err := extrasOf(have)
	if err != nil {
		return e.Failure(err)
	}
	if index := more.IndexedBy(); index != nil {
		return e.Failure(fmt.Errorf("the container %q is itself an index, of %q: index that one", e.Index.Source, index.Source))
	}
	definition := *e.Index
	definition.SourceRID = have.ContainerProperties.ResourceID
	text, err := json.Marshal(definition)
	if err != nil {
		return e.Failure(err)
	}
	// The service has two names for the definition, and the SDK for Python writes both
	// (azure-cosmos 4.17.1, database.py).
	e.extras.Properties["globalSecondaryIndexDefinition"], e.extras.Properties["materializedViewDefinition"] = text, text
	return nil
}

// isTuned reports whether a wanted vector index has options that azcosmos lacks.
func (e *Container) isTuned() bool {
	return e.Want.IndexingPolicy != nil && slices.ContainsFunc(e.Want.IndexingPolicy.VectorIndexes, func(x wire.VectorIndex) bool {
		return strings.Contains(string(x.Type), " ")
	})
}

// tuned appends the options of vector indexes to their types, because azcosmos drops them.
// A change of the container then keeps them.
func tuned(p *wire.ContainerProperties, stored *containers.Properties) {
	if p.IndexingPolicy == nil || stored.IndexingPolicy == nil || len(p.IndexingPolicy.VectorIndexes) != len(stored.IndexingPolicy.VectorIndexes) {
		return
	}
	for i, x := range stored.IndexingPolicy.VectorIndexes {
		p.IndexingPolicy.VectorIndexes[i].Type = wire.VectorIndexType(x.InType(x.Type))
	}
}

// sendComputed adds computed properties to the request that creates or replaces the
// container.
func (e *Container) sendComputed(all []containers.ComputedProperty) error {
	text, err := json.Marshal(all)
	if err != nil {
		return e.Failure(err)
	}
	e.extras.Properties[computedProperties] = text
	return nil
}

// withoutPolicy is the error if the client cannot send computed properties.
func (e *Container) withoutPolicy() error {
	return e.Failure(fmt.Errorf("giving a container computed properties takes a policy: %w", route.ErrNotConfigured))
}

// built returns nil if the index has all documents of its source, apart from the latest
// changes. With WaitForIndex it waits for that. The first look is that of settle, unless
// settle has created the index.
func (e *Container) built(ctx context.Context) error {
	for pause := firstLook; ; pause = min(2*pause, lastLook) {
		if e.is == nil {
			if err := e.look(ctx); err != nil {
				return err
			}
		}
		switch status := e.is.Status; {
		case status == containers.Active:
			return nil
		case status == containers.Deleting:
			return e.Failure(errors.New("the index is being deleted: ensure it again when it is gone"))
		case !e.WaitForIndex:
			return e.because(ErrIndexBuilding, fmt.Errorf("its status is %q", status))
		}
		e.is = nil
		if err := backoff.Sleep(ctx, pause); err != nil {
			return e.because(ErrIndexBuilding, err)
		}
	}
}

// look reads the definition of the index.
func (e *Container) look(ctx context.Context) error {
	have, err := e.read(ctx)
	if wire.StatusOf(err) == http.StatusNotFound {
		return e.because(errOvertaken, err)
	}
	if err == nil {
		var more *containers.Properties
		if more, err = extrasOf(have); err == nil {
			e.is = more.IndexedBy()
		}
	}
	switch {
	case err != nil:
		return e.Failure(err)
	case e.is == nil:
		return e.because(errOvertaken, errOvertaken)
	}
	return nil
}
