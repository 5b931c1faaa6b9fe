package repository

import (
	"context"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/tracing"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// WithTracing makes a span for each query, GetMany, FindInBuckets and iteration of Changes,
// under which the SDK's spans of all its requests hang. The provider is the one of
// the client's own options, azcosmos.ClientOptions.TracingProvider, which
// repositories do not see. Of a document, the repository's spans tell its type, and
// neither its id nor its key; what the SDK's tell, such as URLs, is up to that.
func WithTracing(p tracing.Provider) Option {
	return func(s *settings) {
		s.tracer = p.NewTracer("github.com/cosmos-pkgen/pkgen/repository", "")
	}
}

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

// span begins a span that is called by an operation and the type of its documents.
// The function that it returns ends it.
func (s *store) span(ctx context.Context, op string) (context.Context, func(error)) {
	if !s.settings.tracer.Enabled() {
		return ctx, func(error) {}
	}
	ctx, span := s.settings.tracer.Start(ctx, op+" "+s.Type, &tracing.SpanOptions{Kind: tracing.SpanKindInternal})
	return ctx, func(err error) {
		if err != nil {
			span.SetStatus(tracing.SpanStatusError, spanText(err))
		}
		span.End()
	}
}
