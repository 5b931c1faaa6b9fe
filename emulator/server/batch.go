package server

import (
	"encoding/json"
	"errors"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/header"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
)

// maxBatch is the most operations of a transactional batch ("Transactional batch operations in
// Azure Cosmos DB").
const maxBatch = 100

// batchOperations are the operations that a batch may have, by their names in a batch.
var batchOperations = map[string]store.ActionKind{
	"Create": store.Create, "Upsert": store.Upsert, "Read": store.Read,
	"Replace": store.Replace, "Delete": store.Delete, "Patch": store.PatchItem,
}

// batchItem is one operation of a batch as a client sends it.
type batchItem struct {
	OperationType string          `json:"operationType"`
	ID            string          `json:"id"`
	IfMatch       string          `json:"ifMatch"`
	IfNoneMatch   string          `json:"ifNoneMatch"`
	PartitionKey  json.RawMessage `json:"partitionKey"`
	Body          json.RawMessage `json:"resourceBody"`
}

// batchResult is the result of one operation.
type batchResult struct {
	Status int             `json:"statusCode"`
	Charge float64         `json:"requestCharge"`
	ETag   string          `json:"eTag,omitempty"`
	Body   json.RawMessage `json:"resourceBody,omitempty"`
	// Substatus and Retry, in milliseconds, are only for bulk requests.
	Substatus int   `json:"subStatusCode,omitempty"`
	Retry     int64 `json:"retryAfterMilliseconds,omitempty"`
}

// executeBatch runs the operations of a transactional batch in one logical partition, all or
// none. If an operation fails, the status is 207: the result of that operation has the status
// of the failure, and the other results have 424.
func (s *Server) executeBatch(call *call) (*reply, error) {
	c, err := s.replica(call)
	if err != nil {
		return nil, err
	}
	items, err := batchItems(call.body)
	if err != nil {
		return nil, err
	}
	if text := call.Header.Get("X-Ms-Cosmos-Batch-Atomic"); text != "" && !header.IsTrue(call.Header, "X-Ms-Cosmos-Batch-Atomic") {
		return s.executeBulk(call, c, items)
	}
	k, err := c.ItemKey(call.Header.Get(header.PartitionKey))
	if err != nil {
		return nil, err
	}
	var answer *reply
	err = c.Transact(k, call.now, false, func(t *store.Transaction) error {
		err := call.admit(c, t.Range)
		if err == nil {
			answer, err = call.runBatch(t, items, k, wantsMinimal(call.Header))
		}
		return err
	})
	return answer, err
}

// batchItems reads the operations of a batch.
func batchItems(body []byte) ([]batchItem, error) {
	var items []batchItem
	if err := json.Unmarshal(body, &items); err != nil {
		return nil, status.BadRequest("The batch is invalid: %v. It is an array of operations.", err)
	}
	if len(items) == 0 {
		return nil, status.BadRequest("The batch has no operations.")
	}
	if len(items) > maxBatch {
		return nil, status.BadRequest("Batch request has more operations than what is supported: %d, and the limit is %d.", len(items), maxBatch)
	}
	return items, nil
}

// runBatch runs the operations one after another and answers with their results.
func (c *call) runBatch(t *store.Transaction, items []batchItem, k *store.Key, minimal bool) (*reply, error) {
	results := make([]batchResult, len(items))
	charge := 0.0
	for i, item := range items {
		done, err := c.batchAction(t, item, k)
		if err != nil {
			t.Rollback()
			return failedBatch(t, results, i, charge, err)
		}
		charge += done.Charge
		results[i] = resultOf(item, done, minimal)
	}
	return batchReply(t, status.OK, charge, results), nil
}

// resultOf is the result of a successful operation.
func resultOf(item batchItem, done store.Outcome, minimal bool) batchResult {
	result := batchResult{Status: done.Status, Charge: done.Charge, ETag: done.Document.ETag()}
	switch kind := batchOperations[item.OperationType]; {
	case kind == store.Delete:
		result.ETag = ""
	case kind == store.Read && done.Status == status.OK, kind != store.Read && !minimal:
		result.Body = done.Document.Raw
	}
	return result
}

// batchAction runs one operation.
func (c *call) batchAction(t *store.Transaction, item batchItem, k *store.Key) (store.Outcome, error) {
	kind, ok := batchOperations[item.OperationType]
	if !ok {
		return store.Outcome{}, status.BadRequest("The operation type %q of a batch is invalid.", item.OperationType)
	}
	if err := sameKey(t.Container, item, k); err != nil {
		return store.Outcome{}, err
	}
	if item.ID == "" && kind != store.Create && kind != store.Upsert {
		return store.Outcome{}, status.BadRequest("The operation %s of a batch has no id.", item.OperationType)
	}
	a := &store.Action{Kind: kind, Key: k, ID: item.ID, IfMatch: item.IfMatch, IfNoneMatch: item.IfNoneMatch}
	if err := c.readBody(t.Container, a, item.Body); err != nil {
		return store.Outcome{}, err
	}
	return t.Perform(a)
}

// failedBatch is the response to a batch whose operation i failed.
func failedBatch(t *store.Transaction, results []batchResult, i int, charge float64, err error) (*reply, error) {
	var f *status.Error
	if !errors.As(err, &f) {
		return nil, err
	}
	for j := range results {
		results[j] = batchResult{Status: status.FailedDependency}
	}
	results[i] = batchResult{Status: f.Status, Charge: chargeOf(nil, f)}
	answer := batchReply(t, status.MultiStatus, charge+chargeOf(nil, f), results)
	answer.substatus = f.Substatus
	return answer, nil
}

func batchReply(t *store.Transaction, status int, charge float64, results []batchResult) *reply {
	body, err := json.Marshal(results)
	if err != nil { // only numbers, strings, and JSON that was parsed before
		panic("emulator: " + err.Error())
	}
	return transactionReply(t, status, charge, body)
}
