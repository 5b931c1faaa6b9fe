package shapes

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/feed"
)

// Handled is a change that a processor gives to its handler.
type Handled struct {
	Doc
	Deleted bool
}

// Processes makes processors of the changes of documents.
type Processes interface {
	Processor(name string, leases *azcosmos.ContainerClient, handle func(context.Context, []Handled) error, o ...feed.Option) *feed.Processor
}

func (s *typed[T, K, P]) Processor(name string, leases *azcosmos.ContainerClient, handle func(context.Context, []Handled) error, o ...feed.Option) *feed.Processor {
	return feed.NewProcessor(s.all, name, leases, func(ctx context.Context, changes []feed.Delivery[T]) error {
		all := make([]Handled, len(changes))
		for i, c := range changes {
			all[i] = Handled{s.out(c.Doc), c.Deleted}
		}
		return handle(ctx, all)
	}, o...)
}
