package documents

import "github.com/cosmos-pkgen/pkgen/internal/api"

// Option changes how a repository of Table, MongoDB or Gremlin works.
type Option func(*api.Settings)

// WithPageSize requests at most n documents in one response of All and Collect. Without it, the
// service decides.
func WithPageSize(n int) Option { return func(s *api.Settings) { s.SetPageSize(n) } }

// WithMaxKeys lets one query read up to n partition keys, instead of 10,000. A query with more
// returns an error, and sends nothing. An n below 1 counts as 1.
func WithMaxKeys(n int) Option { return func(s *api.Settings) { s.SetMaxKeys(n) } }

// WithCursorKey closes the cursors of pages: it encrypts them with a key of at least 16 bytes,
// so that no other program can read or forge them. Cursors closed with earlier keys remain
// valid.
func WithCursorKey(key []byte, earlier ...[]byte) Option {
	return func(s *api.Settings) { s.SetCursorKey(key, earlier...) }
}

// WithConcurrency lets an operation on several logical partitions or documents send n requests
// at once, instead of 32. An n below 1 counts as 1.
func WithConcurrency(n int) Option { return func(s *api.Settings) { s.SetConcurrency(n) } }
