package gremlin

import "github.com/cosmos-pkgen/pkgen/internal/documents"

// Option changes how a repository works.
type Option func(*settings)

// settings are what options change.
type settings struct{ documents.Settings }

// WithPageSize lets All and Collect read n documents in a request, and not 1,000. A request
// is held in memory until its documents have been used. An n below 1 counts as 1,000.
func WithPageSize(n int) Option { return func(s *settings) { s.SetPageSize(n) } }

// WithMaxKeys lets one query read up to n partition keys, and not 10,000. A query of more
// returns an error, and sends nothing. An n below 1 counts as 1.
func WithMaxKeys(n int) Option { return func(s *settings) { s.SetMaxKeys(n) } }

// WithCursorKey closes the cursors of pages by a key of at least 16 bytes, so that nobody
// else can read or make them. Cursors that the earlier keys have closed can be opened.
func WithCursorKey(key []byte, earlier ...[]byte) Option {
	return func(s *settings) { s.SetCursorKey(key, earlier...) }
}

// WithConcurrency lets an operation of many documents send n requests at once, and not
// 32. The connections of the client limit them too: see [WithConnections]. An n below 1
// counts as 1.
func WithConcurrency(n int) Option { return func(s *settings) { s.SetConcurrency(n) } }
