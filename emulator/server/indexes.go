package server

import "time"

// SetIndexLag sets how long a write takes, by the clock of the server, until it reaches the
// global secondary indexes of its container; a negative duration is 0. It changes
// Options.IndexLag from now on: what has reached an index stays there, and what is on its
// way arrives after the new lag, counted from the write. The cost is that of bringing all
// indexes up to date.
func (s *Server) SetIndexLag(d time.Duration) { s.account.SetIndexLag(d, s.clock.now()) }

// PauseIndexes keeps all global secondary indexes as they are, whatever is written to their
// sources and however much time passes, until ResumeIndexes. What is due has reached them
// before. Versions of documents that are on their way take memory meanwhile. The next
// server of the same records is not paused.
func (s *Server) PauseIndexes() { s.account.PauseIndexes(true, s.clock.now()) }

// ResumeIndexes ends PauseIndexes. What became due in between reaches the indexes at once,
// in the order of the writes. Without a pause it does nothing.
func (s *Server) ResumeIndexes() { s.account.PauseIndexes(false, s.clock.now()) }
