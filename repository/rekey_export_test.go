package repository

import (
	"context"
	"time"
)

// WithSleep has a repository wait for the service's clock by a function.
func WithSleep(sleep func(ctx context.Context, d time.Duration) error) Option {
	return func(s *settings) { s.Sleep = sleep }
}
