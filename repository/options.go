package repository

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/tracing"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// DefaultConcurrency is how many requests of one fan-out are under way at once.
// The SDK reaches four fifths of the ideal throughput between 8 and 16 and loses
// again beyond 64, measured on two cores with 5 ms a request.
const DefaultConcurrency = 32

// DefaultMaxKeys is how many partition keys one query may read: a day for
// twenty-seven years, or a month of days in 300 buckets.
const DefaultMaxKeys = 10_000

// Option changes how a repository works.
type Option func(*settings)

type settings struct {
	concurrency int
	pageSize    int32
	maxKeys     int
	strategy    Strategy
	unmarshal   unmarshaller
	observe     func(context.Context, wire.Event) // nil if nobody does
	tracer      tracing.Tracer
	cursorKeys  cursorKeys // nil if cursors are open
	wrong       error      // of the options
}

func newSettings(opts []Option) settings {
	s := settings{concurrency: DefaultConcurrency, maxKeys: DefaultMaxKeys, unmarshal: json.Unmarshal}
	for _, o := range opts {
		if o == nil {
			s.wrong = errors.New("an Option of the repository is nil")
			continue
		}
		o(&s)
	}
	return s
}

// WithConcurrency limits a fan-out to n requests at once, and so a bulk operation
// and a change feed. The default is [DefaultConcurrency]; n below 1 is taken as 1.
func WithConcurrency(n int) Option {
	return func(s *settings) { s.concurrency = max(n, 1) }
}

// WithPageSize asks for at most n documents in one response of a query. The
// default, 0, leaves it to the service. A fan-out holds at most one page for
// each request that is under way.
func WithPageSize(n int32) Option {
	return func(s *settings) { s.pageSize = max(n, 0) }
}

// WithMaxKeys allows a query to read n partition keys, one for each period of a
// range of time and bucket of a suffix. A query of more is refused before it
// sends anything, since a range is easily given by mistake that costs thousands
// of requests. The default is [DefaultMaxKeys]; n below 1 is taken as 1.
func WithMaxKeys(n int) Option {
	return func(s *settings) { s.maxKeys = max(n, 1) }
}

// WithUnmarshal decodes documents with f, of another JSON library, in place of
// json.Unmarshal. A query and a change feed call it from several goroutines at
// once, once for each document. F does not change the bytes. Of a nil f, every
// operation returns an error.
func WithUnmarshal(f func(data []byte, v any) error) Option {
	return func(s *settings) {
		if f == nil {
			s.wrong = errors.New("the function of WithUnmarshal is nil")
		}
		s.unmarshal = f
	}
}
