package wire

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// Stay is the container to which the requests of one operation of a tenant go, of a type
// whose tenants live where a directory says.
type Stay struct {
	Client *azcosmos.ContainerClient

	// Fence is nil while writes need none.
	Fence *Fence
}

// Fence has the operations that a write carries while the documents of its logical
// partition are copied to another container: all of a batch take effect, or none does.
type Fence struct {
	// Patch fails unless writes are taken here. It is the first operation of a batch, so
	// that its failure is the one that the answer names.
	Patch Operation

	// Tombstone notes that the document of an id was deleted, for those who copy.
	Tombstone func(id string) Operation
}

// ErrFenced is the error of a write that the fence has kept from taking effect.
var ErrFenced = errors.New("no writes are taken in this container: the tenant has moved, or is about to")

type stayKey struct{}

// WithStay returns the context of an operation whose requests go to a container.
func WithStay(ctx context.Context, s *Stay) context.Context {
	return context.WithValue(ctx, stayKey{}, s)
}

// errNoStay is why an operation on the documents of all tenants is not sent.
var errNoStay = errors.New("its tenants live in several containers: call the method For of the repository, for one tenant")

// stay returns where the requests of a context go, nil if that is the container itself.
func (c *Container) stay(ctx context.Context) *Stay {
	if !c.Resident {
		return nil
	}
	s, ok := ctx.Value(stayKey{}).(*Stay)
	if !ok {
		panic("repository: a request of type " + c.Type + " is not of one tenant") // Join refuses the operation
	}
	return s
}

// Target returns the container to which the requests of a context go.
func (c *Container) Target(ctx context.Context) *azcosmos.ContainerClient {
	if s := c.stay(ctx); s != nil {
		return s.Client
	}
	return c.Client
}

// fence returns the fence of a context's writes, nil if they need none.
func (c *Container) fence(ctx context.Context) *Fence {
	if s := c.stay(ctx); s != nil {
		return s.Fence
	}
	return nil
}

// IsFenced reports whether the writes of a context are sent as batches.
func (c *Container) IsFenced(ctx context.Context) bool { return c.fence(ctx) != nil }

// CreateItem is that of azcosmos.
func (c *Container) CreateItem(ctx context.Context, key azcosmos.PartitionKey, body []byte, o *azcosmos.ItemOptions) (azcosmos.ItemResponse, error) {
	if f := c.fence(ctx); f != nil {
		return c.fenced(ctx, f, key, Operation{Op: OpCreate, Body: body}, o)
	}
	return c.Target(ctx).CreateItem(ctx, key, body, o)
}

// UpsertItem is that of azcosmos.
func (c *Container) UpsertItem(ctx context.Context, key azcosmos.PartitionKey, body []byte, o *azcosmos.ItemOptions) (azcosmos.ItemResponse, error) {
	if f := c.fence(ctx); f != nil {
		return c.fenced(ctx, f, key, Operation{Op: OpUpsert, Body: body}, o)
	}
	return c.Target(ctx).UpsertItem(ctx, key, body, o)
}

// ReplaceItem is that of azcosmos.
func (c *Container) ReplaceItem(ctx context.Context, key azcosmos.PartitionKey, id string, body []byte, o *azcosmos.ItemOptions) (azcosmos.ItemResponse, error) {
	if f := c.fence(ctx); f != nil {
		return c.fenced(ctx, f, key, Operation{Op: OpReplace, ID: id, Body: body}, o)
	}
	return c.Target(ctx).ReplaceItem(ctx, key, id, body, o)
}

// DeleteItem is that of azcosmos.
func (c *Container) DeleteItem(ctx context.Context, key azcosmos.PartitionKey, id string, o *azcosmos.ItemOptions) (azcosmos.ItemResponse, error) {
	if f := c.fence(ctx); f != nil {
		return c.fenced(ctx, f, key, Operation{Op: OpDelete, ID: id}, o)
	}
	return c.Target(ctx).DeleteItem(ctx, key, id, o)
}

