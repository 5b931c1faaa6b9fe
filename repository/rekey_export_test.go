package repository

import (
	"context"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
)

// WithSleep has a repository wait for the service's clock by a function.
func WithSleep(sleep func(ctx context.Context, d time.Duration) error) Option {
	return func(s *untyped.Settings) { s.Sleep = sleep }
}
