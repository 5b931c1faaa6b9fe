package repository

import (
	"context"
	"errors"
	"fmt"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/processor"
	"github.com/cosmos-pkgen/pkgen/repository/internal/store"
)

// Mux has the changes of several document types in one container, or of one template, handled by one
// [Processor], which reads each page once: with one processor for each type, every one
// reads all. [Documents.HandleBy] gives it the handler of a type. The zero value is
// ready.
//
//	var mux repository.Mux
//	orders.HandleBy(&mux, handleOrders)
//	payments.HandleBy(&mux, handlePayments)
//	err := mux.Processor("projection", leases).Run(ctx)
//
// A Mux is set up by one goroutine, before Processor is called.
type Mux struct {
	// LeaveOutOtherTypes leaves out documents of types without a handler. Unless it is
	// set, such a document is an error as one that does not decode: its range waits,
	// [OnRequestError] is told, and [OnUndecodable] may leave it out.
	LeaveOutOtherTypes bool

	types    []*store.Store
	several  []*feed.Containers // of each type; empty where they have one container
	handlers []func(context.Context, []feed.Item) error
	wrong    error
}

// HandleBy has mux call handle with changes of these documents. The type needs a
// discriminator, by a type= tag. handle gets those that follow each other on a page, so
// the documents of a logical partition come in the order of their writes, also across
// types. Otherwise it is called as the handler of [Documents.Processor]. If it returns
// an error, these documents come again, and the handlers of those before do not get
// theirs again, unless the process ends.
func (d *Documents[T, K]) HandleBy(mux *Mux, handle func(ctx context.Context, changes []Delivery[T]) error) {
	mux.add(d.untyped.Store, handling(handle))
	mux.several = append(mux.several, feedsOf(d.untyped)...)
	if n := len(mux.several); n > 0 && n < len(mux.types) && mux.wrong == nil {
		mux.wrong = errors.New("some of the types have one container, and others have several: make a Mux for each")
	}
}

// add adds a type, and notes why it cannot be.
func (m *Mux) add(s *store.Store, handle func(context.Context, []feed.Item) error) {
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

// apart returns an error unless discriminators tell two types apart.
func apart(oneType, otherType string, one, other *generated.Discriminator) error {
	if one.Property != other.Property {
		return fmt.Errorf("the property %s is the discriminator of %s, and %s that of %s: types of one container have the same", one.Property, oneType, other.Property, otherType)
	}
	if one.Value == other.Value {
		return fmt.Errorf("%s and %s have the same discriminator: each type has one handler", oneType, otherType)
	}
	return nil
}

// Processor returns a processor of the changes of all types of m, as
// [Documents.Processor] does. All must be in one container, or in the containers of one
// template: Run returns an error if they are not. Later calls of HandleBy do not change it. The options of the repository
// whose handler came first apply, such as [WithConcurrency].
func (m *Mux) Processor(name string, leases *azcosmos.ContainerClient, opts ...ProcessorOption) *Processor {
	if len(m.types) == 0 {
		return &Processor{wrong: &Error{Op: processor.Op, Type: "Mux", Err: errors.New("the Mux has no handlers: give it some by HandleBy")}}
	}
	handlers := m.handlers[:len(m.handlers):len(m.handlers)]
	handle := func(ctx context.Context, items []feed.Item) error { return handlers[items[0].Kind](ctx, items) }
	return newProcessor(name, m.types[0], m.several[:len(m.several):len(m.several)], leases, handle, opts, func(s *processorSettings) {
		s.Types, s.Others = m.types[:len(m.types):len(m.types)], m.LeaveOutOtherTypes
		if m.wrong != nil {
			s.wrong = m.wrong
		}
	})
}
