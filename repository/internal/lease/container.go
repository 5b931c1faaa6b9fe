package lease

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Container is the Store of a processor in a Cosmos container with the partition key
// /id. It is safe for concurrent use once its fields are set.
type Container struct {
	Leases    *wire.Container
	Dialect   Dialect
	Processor string
	Prefix    Prefix // of the processor, in the dialect
	Monitored Monitored

	// Physical returns the physical partitions of the monitored container, whose
	// ranges some leases do not store.
	Physical func(ctx context.Context) (*route.Map, error)

	// Refresh reads them anew, after a lease has named one that Physical did not know.
	Refresh func(ctx context.Context) (*route.Map, error)

	// Versions says that the leases are of the feed of all versions and deletions.
	Versions bool

	// Documents are the types of documents that the processor handles, sorted, where the
	// monitored container has several types; empty if it has one.
	Documents []string

	// Several says that the container is one of several, which a type has.
	Several bool

	clock               clock
	among               *clock        // in place of clock, that of all containers; nil for one
	lockFor, ownLockFor time.Duration // of tests; 0 are lockSeconds and ownLockSeconds
}

// What requests for leases are called in errors and events.
const (
	opList    = "list leases"
	opRead    = "read lease"
	opReplace = "write lease"
	opCreate  = "create lease"
	opDelete  = "delete lease"
)

func place(id string) wire.Place {
	return wire.Place{ID: id, Key: azcosmos.NewPartitionKeyString(id), Name: `"` + id + `"`, Value: id}
}

