package repository

import (
	"context"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Session lets a program read its own writes, and what it has read before, in an
// account of session consistency: it keeps the session tokens that the service
// returns, one for each physical partition, and sends them with point reads and
// queries. The SDK does not do it: without a Session, a read may be served by a
// replica that does not have the write of a moment ago.
//
// A Session is for one flow of work, such as the requests of one user, and may
// cover several repositories and containers. The zero value is ready, a Session
// is safe for concurrent use, and it is not copied after its first use. It grows
// with the physical partitions that it has met.
type Session struct{ tokens wire.Session }

// WithSession returns a context under which all operations of repositories belong
// to s, and to no session of an outer context. Their client has to be made with
// [Configure]; the error of every operation says so otherwise.
//
// The first operation on a container reads its physical partitions, up to three
// requests for metadata that queries over several of them need as well, once a
// process.
func WithSession(ctx context.Context, s *Session) context.Context {
	if s == nil {
		return wire.WithSession(ctx, nil)
	}
	return wire.WithSession(ctx, &s.tokens)
}
