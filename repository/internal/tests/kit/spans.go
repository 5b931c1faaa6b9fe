package kit

import (
	"context"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/tracing"
)

// Spans is a provider of spans that remembers the parent of each.
type Spans struct {
	mu       sync.Mutex
	Parents  map[string][]string // by the names of spans
	Failures map[string]string
	Open     int
}

type SpanKey struct{}

func (s *Spans) Provider() tracing.Provider {
	return tracing.NewProvider(func(string, string) tracing.Tracer {
		return tracing.NewTracer(func(ctx context.Context, name string, _ *tracing.SpanOptions) (context.Context, tracing.Span) {
			s.mu.Lock()
			defer s.mu.Unlock()
			parent, _ := ctx.Value(SpanKey{}).(string)
			s.Parents[name] = append(s.Parents[name], parent)
			s.Open++
			return context.WithValue(ctx, SpanKey{}, name), tracing.NewSpan(tracing.SpanImpl{
				End: func() {
					s.mu.Lock()
					defer s.mu.Unlock()
					s.Open--
				},
				SetStatus: func(_ tracing.SpanStatus, description string) {
					s.mu.Lock()
					defer s.mu.Unlock()
					s.Failures[name] = description
				},
			})
		}, nil)
	}, nil)
}
