package emulator

import (
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

// Request is one line of the journal: a request and its answer.
type Request struct {
	// Method and Path are those that the client sent; the path is escaped.
	Method, Path string
	// Operation is one of the Op constants, or empty for a path without a meaning.
	Operation string
	// PartitionKey is the partition key header as canonical JSON, such as
	// `["a"]`, or empty when the request has none.
	PartitionKey string
	// Range is the id of the partition key range that served the request. For a
	// query across partitions it is the range from which this page comes. It is empty
	// for requests that no range serves.
	Range string
	// RangeHeader is the id by which the client scoped the request to one range.
	RangeHeader string
	// Query is the SQL text of a query.
	Query string
	// Items is the number of documents in the answer of a query or feed.
	Items int
	// Status and Substatus are those of the answer. A dropped connection has
	// status 0.
	Status, Substatus int
	// Charge is the request charge in request units.
	Charge float64
	// Faulted is true when an injected fault acted on the request.
	Faulted bool
	// Start is when the request arrived, and Duration how long it took.
	Start    time.Time
	Duration time.Duration
}

// Operations, as [Fault] and [Request] name them.
const (
	OpReadAccount      = server.OpReadAccount
	OpCreateDatabase   = server.OpCreateDatabase
	OpReadDatabase     = server.OpReadDatabase
	OpDeleteDatabase   = server.OpDeleteDatabase
	OpReadDatabases    = server.OpReadDatabases
	OpQueryDatabases   = server.OpQueryDatabases
	OpCreateContainer  = server.OpCreateContainer
	OpReadContainer    = server.OpReadContainer
	OpReplaceContainer = server.OpReplaceContainer
	OpDeleteContainer  = server.OpDeleteContainer
	OpReadContainers   = server.OpReadContainers
	OpQueryContainers  = server.OpQueryContainers
	OpReadRanges       = server.OpReadRanges
	OpCreateItem       = server.OpCreateItem
	OpUpsertItem       = server.OpUpsertItem
	OpReadItem         = server.OpReadItem
	OpReplaceItem      = server.OpReplaceItem
	OpDeleteItem       = server.OpDeleteItem
	OpReadItems        = server.OpReadItems
	OpQueryItems       = server.OpQueryItems
	OpPatchItem        = server.OpPatchItem
	OpExecuteBatch     = server.OpExecuteBatch
	OpReadChangeFeed   = server.OpReadChangeFeed
	OpReadOffer        = server.OpReadOffer
	OpReplaceOffer     = server.OpReplaceOffer
	OpReadOffers       = server.OpReadOffers
	OpQueryOffers      = server.OpQueryOffers
)

// Requests returns a copy of the journal in the order in which the requests
// were answered: the last 100,000, or fewer when their queries are very long.
func (s *Server) Requests() []Request {
	journal := s.account.Requests()
	requests := make([]Request, len(journal))
	for i, r := range journal {
		requests[i] = Request(r)
	}
	return requests
}

// ResetRequests empties the journal.
func (s *Server) ResetRequests() { s.account.ResetRequests() }
