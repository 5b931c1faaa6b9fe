package byhand

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"golang.org/x/sync/errgroup"

	"github.com/cosmos-pkgen/pkgen/example/shop/documents"
)

// List returns a page of a tenant's orders, latest first. It asks each bucket for a whole
// page, and merges what they have.
func (s *Store) List(ctx context.Context, tenant, status, cursor string, size int) ([]*documents.Order, string, error) {
	after, err := s.openCursor(cursor, tenant, status)
	if err != nil {
		return nil, "", err
	}
	pages := make([][]*documents.Order, buckets)
	group, ctx := errgroup.WithContext(ctx)
	for i := range pages {
		group.Go(func() (err error) {
			pages[i], err = s.bucket(ctx, tenant, status, i+1, after, size+1) // one more says whether there are more
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, "", err
	}
	merged := slices.Concat(pages...)
	slices.SortFunc(merged, func(a, b *documents.Order) int {
		if c := b.Placed.Compare(a.Placed); c != 0 {
			return c
		}
		return strings.Compare(b.ID, a.ID)
	})
	if len(merged) <= size {
		return merged, "", nil
	}
	last := merged[size-1]
	cursor, err = s.closeCursor(position{last.Placed.String(), last.ID}, tenant, status)
	return merged[:size], cursor, err
}

// bucket returns up to n orders of a bucket after a position.
func (s *Store) bucket(ctx context.Context, tenant, status string, bucket int, after position, n int) ([]*documents.Order, error) {
	query := `SELECT TOP @n * FROM c WHERE c.type = 'order' AND c.tenantId = @tenant AND NOT IS_DEFINED(c.deleted)`
	parameters := []azcosmos.QueryParameter{{Name: "@n", Value: n}, {Name: "@tenant", Value: tenant}}
	if status != "" {
		query += ` AND c.status = @status`
		parameters = append(parameters, azcosmos.QueryParameter{Name: "@status", Value: status})
	}
	if after != (position{}) {
		query += ` AND (c.placed < @placed OR (c.placed = @placed AND c.id < @id))`
		parameters = append(parameters, azcosmos.QueryParameter{Name: "@placed", Value: after.Placed}, azcosmos.QueryParameter{Name: "@id", Value: after.ID})
	}
	query += ` ORDER BY c.placed DESC, c.id DESC` // by a composite index
	var found []*documents.Order
	err := s.each(ctx, bucketText(tenant, bucket), query, parameters, func(text []byte) error {
		o := new(documents.Order)
		found = append(found, o)
		return json.Unmarshal(text, o)
	})
	return found, err
}

// Log returns the entries of an order, the oldest first.
func (s *Store) Log(ctx context.Context, tenant, customer, order string) ([]*documents.Entry, error) {
	const query = `SELECT * FROM c WHERE c.type = 'entry' AND c.tenantId = @tenant AND c.customerId = @customer AND c.orderId = @order ORDER BY c.at`
	parameters := []azcosmos.QueryParameter{{Name: "@tenant", Value: tenant}, {Name: "@customer", Value: customer}, {Name: "@order", Value: order}}
	found := []*documents.Entry{}
	err := s.each(ctx, keyText(tenant, customer), query, parameters, func(text []byte) error {
		e := new(documents.Entry)
		found = append(found, e)
		return json.Unmarshal(text, e)
	})
	return found, err
}

// each calls f with each document that a query of one logical partition finds.
func (s *Store) each(ctx context.Context, key, query string, parameters []azcosmos.QueryParameter, f func([]byte) error) error {
	pager := s.Container.NewQueryItemsPager(query, azcosmos.NewPartitionKeyString(key), &azcosmos.QueryOptions{QueryParameters: parameters})
	for pager.More() {
		page, err := pager.NextPage(ctx)
		if err != nil {
			return err
		}
		for _, text := range page.Items {
			if err := f(text); err != nil {
				return err
			}
		}
	}
	return nil
}
