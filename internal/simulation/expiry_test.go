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
		if i == 0 || o.began.Before(from) {
			from = o.began
		}
		if o.ended.After(to) {
			to = o.ended
		}
		known = known && !o.ended.IsZero()
	}
	return from.Add(ttl - time.Second), to.Add(ttl + time.Second), known
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