// PatchItem is that of azcosmos.
func (c *Container) PatchItem(ctx context.Context, key azcosmos.PartitionKey, id string, operations azcosmos.PatchOperations, o *azcosmos.ItemOptions) (azcosmos.ItemResponse, error) {
	if f := c.fence(ctx); f != nil {
		return c.fenced(ctx, f, key, Operation{Op: OpPatch, ID: id, Patch: operations}, o)
	}
	return c.Target(ctx).PatchItem(ctx, key, id, operations, o)
}

// around returns operations with those of the fence. Each id that is deleted in the end
// has a tombstone; a document that is marked as deleted is copied as it is.
func (f *Fence) around(operations []Operation) []Operation {
	all := append([]Operation{f.Patch}, operations...)
	for i := range operations {
		id := operations[i].ID
		if operations[i].Op == OpDelete && !operations[i].Marks && !slices.ContainsFunc(operations[i+1:], func(o Operation) bool { return o.ID == id && o.Op != OpGet }) {
			all = append(all, f.Tombstone(id))
		}
	}
	return all
}

// refuses reports whether a batch has failed because of the fence, and not because others
// wrote the fence at the same time, which may last.
func (f *Fence) refuses(response azcosmos.TransactionalBatchResponse, attempt int) bool {
	return !response.Success && Culprit(response.OperationResults) == 0 &&
		(attempt == backoff.MaxAttempts || !isBusy(int(response.OperationResults[0].StatusCode)))
}

// isBusy reports whether a status says that an operation failed because the service was
// busy, and not because of what is stored.
func isBusy(status int) bool {
	return status == http.StatusTooManyRequests || status == StatusRetryWith
}

// fenced sends one write with the fence, as a batch of one request. Its answer is that of
// the write.
func (c *Container) fenced(ctx context.Context, f *Fence, key azcosmos.PartitionKey, o Operation, options *azcosmos.ItemOptions) (azcosmos.ItemResponse, error) {
	full := false
	if options != nil {
		full = options.EnableContentResponseOnWrite
		if options.IfMatchEtag != nil {
			o.Unchanged = *options.IfMatchEtag
		}
	}
	if o.ID == "" {
		_ = json.Unmarshal(text.Member(o.Body, IDPath[0]), &o.ID) // which was written by this program
	}
	operations := f.around([]Operation{o})
	for attempt := 1; ; attempt++ {
		response, err := c.execute(ctx, key, operations, full)
		answer := azcosmos.ItemResponse{Response: azcosmos.Response{RequestCharge: response.RequestCharge, ActivityID: response.ActivityID}}
		switch bad := Culprit(response.OperationResults); {
		case err != nil:
			return answer, err
		case response.Success:
			if len(response.OperationResults) == len(operations) {
				answer.ETag, answer.Value = response.OperationResults[1].ETag, response.OperationResults[1].ResourceBody
			}
			return answer, nil
		case bad == NoOperation && full:
			return answer, errors.New("the service has rolled the write back, and does not say why")
		case bad == NoOperation:
			full = true // another answer may say why
		case f.refuses(response, attempt):
			return answer, ErrFenced
		default:
			failure := failed(response, bad)
			if attempt == backoff.MaxAttempts || !isBusy(StatusOf(failure)) {
				return answer, failure
			}
			if err := backoff.Pause(ctx, attempt); err != nil {
				return answer, errors.Join(failure, err)
			}
		}
	}
}

// execute sends a batch.
func (c *Container) execute(ctx context.Context, key azcosmos.PartitionKey, operations []Operation, full bool) (azcosmos.TransactionalBatchResponse, error) {
	client, demanded := c.Target(ctx), OptionsOf(ctx)
	b := client.NewTransactionalBatch(key)
	for i := range operations {
		operations[i].addTo(&b)
	}
	response, err := client.ExecuteTransactionalBatch(ctx, b, &azcosmos.TransactionalBatchOptions{
		EnableContentResponseOnWrite: full, PriorityLevel: demanded.Priority, ThroughputBucket: demanded.Bucket,
	})
	if err = Unparsed(err); err == nil && response.Success {
		err = checkCommitted(response, operations, full)
	}
	return response, err
}
