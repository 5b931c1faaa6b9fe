package server

import (
	"encoding/json"
	"errors"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/header"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
)

// executeBulk runs the operations of a bulk request, a batch that is not atomic: each in its
// own logical partition. SDKs name the physical partition, and an operation for another one
// gets 410. The response has a status for each operation, and is 207 if one failed. If the
// client asks not to continue, the operations after the first failure get 424.
func (s *Server) executeBulk(call *call, c *store.Container, items []batchItem) (*reply, error) {
	rangeID := header.RangeID(call.Header)
	err := c.Read(call.now, func() error {
		if rangeID == "" {
			return nil
		}
		_, err := c.RangeByID(rangeID)
		return err
	})
	if err != nil {
		return nil, err
	}
	call.entry.Range = rangeID
	goOn := call.Header.Get("X-Ms-Cosmos-Batch-Continue-On-Error") == "" || header.IsTrue(call.Header, "X-Ms-Cosmos-Batch-Continue-On-Error")
	minimal := wantsMinimal(call.Header)
	results := make([]batchResult, len(items))
	answer := &reply{status: status.OK, header: map[string]string{}}
	stopped := false
	for i, item := range items {
		if stopped {
			results[i] = batchResult{Status: status.FailedDependency}
			continue
		}
		results[i], err = bulkResult(call, c, item, rangeID, minimal, answer)
		if err != nil {
			return nil, err
		}
		answer.charge += results[i].Charge
		if results[i].Status >= status.CodeBadRequest {
			answer.status = status.MultiStatus
			stopped = !goOn
		}
	}
	answer.body = store.MustJSON(results)
	return answer, nil
}

// bulkResult runs one operation of a bulk request, and takes its charge from the budget of the
// physical partition. An error is the server's own, not that of the request.
func bulkResult(call *call, c *store.Container, item batchItem, rangeID string, minimal bool, answer *reply) (batchResult, error) {
	k, err := bulkKey(c, item)
	if err != nil {
		return failedResult(err)
	}
	var result batchResult
	readOnly := batchOperations[item.OperationType] == store.Read
	err = c.Transact(k, call.now, readOnly, func(t *store.Transaction) error {
		if rangeID != "" && t.Range.ID != rangeID {
			return status.RangeIsGone(rangeID)
		}
		if wait := t.Range.Budget.Admit(call.now, c.Rate()); wait > 0 {
			return status.Throttle(wait)
		}
		if err := call.covered(t.Range); err != nil {
			return err
		}
		done, err := call.batchAction(t, item, k)
		if err != nil {
			t.Range.Budget.Spend(chargeOf(nil, err))
			return err
		}
		t.Range.Budget.Spend(done.Charge)
		result = resultOf(item, done, minimal)
		answer.header["x-ms-session-token"] = t.Range.SessionToken()
		answer.header["x-ms-documentdb-partitionkeyrangeid"] = t.Range.ID
		return nil
	})
	if err != nil {
		return failedResult(err)
	}
	return result, nil
}

// failedResult is the result of a failed operation of a bulk request.
func failedResult(err error) (batchResult, error) {
	var f *status.Error
	if !errors.As(err, &f) {
		return batchResult{}, err
	}
	return batchResult{Status: f.Status, Substatus: f.Substatus, Charge: chargeOf(nil, f), Retry: f.RetryAfter.Milliseconds()}, nil
}

// bulkKey returns the partition key of an operation. SDKs send the array as a string.
func bulkKey(c *store.Container, item batchItem) (*store.Key, error) {
	if item.PartitionKey == nil {
		return nil, status.BadRequest("The operation %s of a bulk request has no partitionKey.", item.OperationType)
	}
	text := string(item.PartitionKey)
	var inner string
	if json.Unmarshal(item.PartitionKey, &inner) == nil {
		text = inner
	}
	return c.ItemKey(text)
}

// sameKey refuses an operation whose partition key is not that of its batch.
func sameKey(c *store.Container, item batchItem, k *store.Key) error {
	if item.PartitionKey == nil {
		return nil
	}
	own, err := bulkKey(c, item)
	if err == nil && own.Text != k.Text {
		err = status.BadRequest("The operation %s of a batch names the partition key %s, and the batch %s.", item.OperationType, own.Text, k.Text)
	}
	return err
}
