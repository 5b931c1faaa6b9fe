package repository_test

import (
	"context"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
)

// withNow has a repository take the time from a function.
func withNow(now func() time.Time) repository.Option {
	return func(s *untyped.Settings) { s.Containers.Now = now }
}

// withSleep has a repository wait for the service's clock by a function.
func withSleep(sleep func(ctx context.Context, d time.Duration) error) repository.Option {
	return func(s *untyped.Settings) { s.Sleep = sleep }
}
