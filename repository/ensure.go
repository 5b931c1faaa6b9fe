package repository

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// EnsureOption changes what [Ensure] does.
type EnsureOption func(*ensuring)

// FixDifferences lets [Ensure] change a container that is not as wanted, if all
// differences can be removed without harm, and nothing of it otherwise. It
//
//   - adds the index of the partition key property, and composite indexes, to the
//     indexing policy, of which the rest stays;
//   - turns a default time to live off, to -1 or up, but neither on nor down:
//     no stored document expires by it that would have stayed;
//   - raises or lowers throughput of the container's own, manual or autoscale as
//     it is.
func FixDifferences() EnsureOption { return func(e *ensuring) { e.apply = true } }

// Ensure returns the container that want describes in the database db, and
// creates it, with this throughput, if it is missing. Generated functions call
// it, such as EnsureVehicleEventContainer.
//
// If the container exists, Ensure looks whether it is what want asks for: the
// paths, kind and version of its partition key, its default time to live, each
// of want's unique keys and composite indexes, an index of the partition key
// property, and its throughput. It may have more: other unique keys and indexes,
// or a time to live of -1 where want has none. The rest of want, such as its
// indexed paths and its vector and full text policies, counts at creation only. A
// container that differs is a *[ContainerError] with all differences; under
// [FixDifferences] it is changed instead where that is safe. A change is made on
// condition that nobody else has changed the container since it was read, else
// all begins anew. Where azcosmos would drop properties that it does not know,
// nothing is changed.
//
// Ensure may be called at each start of a program, and by many at once: they
// make one container. When all is as wanted it sends 4 requests, 3 where the
// container has no throughput of its own, and 1 with [AnyThroughput]. Creation
// takes 2, or up to 5 with [SharedThroughput] and [Serverless], which it looks
// for first. A change takes 1 more, one of throughput 4. The service limits the
// rate of such requests for each account ("Azure Cosmos DB service quotas",
// control plane); they take no request units of a container, and a [Meter] does
// not count them.
//
// The error is a *[Error] when a request failed. It says what to do where the
// database is missing, where the identity may not create containers or read
// throughput, as those of Microsoft Entra ID, and where the account is
// serverless. After a creation or a change whose outcome is unclear, such as a
// dropped connection, Ensure looks again, three times at most; then the error
// matches ErrUnclear. Ensure is safe for concurrent use.
func Ensure(ctx context.Context, db *azcosmos.DatabaseClient, want azcosmos.ContainerProperties, throughput Throughput, opts ...EnsureOption) (*azcosmos.ContainerClient, error) {
	e := ensuring{db: db, want: &want, throughput: throughput}
	container, err := e.run(ctx, opts)
	return container, exported(err)
}

// EnsureDraft is [Ensure] of the container of T, whose layout is a draft. At an
// endpoint that is not this machine it makes and changes nothing, and the error
// matches [ErrDraft]: the path of a container's key can never change. Clients made
// with [Configure] send nothing there; others read the container, whose answer says
// where it comes from. Generated functions call it until pkgen seal.
func EnsureDraft[T any](ctx context.Context, db *azcosmos.DatabaseClient, want azcosmos.ContainerProperties, throughput Throughput, opts ...EnsureOption) (*azcosmos.ContainerClient, error) {
	command := sealing(reflect.TypeFor[T]())
	e := ensuring{db: db, want: &want, throughput: throughput, draft: command}
	container, err := e.run(wire.WithDraft(ctx, command), opts)
	return container, exported(err)
}