// List implements Store: one query of all partitions of the lease container.
func (c *Container) List(ctx context.Context) ([]Lease, error) {
	documents, err := c.query(ctx, c.Prefix)
	if err != nil {
		return nil, wire.NewOperationError(opList, c.Leases.Type, "", "", err)
	}
	all := make([]Lease, len(documents))
	for i, document := range documents {
		if all[i], err = c.parse(ctx, document); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// query reads the documents of the leases that have a prefix.
func (c *Container) query(ctx context.Context, prefix Prefix) (documents [][]byte, err error) {
	return query(ctx, c.Leases, c.time(), prefix.leases())
}

// time is the clock of the service.
func (c *Container) time() *clock {
	if c.among != nil {
		return c.among
	}
	return &c.clock
}

// query reads the documents whose ids begin so.
func query(ctx context.Context, leases *wire.Container, k *clock, start string) (documents [][]byte, err error) {
	options := azcosmos.QueryOptions{QueryParameters: []azcosmos.QueryParameter{{Name: "@prefix", Value: start}}}
	const text = "SELECT * FROM c WHERE STARTSWITH(c.id, @prefix)"
	for more := true; more; {
		var page azcosmos.QueryItemsResponse
		err := wire.Reread(ctx, func() error {
			callCtx, done := leases.Begin(ctx, wire.Event{Op: opList})
			var err error
			page, err = leases.Client.NewQueryItemsPager(text, azcosmos.NewPartitionKey(), &options).NextPage(callCtx)
			if err = wire.Unparsed(err); err == nil {
				err = wire.CheckPage(page.RawResponse, page.Items, wire.IDPath[0])
			}
			done(page.RequestCharge, err)
			return err
		})
		if err != nil {
			return nil, err
		}
		k.read(page.RawResponse)
		documents = append(documents, page.Items...)
		options.ContinuationToken, more = page.ContinuationToken, page.ContinuationToken != nil
	}
	return documents, nil
}

// parse reads a lease, with its range.
func (c *Container) parse(ctx context.Context, document []byte) (Lease, error) {
	l, err := c.Dialect.Parse(document)
	if err != nil {
		return l, fmt.Errorf("%w: %w", ErrUnusable, err)
	}
	return c.Ranged(ctx, l)
}

// Ranged returns a lease of c that was read, with its range, which some do not store.
func (c *Container) Ranged(ctx context.Context, l Lease) (Lease, error) {
	if c.Several && l.Window.Container == "" { // another program has created it
		l.Window.Container = c.Monitored.Container
	}
	if l.container != "" && l.container != c.Monitored.RID {
		return l, fmt.Errorf("%w: the lease %.200q is of another container %q, which was deleted since: "+
			"give the processor another name, or delete all its documents, to begin anew", ErrUnusable, l.ID, c.Monitored.Container)
	}
	if l.versions != c.Versions {
		return l, fmt.Errorf("%w: the lease %.200q is of the other mode of the change feed, latest versions or all versions and deletes: "+
			"give the processor another name", ErrUnusable, l.ID)
	}
	if l.Range != nil {
		return l, nil
	}
	physical, err := c.Physical(ctx)
	if err != nil {
		return l, err
	}
	if l.Range, err = rangeOf(physical, l.Token); err == nil {
		return l, nil
	}
	if physical, err = c.Refresh(ctx); err != nil { // from before a split
		return l, err
	}
	if l.Range, err = rangeOf(physical, l.Token); err != nil {
		return l, fmt.Errorf("%w: %w", ErrUnusable, err)
	}
	return l, nil
}

// Read implements Store: one point read.
func (c *Container) Read(ctx context.Context, id string) (Lease, error) {
	response, err := c.Leases.ReadItem(ctx, opRead, place(id))
	if err != nil {
		return Lease{}, c.failure(opRead, id, err)
	}
	c.time().read(response.RawResponse)
	return c.parse(ctx, response.Value)
}

// Replace implements Store: one write.
func (c *Container) Replace(ctx context.Context, l Lease) (Lease, error) {
	l.Time = c.time().now()
	document, err := c.Dialect.Encode(l, c.Monitored)
	if err != nil {
		return l, err
	}
	tag, err := c.write(ctx, opReplace, l.ID, func(ctx context.Context, p wire.Place) (azcosmos.ItemResponse, error) {
		return c.Leases.Client.ReplaceItem(ctx, p.Key, p.ID, document, wire.IfMatch(ctx, l.ETag))
	})
	if err != nil {
		return l, err
	}
	l.ETag, l.stored = tag, document
	return l, nil
}

// Create implements Store: one write.
func (c *Container) Create(ctx context.Context, l Lease) error {
	l.Time = c.time().now()
	document, err := c.Dialect.Encode(l, c.Monitored)
	if err != nil {
		return err
	}
	return c.createDocument(ctx, l.ID, document)
}

// createDocument stores a document, unless there is one of this id.
func (c *Container) createDocument(ctx context.Context, id string, document []byte) error {
	_, err := c.write(ctx, opCreate, id, c.creating(document))
	if errors.Is(err, wire.ErrAlreadyExists) {
		return nil
	}
	return err
}

// creating returns what sends a new document.
func (c *Container) creating(document []byte) func(context.Context, wire.Place) (azcosmos.ItemResponse, error) {
	return func(ctx context.Context, p wire.Place) (azcosmos.ItemResponse, error) {
		return c.Leases.Client.CreateItem(ctx, p.Key, document, wire.WriteOptions(ctx))
	}
}

// Delete implements Store: one write.
func (c *Container) Delete(ctx context.Context, l Lease) error {
	return c.deleteDocument(ctx, l.ID, l.ETag)
}

func (c *Container) deleteDocument(ctx context.Context, id string, unchanged azcore.ETag) error {
	_, err := c.write(ctx, opDelete, id, func(ctx context.Context, p wire.Place) (azcosmos.ItemResponse, error) {
		return c.Leases.Client.DeleteItem(ctx, p.Key, p.ID, wire.IfMatch(ctx, unchanged))
	})
	return err
}

// write sends a write once. Whoever calls it finds out by an ETag what became of one
// whose answer was lost.
func (c *Container) write(ctx context.Context, op, id string, send func(context.Context, wire.Place) (azcosmos.ItemResponse, error)) (azcore.ETag, error) {
	p := place(id)
	callCtx, done := c.Leases.Begin(ctx, p.Event(op))
	response, err := send(callCtx, p)
	if err == nil {
		err = wire.CheckWritten(response, id)
	}
	done(response.RequestCharge, err)
	if err != nil {
		return "", c.failure(op, id, err)
	}
	c.time().read(response.RawResponse)
	return response.ETag, nil
}

// failure returns the error of a request, which matches ErrChanged or ErrGone if it
// says so.
func (c *Container) failure(op, id string, err error) error {
	var response *azcore.ResponseError
	if errors.As(err, &response) {
		c.time().read(response.RawResponse)
	}
	failure := wire.NewOperationError(op, c.Leases.Type, id, "", err)
	switch {
	case failure.Status == http.StatusPreconditionFailed:
		return errors.Join(ErrChanged, failure)
	case errors.Is(failure.Kind, wire.ErrNotFound):
		return errors.Join(ErrGone, failure)
	}
	return failure
}
