package repository

import (
	"time"

	"github.com/cosmos-pkgen/pkgen/repository/internal/untyped"
)

// WithNow has a repository take the time from a function.
func WithNow(now func() time.Time) Option {
	return func(s *untyped.Settings) { s.Containers.Now = now }
}
