package admin

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/internal/writeregions"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/lease"
	"github.com/cosmos-pkgen/pkgen/repository/internal/provision"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// EnsureOption changes what [Ensure] does.
type EnsureOption func(*provision.Container)

// FixDifferences lets [Ensure] change a container that differs. It changes nothing unless all
// differences can be removed without harm. It
//
//   - adds the index of the partition key property, and composite indexes, to the indexing
//     policy, and leaves the rest of the policy alone;
//   - adds computed properties and their indexes, and leaves existing ones alone;
//   - turns a default time to live off, sets it to -1 or makes it longer. It never turns it on
//     or makes it shorter, so every document lives at least as long as before;
//   - raises or lowers the container's own throughput, and changes it from manual to autoscale
//     or back. For another kind the service chooses an amount first, and a second request sets
//     the wanted one. If the service refuses that amount, the container gets the least amount
//     of the new kind that is allowed, and the error is a *[ContainerError] with a [Difference]
//     that is Changed. This needs a client made with [repository.Configure].
func FixDifferences() EnsureOption { return func(c *provision.Container) { c.Apply = true } }

// IndexOf has [Ensure] create a global secondary index: a container that the service derives
// from the container source of the same database, under its own partition key, and keeps up to
// date. It has these top-level properties of the source's documents, or all if none are given,
// and the id of the document as _id. A reserved word of SQL, such as order, cannot be a
// property. Each path of want's partition key must be one of the properties.
//
// Ensure compares the source and the properties of an existing index, and never changes them.
// Until the service has copied all documents, the error matches [ErrIndexBuilding]; see
// [WaitForIndex]. The throughput is Autoscale, or AnyThroughput for an existing index. Creation
// needs a client made with [repository.Configure], and takes 2 more requests. Programs cannot
// write to an index, reads of it are eventually consistent, and each write of the source also
// costs a write of the index, from the index's own throughput.
func IndexOf(source string, properties ...string) EnsureOption {
	return func(c *provision.Container) { c.Index = containers.NewIndex(source, properties) }
}

// Computed has [Ensure] give the container these computed properties, which azcosmos 1.5.0 does
// not support: [FixDifferences] adds a missing one, and a different query is a difference that
// cannot be fixed. Properties of other programs stay. Generated functions use this option. It
// costs no request. Adding the properties needs a client made with [repository.Configure].
func Computed(properties *generated.Computed) EnsureOption {
	return func(c *provision.Container) { c.Computed, c.SameQuery = untyped.ComputedOf(properties) }
}

// OneWriteRegion has [Ensure] do nothing in an account with several write regions, because the
// container's type has these words in its tags, such as unique: the error then matches
// [repository.ErrSeveralWriteRegions], and names the word that relies on one write region and
// the remedy. Generated functions use this option. It costs no request. Only a client made with
// [repository.Configure] knows the write regions; another client ensures the container.
func OneWriteRegion(words ...string) EnsureOption {
	return func(c *provision.Container) {
		for _, word := range words {
			if use := writeregions.Named(word); use != nil {
				c.Relies = append(c.Relies, use)
			}
		}
	}
}

// WaitForIndex has [Ensure] wait until an index has been built, which takes the service longer
// the more documents there are. It polls the index, first after 100 ms and finally every 30 s,
// until its context ends.
func WaitForIndex() EnsureOption { return func(c *provision.Container) { c.WaitForIndex = true } }

// ErrIndexBuilding is matched by the error of [Ensure] while the service still copies documents
// into an existing index.
var ErrIndexBuilding = provision.ErrIndexBuilding

