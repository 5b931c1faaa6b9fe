package wire

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/backoff"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// Limits of a transactional batch, from "Service quotas and default limits" of
// Azure Cosmos DB. The SDK does not check them.
const (
	MaxBatchOperations = 100
	MaxBatchBytes      = 2 << 20
)

// Operation is one operation of a transactional batch.
type Operation struct {
	Op    string // as errors name it, such as OpCreate
	ID    string
	Body  []byte // of create, replace and upsert
	Patch PatchOperations

	// Marks says of a deletion that it is sent as Patch, which marks the document. Mark is
	// the JSON of the time that it sets.
	Marks bool
	Mark  []byte

	PatchBytes int         // the size of Patch in JSON
	Unchanged  azcore.ETag // of replace, delete and patch; empty is no condition

	// Token says of a creation that it tells whether the transaction has taken effect before.
	Token bool
}

// isConditional reports whether o depends on what is stored, and not only on whether there is a
// document.
func (o Operation) isConditional() bool {
	return o.Unchanged != "" && o.Unchanged != azcore.ETagAny || o.Patch.conditional
}

// The operations of a batch, and that which reads many documents, as errors and events
// name them.
const (
	OpCreate  = "create"
	OpUpsert  = "upsert"
	OpReplace = "replace"
	OpDelete  = "delete"
	OpPatch   = "patch"
	OpGet     = "get"
	OpGetMany = "get many"
)

// operationBytes is more than an operation adds to a batch in addition to its body and
// its id.
const operationBytes = 150

// Size returns about how many bytes o adds to a batch.
func (o *Operation) Size() int { return len(o.Body) + o.PatchBytes + len(o.ID) + operationBytes }

// addTo adds o to a batch. The SDK writes ids into JSON as they are
// (cosmos_transactional_batch.go), so that they have to be escaped here.
func (o *Operation) addTo(b *azcosmos.TransactionalBatch) {
	id := strings.TrimSuffix(strings.TrimPrefix(text.Quote(o.ID), `"`), `"`)
	var options *azcosmos.TransactionalBatchItemOptions
	if o.Unchanged != "" {
		options = &azcosmos.TransactionalBatchItemOptions{IfMatchETag: &o.Unchanged}
	}
	if o.Marks {
		b.PatchItem(id, o.Patch.SDK(), options)
		return
	}
	switch o.Op {
	case OpCreate:
		b.CreateItem(o.Body, nil)
	case OpUpsert:
		b.UpsertItem(o.Body, nil)
	case OpReplace:
		b.ReplaceItem(id, o.Body, options)
	case OpDelete:
		b.DeleteItem(id, options)
	case OpPatch:
		b.PatchItem(id, o.Patch.SDK(), options)
	case OpGet:
		b.ReadItem(id, nil)
	default:
		panic("repository: no operation of a batch: " + o.Op)
	}
}

// Given returns o as it is sent where the stored document has this ETag, or where no
// document is stored, if that is empty: an upsert creates or replaces.
func (o Operation) Given(tag azcore.ETag) Operation {
	switch {
	case o.Op == OpUpsert && tag == "":
		o.Op = OpCreate
	case o.Op == OpUpsert:
		o.Op = OpReplace
	}
	o.Unchanged = tag
	return o
}

// SendBatch sends operations on the logical partition of p: one request. All of them
// take effect, and committed is true, or none does. There is a result for each one, or
// no result at all: the service may leave them out of an answer without documents.
// Full asks for the documents.
func (c *Container) SendBatch(ctx context.Context, op string, p Place, operations []Operation, full bool) (results []azcosmos.TransactionalBatchResult, committed bool, err error) {
	fence, n := c.fence(ctx), len(operations)
	if fence != nil {
		operations = fence.around(operations)
	}
	for attempt := 1; ; attempt++ {
		callCtx, done := c.Begin(ctx, Event{Op: op, PartitionKey: p.Name})
		response, err := c.execute(callCtx, p.Key, operations, full)
		done(response.RequestCharge, err)
		switch {
		case err != nil:
			return nil, false, err
		case len(response.OperationResults) != len(operations):
			return nil, response.Success, nil
		case fence == nil:
			return response.OperationResults, response.Success, nil
		case fence.refuses(response, attempt):
			return nil, false, ErrFenced
		case Culprit(response.OperationResults) != 0 || response.Success:
			return response.OperationResults[1 : 1+n], response.Success, nil
		}
		if err := backoff.Pause(ctx, attempt); err != nil { // others write the fence at the same time
			return nil, false, errors.Join(failed(response, 0), err)
		}
	}
}

// failed returns the failure of operation i of a batch as that of a request.
func failed(response azcosmos.TransactionalBatchResponse, i int) error {
	status := int(response.OperationResults[i].StatusCode)
	return &azcore.ResponseError{StatusCode: status, ErrorCode: http.StatusText(status), RawResponse: response.RawResponse}
}

// NoOperation says that a batch failed as a whole.
const NoOperation = -1

// Culprit returns which operation made a batch fail: the first that does not say
// that another one did. It returns NoOperation if none does.
func Culprit(results []azcosmos.TransactionalBatchResult) int {
	for i, r := range results {
		if r.StatusCode != http.StatusFailedDependency && r.StatusCode >= http.StatusBadRequest {
			return i
		}
	}
	return NoOperation
}
