package server

import "time"

// SetIndexLag replaces Options.IndexLag: the time, by the clock of the server, until a write
// reaches the global secondary indexes of its container. A negative duration is 0. Writes that
// have reached an index stay there; pending writes arrive after the new lag, counted from the
// write. SetIndexLag first brings all indexes up to date, and blocks while it applies the
// writes that are due.
func (s *Server) SetIndexLag(d time.Duration) { s.account.SetIndexLag(d, s.clock.now()) }

// PauseIndexes freezes all global secondary indexes until ResumeIndexes, after applying the
// writes that are due. While indexes are paused, each write of a source keeps one version of
// its document in memory. Reset does not end a pause; a new server with the same records is not
// paused.
func (s *Server) PauseIndexes() { s.account.PauseIndexes(true, s.clock.now()) }

// ResumeIndexes ends PauseIndexes. Writes that became due meanwhile reach the indexes at once,
// in order. Without a pause it does nothing.
func (s *Server) ResumeIndexes() { s.account.PauseIndexes(false, s.clock.now()) }
