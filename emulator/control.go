package emulator

import (
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/server"
)

// Fault says which requests fail, and how: see its fields. The zero value of a
// selecting field selects every request.
type Fault = server.Fault

// Request is a line of the journal.
type Request = server.Request

// Operations, as Fault and Request name them.
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

// Inject adds a fault. It waits for the requests that it selects; of several
// that select one request, the oldest acts. It panics on a Status that is
// neither 0 nor from 400 to 599, which is a mistake in the calling test.
func (s *Server) Inject(f Fault) { s.account.Inject(f) }

// ClearFaults forgets the faults that have not acted yet.
func (s *Server) ClearFaults() { s.account.ClearFaults() }

// Requests returns a copy of the journal in the order in which the requests
// were answered: the last 100,000, or fewer when their queries are very long.
func (s *Server) Requests() []Request { return s.account.Requests() }

// ResetRequests empties the journal.
func (s *Server) ResetRequests() { s.account.ResetRequests() }

// Split splits the physical partition with this id of a container into two
// halves with new ids. From then on a request that is scoped to the old id is
// answered with 410 and substatus 1002, and the new ranges name it among their
// parents. The error says what does not exist.
func (s *Server) Split(database, container, rangeID string) error {
	return s.account.Split(database, container, rangeID)
}

// Advance moves the clock of the server forward: documents whose time to live
// passes on the way are gone, and budgets of request units are renewed. Only
// signatures are checked by the clock of the machine. A duration that is not
// positive does nothing.
func (s *Server) Advance(d time.Duration) { s.account.Advance(d) }

// Reset makes the account as it was in the beginning: no databases, no faults, an
// empty journal. Clients that were made before remain usable, but the SDK goes on
// caching containers by their names: close them, or use new names.
func (s *Server) Reset() { s.account.Reset() }
