package emulator

import "time"

// Split splits the physical partition of a container that has this range id into
// two halves with new ids. From then on a request that is scoped to the old id is
// answered with 410 and substatus 1002, and the new ranges name the old id among
// their parents. The error names the database, container or range that does not
// exist.
func (s *Server) Split(database, container, rangeID string) error {
	return s.account.Split(database, container, rangeID)
}

// Merge merges neighbouring physical partitions of a container, two or more, into one
// with a new id, in any order of their ids. From then on a request that is scoped to
// an old id is answered with 410 and substatus 1002, and the new range names the old
// ids among its parents. A continuation token or change feed etag of an old range is
// good for its part of the new one, which clients name by a window of effective
// partition keys. Merge fails if the database, container or a range does not exist, if
// the ranges are not neighbours, or if [Options].AllVersions is set.
func (s *Server) Merge(database, container string, rangeIDs ...string) error {
	return s.account.Merge(database, container, rangeIDs...)
}

// Advance moves the clock of the server forward. Documents whose time to live ends
// meanwhile expire, and the request units of each second are available again. Only
// signatures are still checked by the clock of the machine. A duration that is not
// positive does nothing.
func (s *Server) Advance(d time.Duration) { s.account.Advance(d) }

// Reset returns the account to its beginning: no databases, no faults, an empty
// journal. Clients remain usable, but the SDK still has its cache of containers by
// name: close the clients, or use new names.
func (s *Server) Reset() { s.account.Reset() }