// Ensure returns the container that want describes in the database db, and creates it, with
// this throughput, if it is missing. Generated functions such as EnsureVehicleEventContainer
// call it.
//
// If the container exists, Ensure compares it with want: the paths, kind and version of its
// partition key, its default time to live, each unique key and composite index of want, its
// conflict resolution, vectors, full texts and computed properties, an index of the partition key
// property, and its throughput. The container may have more: other unique keys and indexes, or a
// time to live of -1 if want has none. The rest of want, such as its other indexed paths, applies
// only at creation.
//
// If the container differs, the error is a *[ContainerError] with all differences. With
// [FixDifferences] Ensure changes the container instead, if that is safe. It makes a change
// only if the container has not changed since it was read, and otherwise starts over. It
// changes nothing if azcosmos would drop properties that it does not support.
//
// A program may call Ensure at each start. Many programs may call it at once: they make one
// container. If the container does not differ, Ensure sends 4 requests, 3 if the container has
// no throughput of its own, and 1 with [AnyThroughput]. Creation takes 2 requests, or up to 5
// with [SharedThroughput] and [Serverless], which Ensure checks first. A change takes 1 more, a
// change of throughput 4 more, and a change of its kind 11 more. The service limits the rate of
// such requests for each account ("Azure Cosmos DB service quotas", control plane). They use no
// request units of a container, and a [documents.Meter] does not count them.
//
// The error is a *[documents.Error] if a request failed. It has the remedy if the database is
// missing, if the account is serverless, or if the identity may not create containers or read
// throughput, like identities of Microsoft Entra ID. If the outcome of a creation or a change
// is unclear, for instance after a dropped connection, Ensure reads the container again, at
// most three times; then the error matches ErrUnclear. Ensure is safe for concurrent use.
func Ensure(ctx context.Context, db *azcosmos.DatabaseClient, want azcosmos.ContainerProperties, throughput Throughput, opts ...EnsureOption) (*azcosmos.ContainerClient, error) {
	return ensure(ctx, provision.Container{DB: db, Want: &want, Throughput: throughput.throughput}, opts)
}

// EnsureDraft is [Ensure] for the container of T, whose layout is a draft. At an endpoint other
// than this machine it changes nothing, and the error matches [repository.ErrDraft], because
// the path of a container's key can never change. A client made with [repository.Configure]
// sends nothing there. Another client reads the container, because only the response shows its
// endpoint. Generated functions call EnsureDraft until pkgen seal.
func EnsureDraft[T any](ctx context.Context, db *azcosmos.DatabaseClient, want azcosmos.ContainerProperties, throughput Throughput, opts ...EnsureOption) (*azcosmos.ContainerClient, error) {
	command := untyped.Sealing(reflect.TypeFor[T]())
	e := provision.Container{DB: db, Want: &want, Throughput: throughput.throughput, Draft: command}
	return ensure(wire.WithDraft(ctx, command), e, opts)
}

// ensure is Ensure with options.
func ensure(ctx context.Context, e provision.Container, opts []EnsureOption) (*azcosmos.ContainerClient, error) {
	for _, o := range opts {
		if o == nil {
			return nil, e.Failure(errors.New("an EnsureOption is nil"))
		}
		o(&e)
	}
	container, err := e.Ensure(ctx)
	return container, exportedEnsure(err)
}

func exportedEnsure(err error) error {
	var unlike *provision.DifferencesError
	if errors.As(err, &unlike) {
		return containerError(unlike)
	}
	return err
}

// EnsureLeases returns the container with this id in the database db for the leases of
// processors, and creates it, with this throughput, if it is missing. Its key is /id, and its
// default time to live -1, with which only documents with their own time to live expire: the
// lock of a process that crashes while it creates leases. Other SDKs do not remove that lock
// otherwise; a processor of package feed does not need it to expire.
//
// EnsureLeases accepts a container without a default time to live, and never turns one on. In
// an account with several write regions it does nothing, see [OneWriteRegion]. In all else it
// is like [Ensure], with the same options, errors and costs. It is safe for concurrent use.
func EnsureLeases(ctx context.Context, db *azcosmos.DatabaseClient, id string, throughput Throughput, opts ...EnsureOption) (*azcosmos.ContainerClient, error) {
	want := lease.Wanted(id)
	return ensure(ctx, provision.Container{
		DB: db, Want: &want, Throughput: throughput.throughput, Accepts: containers.AcceptsLeases, Relies: []*writeregions.Use{writeregions.Leases},
	}, opts)
}

// Resources is the number of databases and containers in an account.
type Resources struct{ Databases, Containers int }

// Total counts towards the limit of the account: 500 databases and containers together, unless
// Microsoft has raised it ("Service quotas and default limits").
func (r Resources) Total() int { return r.Databases + r.Containers }

// CountResources counts the databases and containers of an account, for programs that give
// tenants or periods their own containers within its limit. It costs one request, and one for
// each database. Other programs may create containers meanwhile, so the service decides in the
// end: an error for lack of room matches [repository.ErrAccountFull].
func CountResources(ctx context.Context, client *azcosmos.Client) (Resources, error) {
	databases, containers, err := provision.Count(ctx, client)
	return Resources{databases, containers}, err
}

