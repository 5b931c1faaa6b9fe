package repository

import "time"

// WithNow has a repository take the time from a function.
func WithNow(now func() time.Time) Option {
	return func(s *settings) { s.containers.Now = now }
}
