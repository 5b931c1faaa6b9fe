// Package orders keeps orders and their audit log, by the code that pkgen has generated.
// Package byhand does the same without it.
package orders

import (
	"context"
	"crypto/rand"
	"fmt"
	"iter"
	"time"

	pkgen "github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/example/shop/documents"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// Store keeps the orders of all tenants.
type Store struct {
	Orders  *documents.OrderRepository
	Entries *documents.EntryRepository
}

// Place stores a new order, with its entry.
func (s *Store) Place(ctx context.Context, who documents.Actor, o *documents.Order) error {
	o.TenantID, o.Status = who.Tenant, documents.Open
	o.Placed = repository.NewTime(time.Now())
	tx := repository.NewTransaction()
	if err := s.Orders.For(who.Tenant).In(tx).Create(o); err != nil {
		return err
	}
	return s.commit(ctx, tx, who, o.CustomerID, o.ID, "placed")
}

// Get returns an order. It costs one point read.
func (s *Store) Get(ctx context.Context, tenant, customer, id string) (*documents.Order, error) {
	mine := s.Orders.For(tenant)
	return mine.Get(ctx, mine.Key(id, customer))
}

// List returns a page of a tenant's orders, latest first. It costs a request for each
// physical partition that has some of them. It does not read the index, which is a moment
// late: who has just placed an order looks for it in the list.
func (s *Store) List(ctx context.Context, tenant, status, cursor string, size int) ([]*documents.Order, string, error) {
	query := s.Orders.For(tenant).Scan()
	if status != "" {
		query = query.Where(documents.OrderFields.Status.Eq(status))
	}
	page, err := query.OrderBy(documents.OrderFields.Placed.Desc()).Page(ctx, cursor, size)
	return page.Items, page.Cursor, err
}

// Replace stores the lines and the status of an order, if nobody else has changed it since
// etag, and returns what has become of it.
func (s *Store) Replace(ctx context.Context, who documents.Actor, etag string, o *documents.Order) (*documents.Order, error) {
	patch := documents.OrderPatch
	return s.change(ctx, who, o.CustomerID, o.ID, etag, "replaced",
		patch.Lines.Set(o.Lines), patch.Total.Set(o.Total), patch.Status.Set(o.Status))
}

// SetStatus changes the status of an order, if nobody else has changed it since etag.
func (s *Store) SetStatus(ctx context.Context, who documents.Actor, customer, id, etag, status string) (*documents.Order, error) {
	return s.change(ctx, who, customer, id, etag, status, documents.OrderPatch.Status.Set(status))
}

// change patches an order, and reads it as it is then. It reads nothing before it writes;
// the patch also counts the version.
func (s *Store) change(ctx context.Context, who documents.Actor, customer, id, etag, did string, operations ...repository.PatchOperation[documents.Order]) (*documents.Order, error) {
	mine := s.Orders.For(who.Tenant)
	key := mine.Key(id, customer)
	tx := repository.NewTransaction()
	if err := mine.In(tx).PatchIf(key, documents.OrderFields.ETag.Eq(etag), operations...); err != nil {
		return nil, err
	}
	changed, err := mine.In(tx).Get(key)
	if err != nil {
		return nil, err
	}
	if err := s.commit(ctx, tx, who, customer, id, did); err != nil {
		return nil, err
	}
	return changed.Doc()
}

// Delete marks an order as deleted, if nobody else has changed it since etag. Nobody finds
// it any more, until it is restored. Its entries stay.
func (s *Store) Delete(ctx context.Context, who documents.Actor, customer, id, etag string) error {
	o := &documents.Order{ID: id, TenantID: who.Tenant, CustomerID: customer, ETag: etag}
	tx := repository.NewTransaction()
	if err := s.Orders.For(who.Tenant).In(tx).DeleteIfMatch(o); err != nil {
		return err
	}
	return s.commit(ctx, tx, who, customer, id, "deleted")
}

// Restore brings a deleted order back.
func (s *Store) Restore(ctx context.Context, who documents.Actor, customer, id string) (*documents.Order, error) {
	mine := s.Orders.For(who.Tenant)
	key := mine.Key(id, customer)
	tx := repository.NewTransaction()
	if err := mine.In(tx).Restore(ctx, key); err != nil {
		return nil, err
	}
	restored, err := mine.In(tx).Get(key)
	if err != nil {
		return nil, err
	}
	if err := s.commit(ctx, tx, who, customer, id, "restored"); err != nil {
		return nil, err
	}
	return restored.Doc()
}

// commit adds an entry to a transaction, and sends both.
func (s *Store) commit(ctx context.Context, tx *repository.Transaction, who documents.Actor, customer, order, did string) error {
	entry := &documents.Entry{
		ID: documents.EntryIDPrefix + rand.Text(), TenantID: who.Tenant, CustomerID: customer, OrderID: order,
		By: who.User, Did: did,
	}
	if err := s.Entries.For(who.Tenant).In(tx).Create(entry); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// Log returns the entries of an order, the oldest first.
func (s *Store) Log(ctx context.Context, tenant, customer, order string) ([]*documents.Entry, error) {
	return s.Entries.For(tenant).ByCustomerID(customer).
		Where(documents.EntryFields.OrderID.Eq(order)).
		OrderBy(documents.EntryFields.At.Asc()).
		Collect(ctx)
}

// Import stores orders as they are, a hundred in a request, and returns how many it has
// stored. It writes no entries. What was not stored is in the error.
func (s *Store) Import(ctx context.Context, tenant string, orders iter.Seq2[*documents.Order, error]) (int, error) {
	summary, err := s.Orders.For(tenant).CreateAll(orders, pkgen.InBatches()).Collect(ctx)
	if err != nil {
		err = fmt.Errorf("%d of %d orders were not stored: %w", summary.Failed, summary.Items, err)
	}
	return summary.Items - summary.Failed, err
}
