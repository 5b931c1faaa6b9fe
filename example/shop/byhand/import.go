package byhand

import (
	"context"
	"errors"
	"iter"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	"golang.org/x/sync/errgroup"

	"github.com/cosmos-pkgen/pkgen/example/shop/documents"
)

// Import stores orders as they are, a hundred in a request, and returns how many it has
// stored.
func (s *Store) Import(ctx context.Context, _ string, orders iter.Seq2[*documents.Order, error]) (int, error) {
	var group errgroup.Group
	group.SetLimit(16)
	var lock sync.Mutex
	var stored int
	var failures []error
	send := func(key string, texts [][]byte) {
		group.Go(func() error {
			n, err := s.storeAll(ctx, key, texts)
			lock.Lock()
			defer lock.Unlock()
			stored += n
			failures = append(failures, err)
			return nil
		})
	}
	waiting := map[string][][]byte{}
	for o, err := range orders {
		if err == nil {
			o.Version = 1
			var text []byte
			if text, err = orderText(o); err == nil {
				key := keyText(o.TenantID, o.CustomerID)
				if waiting[key] = append(waiting[key], text); len(waiting[key]) == 100 {
					send(key, waiting[key])
					delete(waiting, key)
				}
				continue
			}
		}
		lock.Lock()
		failures = append(failures, err)
		lock.Unlock()
		break
	}
	for key, texts := range waiting {
		send(key, texts)
	}
	_ = group.Wait() // failures has them
	return stored, errors.Join(failures...)
}

// storeAll stores documents of one logical partition by one transaction, and each by
// itself if the service refuses one of them.
func (s *Store) storeAll(ctx context.Context, key string, texts [][]byte) (stored int, err error) {
	batch := s.Container.NewTransactionalBatch(azcosmos.NewPartitionKeyString(key))
	for _, text := range texts {
		batch.CreateItem(text, nil)
	}
	response, err := s.Container.ExecuteTransactionalBatch(ctx, batch, nil)
	if err != nil {
		return 0, err
	}
	if refusal(response) == nil {
		return len(texts), nil
	}
	var failures []error
	for _, text := range texts {
		_, err := s.Container.CreateItem(ctx, azcosmos.NewPartitionKeyString(key), text, nil)
		if err == nil {
			stored++
		}
		failures = append(failures, err)
	}
	return stored, errors.Join(failures...)
}
