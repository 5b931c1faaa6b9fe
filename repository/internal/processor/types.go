package processor

import (
	"context"
	"fmt"
	"slices"

	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// documents returns the types of documents that p handles, as leases have them: nil if
// the container has one type.
func (p *Processor) documents() []string {
	types := p.Types
	if types == nil {
		types = []*store.Store{p.store}
	}
	var all []string
	for _, s := range types {
		if d := s.Discriminator; d != nil {
			all = append(all, d.Property+"="+d.Value)
		}
	}
	slices.Sort(all)
	return all
}

// together returns an error unless all types are of the container that is read.
func (p *Processor) together(ctx context.Context, rid string) error {
	for _, s := range p.Types {
		if err := s.JoinSession(ctx, Op); err != nil {
			return err
		}
		properties, err := s.Properties(s.Marked(ctx))
		if err != nil {
			return wire.NewOperationError(Op, s.Type, "", "", err)
		}
		if properties.ResourceID != rid {
			return fmt.Errorf("the documents of %s are in the container %q, and those of %s in %q: make a processor for each container",
				p.store.Type, p.store.Client.ID(), s.Type, properties.ID)
		}
	}
	return nil
}