// Throughput is the throughput that [Ensure] gives a container. The zero value is
// [AnyThroughput]. It is safe for concurrent use.
type Throughput struct{ throughput provision.Throughput }

// Manual is the container's own throughput of exactly ru request units a second: 400 or more,
// in steps of 100.
func Manual(ru int32) Throughput { return Throughput{provision.Manual(ru)} }

// Autoscale is the container's own throughput that scales between a tenth of most and most
// request units a second. Most is 1,000 or more, in steps of 1,000.
func Autoscale(most int32) Throughput { return Throughput{provision.Autoscale(most)} }

// SharedThroughput is the throughput of the database, which the container shares
// with others. The container has no throughput of its own.
func SharedThroughput() Throughput { return Throughput{provision.Throughput{Mode: provision.Shared}} }

// Serverless is for containers of a serverless account, which is billed per request and has no
// throughput.
func Serverless() Throughput { return Throughput{provision.Throughput{Mode: provision.Serverless}} }

// LeastThroughput is the least throughput that the service allows a container to have, of its
// present kind: manual throughput stays manual, and autoscale stays autoscale. This bound grows
// with the stored data and with the highest throughput ever provisioned; Ensure reads it. A
// container without throughput of its own does not differ. A missing container is created as
// with [AnyThroughput].
func LeastThroughput() Throughput { return Throughput{provision.Least()} }

// AnyThroughput accepts any throughput of the container. Ensure does not read it, which saves
// requests. It is the only choice for Microsoft Entra ID principals, who cannot read throughput
// with azcosmos. Ensure creates a missing container without a throughput: the container shares
// that of its database, or gets 400 RU/s if the database has none, unless the account is
// serverless.
func AnyThroughput() Throughput { return Throughput{} }

// String describes t, such as "autoscale up to 4000 RU/s".
func (t Throughput) String() string { return t.throughput.String() }

// A ContainerError reports how a container differs from the one passed to [Ensure].
type ContainerError struct {
	// Database and Container are their ids.
	Database, Container string

	// Differences are all the differences, at least one.
	Differences []Difference

	err error // of a request, or nil
}

// Unwrap returns the *[documents.Error] of the request that ended a change halfway, or nil.
func (e *ContainerError) Unwrap() error { return e.err }

// A Difference is a property of a container that is not as wanted.
type Difference struct {
	// Property names the property as the portal, the command line and Bicep do:
	// partitionKey.paths, partitionKey.kind, partitionKey.version, defaultTtl,
	// uniqueKeyPolicy.uniqueKeys, indexingPolicy.indexingMode,
	// indexingPolicy.automatic, indexingPolicy.includedPaths,
	// indexingPolicy.compositeIndexes, computedProperties or throughput.
	Property string

	// Have is the property's value in the container, and Want the wanted value.
	Have, Want string

	// Fixable reports whether [FixDifferences] can set the wanted value.
	Fixable bool

	// Changed reports that [FixDifferences] has changed the property as far as the service
	// allowed, to Have. Only throughput can be Changed: its kind is then as wanted, and its
	// amount is not.
	Changed bool

	// Why is the effect of the change, or the reason why Ensure does not make it and the
	// remedy.
	Why string
}

// Error names the container, and lists each difference with its remedy on its own line.
func (e *ContainerError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "container %q of database %q differs from the code:", e.Container, e.Database)
	for _, d := range e.Differences {
		b.WriteString("\n\t" + d.String())
	}
	return b.String()
}

// String returns the difference in one line.
func (d Difference) String() string {
	remedy := d.Why
	if d.Fixable && !d.Changed {
		remedy = "FixDifferences changes it, " + d.Why
	}
	return fmt.Sprintf("%s: have %s, want %s; %s", d.Property, d.Have, d.Want, remedy)
}

func containerError(e *provision.DifferencesError) *ContainerError {
	differences := make([]Difference, len(e.Differences))
	for i, d := range e.Differences {
		differences[i] = Difference(d)
	}
	return &ContainerError{Database: e.Database, Container: e.Container, Differences: differences, err: e.Err}
}
