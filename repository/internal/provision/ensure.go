package provision

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Ensure creates the container, or compares it with what is wanted, and removes
// differences if Apply is set and all of them can be removed. The error is an
// *OperationError, or a *DifferencesError.
func (e *Container) Ensure(ctx context.Context) (*azcosmos.ContainerClient, error) {
	if e.DB == nil {
		return nil, e.Failure(errors.New("the database is nil: pass the *azcosmos.DatabaseClient of the container's"))
	}
	if err := e.check(); err != nil {
		return nil, e.Failure(err)
	}
	var err error
	if e.client, err = e.DB.NewContainer(e.Want.ID); err != nil {
		return nil, e.Failure(err)
	}
	for attempt := 1; ; attempt++ {
		err := e.settle(ctx)
		wait, again := attempt, errors.Is(err, errOvertaken) && attempt < backoff.MaxAttempts
		if errors.Is(err, wire.ErrUnclear) {
			wait, again = wire.UnclearPause+attempt, attempt <= wire.MaxResends
		}
		switch {
		case err == nil:
			return e.client, nil
		case !again:
			return nil, err
		}
		if ended := backoff.Pause(ctx, wait); ended != nil {
			return nil, errors.Join(err, ended)
		}
	}
}

// errOvertaken says that others created, changed or deleted the container
// between two requests.
var errOvertaken = errors.New("others keep changing the container: try again later")

// Container is a container as it is wanted. It is for one call of Ensure.
type Container struct {
	DB         *azcosmos.DatabaseClient
	client     *azcosmos.ContainerClient
	Want       *azcosmos.ContainerProperties
	Throughput Throughput
	Apply      bool
	Draft      string // the command that seals the layout of a draft; "" for others

	// ApplyThroughput changes the throughput, if nothing else differs. Apply does so too.
	ApplyThroughput bool

	// Did is what Ensure has found and done.
	Did Did

	// Accepts reports whether a container may have this value of a property where
	// another is wanted. Nil accepts none.
	Accepts func(property, have string) bool
}

// Did is what a call of Ensure has done to a container.
type Did struct {
	Created, Changed bool

	// Had is the throughput that the container had, and Has what it has now, if Ensure
	// has read it. Of a container that was created, Has is what was asked for.
	Had, Has Throughput
}

// check refuses definitions that the service would refuse, or read in another way
// than they are meant.
func (e *Container) check() error {
	if len(e.Want.PartitionKeyDefinition.Paths) == 0 {
		return errors.New("the wanted container has no partition key: give it paths, a kind and version 2")
	}
	for _, path := range e.Want.PartitionKeyDefinition.Paths {
		if len(containers.Names(path)) == 0 {
			return fmt.Errorf("the partition key path %q names no property: begin it with a slash", path)
		}
	}
	if ttl := e.Want.DefaultTimeToLive; ttl != nil && (*ttl == 0 || *ttl < -1) {
		return fmt.Errorf("a default time to live of %d is not possible: use nil, -1 or a positive number of seconds", *ttl)
	}
	if p := e.Want.IndexingPolicy; p != nil && !p.Automatic && !strings.EqualFold(string(p.IndexingMode), string(azcosmos.IndexingModeNone)) {
		return errors.New("the wanted indexing policy indexes nothing by itself: set Automatic, or the mode none")
	}
	return e.Throughput.check()
}

// settle makes one attempt. The error is errOvertaken if another one is due.
func (e *Container) settle(ctx context.Context) error {
	have, err := e.read(ctx)
	if leaving := e.leaving(have, err); leaving != nil {
		return e.Failure(leaving)
	}
	if wire.StatusOf(err) == http.StatusNotFound {
		return e.create(ctx)
	}
	if err != nil {
		return e.Failure(err)
	}
	provided, err := e.readThroughput(ctx)
	if err != nil {
		return err
	}
	if provided.Mode == Shared && e.Throughput.own() {
		if err := e.unchanged(ctx, have); err != nil {
			return err
		}
	}
	if e.Did.Had == (Throughput{}) {
		e.Did.Had = provided.Throughput
	}
	e.Did.Has = provided.Throughput
	found := slices.DeleteFunc(compare(have.ContainerProperties, e.Want), func(f containers.Finding) bool {
		return e.Accepts != nil && e.Accepts(f.Property, f.Have)
	})
	var dropped []string
	if len(found) > 0 {
		if dropped, err = droppedBy(have); err != nil {
			return e.Failure(err)
		}
	}
	differences := e.differences(found, dropped)
	costs := provided.difference(e.Throughput)
	if costs != nil {
		differences = append(differences, *costs)
	}
	if !e.Apply && (!e.ApplyThroughput || len(found) > 0) || slices.ContainsFunc(differences, func(d difference) bool { return !d.Fixable }) {
		return e.unlike(differences)
	}
	if len(found) > 0 {
		if err := e.replace(ctx, have, changed(have.ContainerProperties, found)); err != nil {
			return err
		}
		e.Did.Changed = true
	}
	if costs != nil {
		return e.provide(ctx, provided)
	}
	return nil
}

// differences are those of findings that change the container's properties.
// None can be fixed where that would drop something.
func (e *Container) differences(found []containers.Finding, dropped []string) []difference {
	var list []difference
	for _, f := range found {
		d := f.Difference
		d.Fixable = f.Fix != nil
		if d.Fixable && len(dropped) > 0 {
			d.Fixable = false
			d.Why = "azcosmos does not know " + strings.Join(dropped, ", ") + " and would drop that with the change: make it by az, Bicep or in the portal"
		}
		list = append(list, d)
	}
	return list
}

// unlike returns the error about differences, nil if there are none.
func (e *Container) unlike(differences []difference) error {
	if len(differences) == 0 {
		return nil
	}
	return &DifferencesError{Database: e.DB.ID(), Container: e.Want.ID, Differences: differences}
}

// difference is a property in which a container is not as wanted.
type difference = containers.Difference

// DifferencesError says in which ways a container is not as wanted.
type DifferencesError struct {
	Database, Container string
	Differences         []difference
	Err                 error // of the request that ended a change halfway, nil if none did
}

// IsThroughput reports whether only the throughput differs, and can be changed.
func (e *DifferencesError) IsThroughput() bool {
	return len(e.Differences) == 1 && e.Differences[0].Property == "throughput" && e.Differences[0].Fixable
}

// Unwrap returns the failure of a request.
func (e *DifferencesError) Unwrap() error { return e.Err }

// Error names the container. The face says more.
func (e *DifferencesError) Error() string {
	return fmt.Sprintf("container %q of database %q is not as wanted", e.Container, e.Database)
}
