package feed

import (
	"context"
	"errors"
	"fmt"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
	changefeed "github.com/cosmos-pkgen/pkgen/repository/internal/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/processor"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
)

// Mux passes the changes of several document types in one container, or in the containers of
// one template, to one [Processor], which reads each page once: with one processor per type,
// every processor reads all pages. [Handle] adds the handler of a type. The zero value is
// ready.
//
//	var mux feed.Mux
//	feed.Handle(orders.Documents, &mux, handleOrders)
//	feed.Handle(payments.Documents, &mux, handlePayments)
//	err := mux.Processor("projection", leases).Run(ctx)
//
// A Mux is set up by one goroutine, before Processor is called.
type Mux struct {
	// LeaveOutOtherTypes ignores documents of types without a handler. Otherwise such a
	// document is an error like one that does not decode: its range waits, and [OnEvent] may
	// leave it out.
	LeaveOutOtherTypes bool

	types    []*store.Store
	several  []*changefeed.Containers // of each type; empty where they have one container
	handlers []func(context.Context, []changefeed.Item) error
	wrong    error
}

// Handle adds the handler of a type to mux. The type needs a discriminator, from a type= tag.
// handle gets consecutive changes of a page, so the documents of a logical partition come in
// the order of their writes, even across types. In all else it is called like the handler of
// [NewProcessor]. If it returns an error, its documents come again; earlier documents of the
// page do not, unless the process ends.
func Handle[T any, K generated.Key](d *repository.Documents[T, K], mux *Mux, handle func(ctx context.Context, changes []Delivery[T]) error) {
	inner := untyped.Of(d)
	mux.add(inner.Store, handling(handle))
	mux.several = append(mux.several, feedsOf(inner)...)
	if n := len(mux.several); n > 0 && n < len(mux.types) && mux.wrong == nil {
		mux.wrong = errors.New("some of the types have one container, and others have several: make a Mux for each")
	}
}

// add adds a type, and records the error if it cannot.
func (m *Mux) add(s *store.Store, handle func(context.Context, []changefeed.Item) error) {
	switch {
	case handle == nil:
		m.wrong = fmt.Errorf("the handler of %s is nil", s.Type)
	case s.Discriminator == nil:
		m.wrong = fmt.Errorf("all documents of the container of %s are of that type: use its own Processor, or give it a discriminator by a type= tag", s.Type)
	}
	for _, other := range m.types {
		if m.wrong == nil && s.Discriminator != nil {
			m.wrong = apart(other.Type, s.Type, other.Discriminator, s.Discriminator)
		}
	}
	m.types, m.handlers = append(m.types, s), append(m.handlers, handle)
}

// apart returns an error unless the discriminators of two types differ.
func apart(oneType, otherType string, one, other *generated.Discriminator) error {
	if one.Property != other.Property {
		return fmt.Errorf("the property %s is the discriminator of %s, and %s that of %s: types of one container have the same", one.Property, oneType, other.Property, otherType)
	}
	if one.Value == other.Value {
		return fmt.Errorf("%s and %s have the same discriminator: each type has one handler", oneType, otherType)
	}
	return nil
}

// Processor returns a processor of the changes of all types of m, see [NewProcessor]. Later
// calls of Handle do not change it. If the types are not in one container or in the containers
// of one template, Run returns an error. The options of the first type's repository apply, such
// as [repository.WithConcurrency].
func (m *Mux) Processor(name string, leases *azcosmos.ContainerClient, opts ...Option) *Processor {
	if len(m.types) == 0 {
		return &Processor{wrong: &documents.Error{Op: processor.Op, Type: "Mux", Err: errors.New("the Mux has no handlers: give it some by Handle")}}
	}
	handlers := m.handlers[:len(m.handlers):len(m.handlers)]
	handle := func(ctx context.Context, items []changefeed.Item) error { return handlers[items[0].Kind](ctx, items) }
	return newProcessor(name, m.types[0], m.several[:len(m.several):len(m.several)], leases, handle, opts, func(s *processor.Options) {
		s.Types, s.Others = m.types[:len(m.types):len(m.types)], m.LeaveOutOtherTypes
		if m.wrong != nil {
			s.Wrong = m.wrong
		}
	})
}
