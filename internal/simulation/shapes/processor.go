package shapes

import (
	"context"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository"
)

// Handled is a change that a processor gives to its handler.
type Handled struct {
	Doc
	Deleted bool
}

// Processes makes processors of the changes of documents.
type Processes interface {
	Processor(name string, leases *azcosmos.ContainerClient, handle func(context.Context, []Handled) error, o ...repository.ProcessorOption) *repository.Processor
}

func (s *typed[T, K, P]) Processor(name string, leases *azcosmos.ContainerClient, handle func(context.Context, []Handled) error, o ...repository.ProcessorOption) *repository.Processor {
	return s.all.Processor(name, leases, func(ctx context.Context, changes []repository.Delivery[T]) error {
		all := make([]Handled, len(changes))
		for i, c := range changes {
			all[i] = Handled{s.out(c.Doc), c.Deleted}
		}
		return handle(ctx, all)
	}, o...)
}
