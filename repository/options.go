package repository

// DefaultConcurrency is how many requests of one fan-out are under way at once.
// The SDK reaches four fifths of the ideal throughput between 8 and 16 and loses
// again beyond 64, measured on two cores with 5 ms a request.
const DefaultConcurrency = 32

// Option changes how a repository works.
type Option func(*settings)

type settings struct {
	concurrency int
	pageSize    int32
}

func newSettings(opts []Option) settings {
	s := settings{concurrency: DefaultConcurrency}
	for _, o := range opts {
		o(&s)
	}
	return s
}

// WithConcurrency limits a fan-out to n requests at once. The default is
// [DefaultConcurrency]; n below 1 is taken as 1.
func WithConcurrency(n int) Option {
	return func(s *settings) { s.concurrency = max(n, 1) }
}

// WithPageSize asks for at most n documents in one response of a query. The
// default, 0, leaves it to the service. A fan-out holds at most one page for
// each request that is under way.
func WithPageSize(n int32) Option {
	return func(s *settings) { s.pageSize = max(n, 0) }
}
