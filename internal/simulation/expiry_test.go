package simulation

import (
	"slices"
	"time"
)

// purge is how long documents marked as deleted stay, of types with the feature purged.
const purge = 720 * time.Hour

// wrote notes which operation has made a state that expires.
func (s *slot) wrote(c code, o *operation) {
	if s.at(c).ttl > 0 && !slices.Contains(s.makers[c], o) {
		s.makers[c] = append(s.makers[c], o)
	}
}

// lifetime returns when a document in a state that expires is gone: not before from, and not
// after to. The service counts from the whole second in which the document was written.
func (s *slot) lifetime(c code) (from, to time.Time, known bool) {
	ttl := time.Duration(s.at(c).ttl) * time.Second
	known = true
	for i, o := range s.makers[c] {
		// What stores a document anew gives it the rest of its time, and may be late with that.
		if least := o.began.Add(o.least(ttl)); i == 0 || o.kind != "renew" && least.Before(from) {
			from = least
		}
		if o.ended.After(to) {
			to = o.ended
		}
		known = known && !o.ended.IsZero()
	}
	return from.Add(-time.Second), to.Add(ttl + time.Second), known
}

// least returns how long a document stays at least after an operation has written it, whose
// time to live was ttl when all of it was written: a move reduces it by the age of the
// document, and an operation that changes a part then begins with the rest anew.
func (o *operation) least(ttl time.Duration) time.Duration {
	if o.ages && o.kind != "create" && o.kind != "upsert" && o.kind != "replace" {
		return time.Second
	}
	return ttl
}

// isAged reports whether two states differ at most in the time to live, which a move reduces.
func isAged(before, now state) bool {
	if now.ttl < 1 || now.ttl > before.ttl {
		return false
	}
	before.ttl = now.ttl
	return before == now
}

// mayExpire reports whether a document in a state may be gone by now.
func (s *slot) mayExpire(c code) bool {
	if s.at(c).ttl <= 0 {
		return false
	}
	from, _, _ := s.lifetime(c)
	return !time.Now().Before(from)
}

// hasExpired reports whether no operation that began at a time meets a state any more.
func (s *slot) hasExpired(c code, began time.Time) bool {
	if s.at(c).ttl <= 0 {
		return false
	}
	_, to, known := s.lifetime(c)
	return known && !s.fenced && began.After(to)
}
