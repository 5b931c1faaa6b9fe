package emulator

import "time"

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
