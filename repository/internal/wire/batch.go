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
	Op    string // the name in errors, such as OpCreate
	ID    string
	Body  []byte // of create, replace and upsert
	Patch PatchOperations

	// Marks reports that a deletion is sent as Patch, which marks the document. Mark is the
	// JSON of the time that the patch sets.
	Marks bool
	Mark  []byte

	PatchBytes int         // the size of Patch in JSON
	Unchanged  azcore.ETag // of replace, delete and patch; empty means no condition

	// Token reports that a creation shows whether an earlier attempt of the transaction took
	// effect.
	Token bool
}

// isConditional reports whether o depends on the stored document, and not only on its
// existence.
func (o Operation) isConditional() bool {
	return o.Unchanged != "" && o.Unchanged != azcore.ETagAny || o.Patch.conditional
}

// The names of batches, and of reads of many documents, in errors and events.
const (
	OpCreate  = "create"
	OpUpsert  = "upsert"
	OpReplace = "replace"
	OpDelete  = "delete"
	OpPatch   = "patch"
	OpGet     = "get"
	OpGetMany = "get many"
)

// operationBytes is an upper bound of what an operation adds to a batch besides its body and
// its id.
const operationBytes = 150

// Size returns approximately how many bytes o adds to a batch.
func (o *Operation) Size() int { return len(o.Body) + o.PatchBytes + len(o.ID) + operationBytes }

// addTo adds o to a batch. The SDK writes ids into JSON without escapes
// (cosmos_transactional_batch.go), so addTo escapes them.
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

// Given returns the operation to send if the stored document has this ETag, or if no document
// is stored and tag is empty: an upsert becomes a creation or a replacement.
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

// SendBatch sends operations on the logical partition of p in one request. If committed is
// true, all of them took effect, otherwise none. There is a result for each operation, or none
// at all: the service may omit results from an answer without documents. full requests the
// documents.
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
		if err := backoff.Pause(ctx, attempt); err != nil { // other writers changed the fence at the same time
			return nil, false, errors.Join(failed(response, 0), err)
		}
	}
}

// failed returns the failure of operation i of a batch as the failure of a request.
func failed(response azcosmos.TransactionalBatchResponse, i int) error {
	status := int(response.OperationResults[i].StatusCode)
	return &azcore.ResponseError{StatusCode: status, ErrorCode: http.StatusText(status), RawResponse: response.RawResponse}
}

// NoOperation means that a batch failed as a whole.
const NoOperation = -1

// Culprit returns the operation that made a batch fail: the first whose status does not refer
// to another operation. It returns NoOperation if there is none.
func Culprit(results []azcosmos.TransactionalBatchResult) int {
	for i, r := range results {
		if r.StatusCode != http.StatusFailedDependency && r.StatusCode >= http.StatusBadRequest {
			return i
		}
	}
	return NoOperation
}
