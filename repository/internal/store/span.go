package store

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/tracing"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// spanText says why an operation failed without naming a document.
func spanText(err error) string {
	var own *wire.OperationError
	if !errors.As(err, &own) {
		return wire.DiscreetText(err)
	}
	unnamed := *own
	unnamed.ID, unnamed.PartitionKey, unnamed.Note = "", "", ""
	if unnamed.Kind != nil && unnamed.Status == 0 { // what the cause adds may name some
		unnamed.Err = unnamed.Kind
	}
	return unnamed.Error()
}

// StartSpan begins a span that is called by an operation and the type of its documents.
// The function that it returns ends it.
func (s *Store) StartSpan(ctx context.Context, op string) (context.Context, func(error)) {
	if !s.Settings.Tracer.Enabled() {
		return ctx, func(error) {}
	}
	ctx, span := s.Settings.Tracer.Start(ctx, op+" "+s.Type, &tracing.SpanOptions{Kind: tracing.SpanKindInternal})
	return ctx, func(err error) {
		if err != nil {
			span.SetStatus(tracing.SpanStatusError, spanText(err))
		}
		span.End()
	}
}
