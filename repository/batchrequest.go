package repository

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// Limits of a transactional batch, from "Service quotas and default limits" of
// Azure Cosmos DB. The SDK does not check them.
const (
	maxBatchOperations = 100
	maxBatchBytes      = 2 << 20
)

// batchOperation is one operation of a transactional batch.
type batchOperation struct {
	op    string // as errors name it: opCreate and the like
	id    string
	body  []byte // of create, replace and upsert
	patch azcosmos.PatchOperations

	patchBytes int         // size of the patch
	unchanged  azcore.ETag // of replace, delete and patch; empty is no condition
}

// The operations of a batch.
const (
	opCreate  = "create"
	opUpsert  = "upsert"
	opReplace = "replace"
	opDelete  = "delete"
	opPatch   = "patch"
	opGet     = "get"
)

// operationBytes is more than an operation adds to a batch beside its body and
// its id.
const operationBytes = 150

// size returns about how many bytes o adds to a batch.
func (o *batchOperation) size() int { return len(o.body) + o.patchBytes + len(o.id) + operationBytes }

// addTo adds o to a batch. The SDK writes ids into JSON as they are
// (cosmos_transactional_batch.go), so that they have to be escaped here.
func (o *batchOperation) addTo(b *azcosmos.TransactionalBatch) {
	id := strings.TrimSuffix(strings.TrimPrefix(text.Quote(o.id), `"`), `"`)
	var options *azcosmos.TransactionalBatchItemOptions
	if o.unchanged != "" {
		options = &azcosmos.TransactionalBatchItemOptions{IfMatchETag: &o.unchanged}
	}
	switch o.op {
	case opCreate:
		b.CreateItem(o.body, nil)
	case opUpsert:
		b.UpsertItem(o.body, nil)
	case opReplace:
		b.ReplaceItem(id, o.body, options)
	case opDelete:
		b.DeleteItem(id, options)
	case opPatch:
		b.PatchItem(id, o.patch, options)
	case opGet:
		b.ReadItem(id, nil)
	default:
		panic("repository: no operation of a batch: " + o.op)
	}
}

// sendBatch sends operations on one logical partition, that of p, once. All take
// effect, and committed is true, or none does. There is a result for each, or
// none where the service sends none: it may leave them out of an answer without
// documents, which full asks for.
func (s *store) sendBatch(ctx context.Context, op string, p place, operations []batchOperation, full bool) (results []azcosmos.TransactionalBatchResult, committed bool, err error) {
	b := s.container.NewTransactionalBatch(p.key)
	for i := range operations {
		operations[i].addTo(&b)
	}
	callCtx, done := s.begin(ctx, Event{Op: op, PartitionKey: p.name})
	response, err := s.container.ExecuteTransactionalBatch(callCtx, b, &azcosmos.TransactionalBatchOptions{
		EnableContentResponseOnWrite: full,
		PriorityLevel:                demandsOf(ctx).priority,
	})
	if err = unparsed(err); err == nil && response.Success {
		err = checkCommitted(response, operations, full)
	}
	done(response.RequestCharge, err)
	if err != nil {
		return nil, false, err
	}
	if len(response.OperationResults) != len(operations) {
		return nil, response.Success, nil
	}
	return response.OperationResults, response.Success, nil
}

// noOperation says that a batch failed as a whole.
const noOperation = -1

// culprit returns which operation made a batch fail: the first that does not say
// that another one did. It returns noOperation if none does.
func culprit(results []azcosmos.TransactionalBatchResult) int {
	for i, r := range results {
		if r.StatusCode != http.StatusFailedDependency && r.StatusCode >= http.StatusBadRequest {
			return i
		}
	}
	return noOperation
}

// rejected returns the error of an operation that made a batch fail.
func rejected(op, typ, id, key string, status int) *Error {
	e := requestError(op, typ, id, key, &azcore.ResponseError{StatusCode: status, ErrorCode: http.StatusText(status)})
	if e.kind == nil { // the error of azcore would miss the response
		e.Err = fmt.Errorf("status %d: %s", status, http.StatusText(status))
	}
	return e
}
