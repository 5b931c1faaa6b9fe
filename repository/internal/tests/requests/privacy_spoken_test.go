package requests

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/tracing"

	"github.com/cosmos-pkgen/pkgen/repository"
)

// spoken is all that the repository has said.
type spoken struct {
	mu     sync.Mutex
	spans  []string
	events []string
}

func (s *spoken) provider() tracing.Provider {
	span := func(name string) tracing.Span {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.spans = append(s.spans, name)
		return tracing.NewSpan(tracing.SpanImpl{
			End: func() {},
			SetStatus: func(_ tracing.SpanStatus, text string) {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.spans = append(s.spans, text)
			},
			SetAttributes: func(all ...tracing.Attribute) {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.spans = append(s.spans, fmt.Sprint(all))
			},
		})
	}
	return tracing.NewProvider(func(string, string) tracing.Tracer {
		return tracing.NewTracer(func(ctx context.Context, name string, _ *tracing.SpanOptions) (context.Context, tracing.Span) {
			return ctx, span(name)
		}, nil)
	}, nil)
}

func (s *spoken) observe(_ context.Context, e repository.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, fmt.Sprint(e.Op, e.Type, e.Range, e.Err))
}

// talkative is a policy that has a service's refusals tell everything.
type talkative struct{}

func (talkative) Do(r *policy.Request) (*http.Response, error) {
	response, err := r.Next()
	if err == nil && response.StatusCode >= http.StatusBadRequest && strings.Contains(r.Raw().URL.Path, "/docs") {
		response.Body = io.NopCloser(strings.NewReader(
			`{"code":"BadRequest","message":"` + strings.Join([]string{secretID, secretWard, secretText, secretNumber}, " ") + `"}`))
	}
	return response, err
}

// leaks returns what was said that holds a secret.
func (s *spoken) leaks(err error) (all []string) {
	find := func(what, text string, secrets ...string) {
		for _, secret := range secrets {
			if strings.Contains(text, secret) {
				all = append(all, fmt.Sprintf("%s in %s: %s", secret, what, text))
			}
		}
	}
	for _, text := range s.spans {
		find("a span", text, secretID, secretWard, secretText, secretNumber)
	}
	for _, text := range s.events {
		find("an event", text, secretID, secretWard, secretText, secretNumber)
	}
	if err == nil {
		return all
	}
	find("an error", err.Error(), secretText, secretNumber)
	var own *repository.Error
	if !errors.As(err, &own) {
		find("an error without names", err.Error(), secretID, secretWard)
	}
	return all
}
