package query

import "github.com/cosmos-pkgen/pkgen/repository/internal/store"

// width returns how many requests of jobs are under way at once. Requests to different
// physical partitions do not disturb each other, so these are one wave unless the caller
// has set a number.
func width(s store.Settings, jobs []job) int {
	if s.Wave > s.Concurrency && apart(jobs) {
		return s.Wave
	}
	return s.Concurrency
}

// widest returns the most that width returns.
func widest(s store.Settings) int { return max(s.Wave, s.Concurrency) }

// apart reports whether each job reads a physical partition of its own.
func apart(jobs []job) bool {
	type place struct {
		part   int
		rid    string
		within string
	}
	taken := make(map[place]bool, len(jobs))
	for _, j := range jobs {
		p := place{j.part, j.rid, j.in.ID}
		if !j.scoped || taken[p] {
			return false
		}
		taken[p] = true
	}
	return true
}
