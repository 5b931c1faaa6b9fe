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

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// ErrIndexBuilding says that the service still copies documents into an index, so that reads
// would miss some.
var ErrIndexBuilding = errors.New("the index is still being built, and reads would miss documents: try again later, or ensure it with WaitForIndex")

// The pauses between two looks at an index that is being built double from the first to the last.
const (
	firstLook = 100 * time.Millisecond
	lastLook  = 30 * time.Second
)

// checkIndex refuses indexes that the service refuses.
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

// withIndex returns the context of requests for the container, which create it as an index, or
// with indexes of vectors that azcosmos has no fields for.
func (e *Container) withIndex(ctx context.Context) context.Context {
	if e.Index == nil && !e.isTuned() {
		return ctx
	}
	ctx, e.creation = wire.WithContainerIndex(ctx)
	return ctx
}

// checkCreation prepares the creation of an index. It refuses it where the service would refuse it
// without a clear reason, and where the client would create a container that is no index.
func (e *Container) checkCreation(ctx context.Context) error {
	switch {
	case e.isTuned() && !e.creation.Seen():
		return e.Failure(fmt.Errorf("creating an index of vectors with options takes a policy: %w", route.ErrNotConfigured))
	case e.Index == nil:
		return nil
	case !e.creation.Seen():
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
	index, err := indexedBy(have)
	if err != nil {
		return e.Failure(err)
	}
	if index != nil {
		return e.Failure(fmt.Errorf("the container %q is itself an index, of %q: index that one", e.Index.Source, index.Source))
	}
	definition := *e.Index
	definition.SourceRID = have.ContainerProperties.ResourceID
	if e.creation.Definition, err = json.Marshal(definition); err != nil {
		return e.Failure(err)
	}
	return nil
}

// isTuned reports whether an index of vectors is wanted that azcosmos has no fields for.
func (e *Container) isTuned() bool {
	return e.Want.IndexingPolicy != nil && slices.ContainsFunc(e.Want.IndexingPolicy.VectorIndexes, func(x wire.VectorIndex) bool {
		return strings.Contains(string(x.Type), " ")
	})
}

// tuned writes how the indexes of vectors are made behind their types, where azcosmos has left
// it out. So a change of the container leaves them as they are.
func tuned(response wire.ContainerResponse) error {
	policy := response.ContainerProperties.IndexingPolicy
	if policy == nil || len(policy.VectorIndexes) == 0 {
		return nil
	}
	body, err := runtime.Payload(response.RawResponse)
	if err != nil {
		return err
	}
	var p containers.Properties
	if err := json.Unmarshal(body, &p); err != nil || p.IndexingPolicy == nil || len(p.IndexingPolicy.VectorIndexes) != len(policy.VectorIndexes) {
		return err
	}
	for i, x := range p.IndexingPolicy.VectorIndexes {
		policy.VectorIndexes[i].Type = wire.VectorIndexType(x.InType(x.Type))
	}
	return nil
}

// indexedBy returns what a container is an index of, or nil.
func indexedBy(response wire.ContainerResponse) (*containers.Index, error) {
	body, err := runtime.Payload(response.RawResponse)
	if err != nil {
		return nil, err
	}
	var p containers.Properties
	if err := json.Unmarshal(body, &p); err != nil {
		return nil, err
	}
	return p.IndexedBy(), nil
}

// built returns nil if the index has all documents of its source, but for the latest changes,
// and an error otherwise. With WaitForIndex it waits until then. The first look is the one of
// settle, unless it has created the index.
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

// look reads what the container is an index of.
func (e *Container) look(ctx context.Context) error {
	have, err := e.read(ctx)
	if wire.StatusOf(err) == http.StatusNotFound {
		return e.because(errOvertaken, err)
	}
	if err == nil {
		e.is, err = indexedBy(have)
	}
	switch {
	case err != nil:
		return e.Failure(err)
	case e.is == nil:
		return e.because(errOvertaken, errOvertaken)
	}
	return nil
}
