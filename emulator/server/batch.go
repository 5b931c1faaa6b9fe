package server

import (
	"encoding/json"
	"errors"
)

// maxBatch is how many operations a transactional batch may have
// ("Transactional batch operations in Azure Cosmos DB").
const maxBatch = 100

// batchOperations are the operations that a batch may have, by their names in a batch.
var batchOperations = map[string]actionKind{
	"Create": createItem, "Upsert": upsertItem, "Read": readItem,
	"Replace": replaceItem, "Delete": deleteItem, "Patch": patchItem,
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
}

// executeBatch runs the operations of a transactional batch on one logical partition,
// all of them or none. If an operation fails, the answer is 207: the result of that
// operation has the status of the failure, and the other results have 424.
func (s *Server) executeBatch(call *call) (*reply, error) {
	c, err := s.container(call)
	if err != nil {
		return nil, err
	}
	if text := call.Header.Get("x-ms-cosmos-batch-atomic"); text != "" && !isTrue(call.Header, "x-ms-cosmos-batch-atomic") {
		return nil, unsupported("bulk requests, which are batches that are not atomic")
	}
	k, err := c.itemKey(call.Header.Get(headerPartitionKey))
	if err != nil {
		return nil, err
	}
	var items []batchItem
	if err := json.Unmarshal(call.body, &items); err != nil {
		return nil, badRequest("The batch is invalid: %v. It is an array of operations.", err)
	}
	if len(items) == 0 {
		return nil, badRequest("The batch has no operations.")
	}
	if len(items) > maxBatch {
		return nil, badRequest("Batch request has more operations than what is supported: %d, and the limit is %d.", len(items), maxBatch)
	}
	var answer *reply
	err = c.transact(k, call.now, false, func(t *transaction) error {
		err := call.admit(c, t.r)
		if err == nil {
			answer, err = runBatch(t, items, k, wantsMinimal(call.Header))
		}
		return err
	})
	return answer, err
}

// runBatch runs the operations one after another and answers with their results.
func runBatch(t *transaction, items []batchItem, k *key, minimal bool) (*reply, error) {
	results := make([]batchResult, len(items))
	charge := 0.0
	for i, item := range items {
		done, err := batchAction(t, item, k)
		if err != nil {
			t.rollback()
			return failedBatch(t, results, i, charge, err)
		}
		charge += done.charge
		results[i] = batchResult{Status: done.status, Charge: done.charge, ETag: done.doc.etag}
		switch kind := batchOperations[item.OperationType]; {
		case kind == deleteItem:
			results[i].ETag = ""
		case kind == readItem && done.status == statusOK, kind != readItem && !minimal:
			results[i].Body = done.doc.raw
		}
	}
	return batchReply(t, statusOK, charge, results), nil
}

// batchAction runs one operation.
func batchAction(t *transaction, item batchItem, k *key) (outcome, error) {
	kind, ok := batchOperations[item.OperationType]
	if !ok {
		return outcome{}, badRequest("The operation type %q of a batch is invalid.", item.OperationType)
	}
	if item.PartitionKey != nil {
		return outcome{}, unsupported("batches with a partition key for each operation")
	}
	if item.ID == "" && kind != createItem && kind != upsertItem {
		return outcome{}, badRequest("The operation %s of a batch has no id.", item.OperationType)
	}
	a := &action{kind: kind, key: k, id: item.ID, ifMatch: item.IfMatch, ifNoneMatch: item.IfNoneMatch}
	if err := readBody(t.c, a, item.Body); err != nil {
		return outcome{}, err
	}
	return t.perform(a)
}

// failedBatch answers for a batch whose operation i failed.
func failedBatch(t *transaction, results []batchResult, i int, charge float64, err error) (*reply, error) {
	var f *failure
	if !errors.As(err, &f) {
		return nil, err
	}
	for j := range results {
		results[j] = batchResult{Status: statusFailedDependency}
	}
	results[i] = batchResult{Status: f.status, Charge: chargeOf(nil, f)}
	answer := batchReply(t, statusMultiStatus, charge+chargeOf(nil, f), results)
	answer.substatus = f.substatus
	return answer, nil
}

func batchReply(t *transaction, status int, charge float64, results []batchResult) *reply {
	body, err := json.Marshal(results)
	if err != nil { // only numbers, strings, and JSON that was parsed before
		panic("emulator: " + err.Error())
	}
	return transactionReply(t, status, charge, body)
}
