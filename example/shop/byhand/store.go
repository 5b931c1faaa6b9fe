// Package byhand keeps orders and their audit log on azcosmos alone, to compare with
// package orders. It passes the same tests, and lacks what they do not ask for: keys
// are not checked for characters that the service refuses, a write whose answer is lost
// is not looked at again, pages that a proxy cuts off are not noticed, and the buckets
// of the key can be changed by an edit.
package byhand

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/example/shop/documents"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// Store keeps the orders of all tenants.
type Store struct {
	Container *azcosmos.ContainerClient
	CursorKey []byte // 32 bytes
}

// An orderItem and an entryItem are documents as the container stores them.
type (
	orderItem struct {
		documents.Order
		Type string `json:"type"`
	}
	entryItem struct {
		documents.Entry
		Type string `json:"type"`
	}
)

func orderText(o *documents.Order) ([]byte, error) {
	item := orderItem{*o, "order"}
	item.Stored, item.ETag, item.Deleted = keyText(o.TenantID, o.CustomerID), "", repository.Time{}
	return json.Marshal(item)
}

func orderFrom(text []byte, tenant, customer string) (*documents.Order, error) {
	var item orderItem
	if err := json.Unmarshal(text, &item); err != nil {
		return nil, err
	}
	if item.Type != "order" || item.TenantID != tenant || item.CustomerID != customer {
		return nil, statusError(http.StatusNotFound)
	}
	return &item.Order, nil
}

// Place stores a new order, with its entry.
func (s *Store) Place(ctx context.Context, who documents.Actor, o *documents.Order) error {
	o.TenantID, o.Status, o.Version = who.Tenant, documents.Open, 1
	o.Placed = repository.NewTime(time.Now())
	o.Stored = keyText(o.TenantID, o.CustomerID)
	text, err := orderText(o)
	if err != nil {
		return err
	}
	batch := s.Container.NewTransactionalBatch(key(o.TenantID, o.CustomerID))
	batch.CreateItem(text, nil)
	results, err := s.commit(ctx, batch, who, o.CustomerID, o.ID, "placed")
	if err == nil {
		o.ETag = string(results[0].ETag)
	}
	return err
}

// Get returns an order, unless it is deleted.
func (s *Store) Get(ctx context.Context, tenant, customer, id string) (*documents.Order, error) {
	o, err := s.read(ctx, tenant, customer, id)
	if err == nil && !o.Deleted.IsZero() {
		return nil, statusError(http.StatusNotFound)
	}
	return o, err
}

func (s *Store) read(ctx context.Context, tenant, customer, id string) (*documents.Order, error) {
	response, err := s.Container.ReadItem(ctx, key(tenant, customer), id, nil)
	if err != nil {
		return nil, err
	}
	return orderFrom(response.Value, tenant, customer)
}

// Replace stores what has become of an order, if nobody else has changed it since etag.
func (s *Store) Replace(ctx context.Context, who documents.Actor, etag string, o *documents.Order) (*documents.Order, error) {
	before, err := s.Get(ctx, who.Tenant, o.CustomerID, o.ID)
	if err != nil {
		return nil, err
	}
	before.Version++
	before.Lines, before.Total, before.Status = o.Lines, o.Total, o.Status
	text, err := orderText(before)
	if err != nil {
		return nil, err
	}
	batch := s.Container.NewTransactionalBatch(key(who.Tenant, o.CustomerID))
	batch.ReplaceItem(o.ID, text, ifMatch(etag))
	results, err := s.commit(ctx, batch, who, o.CustomerID, o.ID, "replaced")
	if err != nil {
		return nil, err
	}
	before.ETag = string(results[0].ETag)
	return before, nil
}

// SetStatus changes the status of an order, if nobody else has changed it since etag.
func (s *Store) SetStatus(ctx context.Context, who documents.Actor, customer, id, etag, status string) (*documents.Order, error) {
	if _, err := s.Get(ctx, who.Tenant, customer, id); err != nil { // it may be deleted
		return nil, err
	}
	var patch azcosmos.PatchOperations
	patch.AppendSet("/status", status)
	patch.AppendIncrement("/version", 1)
	batch := s.Container.NewTransactionalBatch(key(who.Tenant, customer))
	batch.PatchItem(id, patch, ifMatch(etag))
	batch.ReadItem(id, nil)
	results, err := s.commit(ctx, batch, who, customer, id, status)
	if err != nil {
		return nil, err
	}
	return orderFrom(results[1].ResourceBody, who.Tenant, customer)
}

// Delete marks an order as deleted, if nobody else has changed it since etag.
func (s *Store) Delete(ctx context.Context, who documents.Actor, customer, id, etag string) error {
	if _, err := s.Get(ctx, who.Tenant, customer, id); err != nil {
		return err
	}
	var patch azcosmos.PatchOperations
	patch.AppendSet("/deleted", repository.NewTime(time.Now()))
	patch.AppendSet("/ttl", 30*24*60*60)
	patch.AppendIncrement("/version", 1)
	batch := s.Container.NewTransactionalBatch(key(who.Tenant, customer))
	batch.PatchItem(id, patch, ifMatch(etag))
	_, err := s.commit(ctx, batch, who, customer, id, "deleted")
	return err
}

// Restore brings a deleted order back.
func (s *Store) Restore(ctx context.Context, who documents.Actor, customer, id string) (*documents.Order, error) {
	o, err := s.read(ctx, who.Tenant, customer, id)
	if err != nil {
		return nil, err
	}
	if o.Deleted.IsZero() {
		return nil, statusError(http.StatusPreconditionFailed)
	}
	var patch azcosmos.PatchOperations
	patch.AppendRemove("/deleted")
	patch.AppendRemove("/ttl")
	patch.AppendIncrement("/version", 1)
	batch := s.Container.NewTransactionalBatch(key(who.Tenant, customer))
	batch.PatchItem(id, patch, ifMatch(o.ETag))
	batch.ReadItem(id, nil)
	results, err := s.commit(ctx, batch, who, customer, id, "restored")
	if err != nil {
		return nil, err
	}
	return orderFrom(results[1].ResourceBody, who.Tenant, customer)
}

// commit adds an entry to a transaction, and sends both. The service answers a
// transaction that it has refused with the status of each operation.
func (s *Store) commit(ctx context.Context, batch azcosmos.TransactionalBatch, who documents.Actor, customer, order, did string) ([]azcosmos.TransactionalBatchResult, error) {
	text, err := json.Marshal(entryItem{documents.Entry{
		ID: "e-" + rand.Text(), TenantID: who.Tenant, CustomerID: customer, OrderID: order,
		At: repository.NewTime(time.Now()), By: who.User, Did: did, Stored: keyText(who.Tenant, customer),
	}, "entry"})
	if err != nil {
		return nil, err
	}
	batch.CreateItem(text, nil)
	response, err := s.Container.ExecuteTransactionalBatch(ctx, batch, nil)
	if err != nil {
		return nil, err
	}
	return response.OperationResults, refusal(response)
}

// refusal returns why a transaction was refused, or nil.
func refusal(response azcosmos.TransactionalBatchResponse) error {
	for _, result := range response.OperationResults {
		if result.StatusCode >= 400 && result.StatusCode != http.StatusFailedDependency {
			return statusError(int(result.StatusCode))
		}
	}
	return nil
}

func statusError(status int) error {
	return &azcore.ResponseError{StatusCode: status}
}

func ifMatch(etag string) *azcosmos.TransactionalBatchItemOptions {
	tag := azcore.ETag(etag)
	return &azcosmos.TransactionalBatchItemOptions{IfMatchETag: &tag}
}