// run is Ensure.
func (e *ensuring) run(ctx context.Context, opts []EnsureOption) (*azcosmos.ContainerClient, error) {
	for _, o := range opts {
		if o == nil {
			return nil, e.failure(errors.New("an EnsureOption is nil"))
		}
		o(e)
	}
	if e.db == nil {
		return nil, e.failure(errors.New("the database is nil: pass the *azcosmos.DatabaseClient of the container's"))
	}
	if err := e.check(); err != nil {
		return nil, e.failure(err)
	}
	var err error
	if e.container, err = e.db.NewContainer(e.want.ID); err != nil {
		return nil, e.failure(err)
	}
	for attempt := 1; ; attempt++ {
		err := e.settle(ctx)
		wait, again := attempt, errors.Is(err, errOvertaken) && attempt < maxAttempts
		if errors.Is(err, ErrUnclear) {
			wait, again = wire.UnclearPause+attempt, attempt <= wire.MaxResends
		}
		switch {
		case err == nil:
			return e.container, nil
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

// ensuring is one call of Ensure.
type ensuring struct {
	db         *azcosmos.DatabaseClient
	container  *azcosmos.ContainerClient
	want       *azcosmos.ContainerProperties
	throughput Throughput
	apply      bool
	draft      string // the command that seals the layout of a draft; "" for others
}

// check refuses what the service would refuse, or take for something else than
// was meant.
func (e *ensuring) check() error {
	if len(e.want.PartitionKeyDefinition.Paths) == 0 {
		return errors.New("the wanted container has no partition key: give it paths, a kind and version 2")
	}
	for _, path := range e.want.PartitionKeyDefinition.Paths {
		if len(pathNames(path)) == 0 {
			return fmt.Errorf("the partition key path %q names no property: begin it with a slash", path)
		}
	}
	if ttl := e.want.DefaultTimeToLive; ttl != nil && (*ttl == 0 || *ttl < -1) {
		return fmt.Errorf("a default time to live of %d is not possible: use nil, -1 or a positive number of seconds", *ttl)
	}
	if p := e.want.IndexingPolicy; p != nil && !p.Automatic && !indexless(p) {
		return errors.New("the wanted indexing policy indexes nothing by itself: set Automatic, or the mode none")
	}
	return e.throughput.check()
}

// settle makes one attempt. The error is errOvertaken if another one is due.
func (e *ensuring) settle(ctx context.Context) error {
	have, err := e.read(ctx)
	if leaving := e.leaving(have, err); leaving != nil {
		return e.failure(leaving)
	}
	if statusOf(err) == http.StatusNotFound {
		return e.create(ctx)
	}
	if err != nil {
		return e.failure(err)
	}
	provided, err := e.readThroughput(ctx)
	if err != nil {
		return err
	}
	found := compare(have.ContainerProperties, e.want)
	var dropped []string
	if len(found) > 0 {
		if dropped, err = droppedBy(have); err != nil {
			return e.failure(err)
		}
	}
	differences := e.differences(found, dropped)
	costs := provided.difference(e.throughput)
	if costs != nil {
		differences = append(differences, *costs)
	}
	if !e.apply || slices.ContainsFunc(differences, func(d Difference) bool { return !d.Fixable }) {
		return e.unlike(differences)
	}
	if len(found) > 0 {
		if err := e.replace(ctx, have, changed(have.ContainerProperties, found)); err != nil {
			return err
		}
	}
	if costs != nil {
		response, err := e.container.ReplaceThroughput(ctx, provided.changed(e.throughput), nil)
		if err := wire.ThroughputAnswer(response, err); err != nil {
			return e.unclear(err)
		}
	}
	return nil
}

// differences are those of findings that change the container's properties.
// None can be fixed where that would drop something.
func (e *ensuring) differences(found []finding, dropped []string) []Difference {
	var list []Difference
	for _, f := range found {
		d := f.Difference
		d.Fixable = f.fix != nil
		if d.Fixable && len(dropped) > 0 {
			d.Fixable = false
			d.Why = "azcosmos does not know " + strings.Join(dropped, ", ") + " and would drop that with the change: make it by az, Bicep or in the portal"
		}
		list = append(list, d)
	}
	return list
}

// unlike returns the error about differences, nil if there are none.
func (e *ensuring) unlike(differences []Difference) error {
	if len(differences) == 0 {
		return nil
	}
	return &ContainerError{Database: e.db.ID(), Container: e.want.ID, Differences: differences}
}
