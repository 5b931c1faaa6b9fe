package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// releaseLine is what a program of a release says that it has done.
type releaseLine struct {
	Op, ID, Value string
	First, Second int
	Start, End    int64
	Outcome       string // empty if it is done

	by        string // the release
	contested bool   // see contest
}

// writes reports whether it has stored a value, or removed the document.
func (l releaseLine) writes() bool {
	return l.Outcome == "" && slices.Contains([]string{"Create", "Upsert", "Replace", "Delete"}, l.Op)
}

// counts reports whether it has counted a document up.
func (l releaseLine) counts() bool {
	return l.Outcome == "" && (l.Op == "Update" || l.Op == "Patch")
}

// history is what programs have done. Each write has a value of its own; a removed
// document has none.
type history struct {
	*testing.T
	lines   []releaseLine
	byID    map[string][]releaseLine // by their beginnings
	longest int64                    // that an operation took
	judged  int                      // how many of the lines
}

func (h *history) add(more ...releaseLine) {
	h.lines = append(h.lines, more...)
	for _, l := range more {
		h.byID[l.ID] = append(h.byID[l.ID], l)
		h.longest = max(h.longest, l.End-l.Start)
	}
	for _, lines := range h.byID {
		slices.SortStableFunc(lines, func(a, b releaseLine) int { return cmp.Compare(a.Start, b.Start) })
		h.contest(lines)
	}
}

// judge looks at what was added since the last judgement.
func (h *history) judge() {
	h.Helper()
	for _, l := range h.lines[h.judged:] {
		where := "the " + l.by + " release"
		switch {
		case !slices.Contains([]string{"", "missing", "exists", "changed"}, l.Outcome):
			h.Errorf("%s: %s of %s: %s", where, l.Op, l.ID, l.Outcome)
		case l.Op == "Get":
			h.reads(where, l)
		}
	}
	h.judged = len(h.lines)
}

// creates reports whether it may have created the document.
func (l releaseLine) creates() bool { return l.Op == "Create" || l.Op == "Upsert" }

func (l releaseLine) overlaps(other releaseLine) bool {
	return l.Start <= other.End && other.Start <= l.End
}

// contest marks the operations on a document that a contest reaches: programs of both
// releases may have created the document at the same time, and one of them had not returned
// while the operation was under way. Then it may have been stored twice: until both have
// returned, reads may see either document, and what was written to one of them may be lost.
// See docs/keys.md.
func (h *history) contest(lines []releaseLine) {
	rivals := make([]bool, len(lines))
	for i, a := range lines {
		rivals[i] = a.creates() && h.any(lines, a, func(j int) bool { return lines[j].creates() && lines[j].by != a.by })
	}
	for i, l := range lines {
		lines[i].contested = h.any(lines, l, func(j int) bool { return rivals[j] })
	}
}

// any reports whether f is true for a line that overlaps l.
func (h *history) any(lines []releaseLine, l releaseLine, f func(int) bool) bool {
	i, _ := slices.BinarySearchFunc(lines, l.Start-h.longest, func(l releaseLine, t int64) int { return cmp.Compare(l.Start, t) })
	for ; i < len(lines) && lines[i].Start <= l.End; i++ {
		if lines[i].overlaps(l) && f(i) {
			return true
		}
	}
	return false
}

// reads judges the value that was read: it was written before the read ended, and nothing
// was written between that write and the read. Counts are those that were reached.
func (h *history) reads(where string, read releaseLine) {
	h.Helper()
	var bound int64 // what ended before is overwritten
	for _, l := range h.byID[read.ID] {
		if l.writes() && l.Value != read.Value && l.End < read.Start && l.Start > bound && !l.contested {
			bound = l.Start
		}
	}
	if !slices.ContainsFunc(h.byID[read.ID], func(l releaseLine) bool {
		refused := l.Op == "Create" && l.Outcome == "exists" && l.overlaps(read) && l.contested
		return (l.writes() || refused) && l.Value == read.Value && l.Start <= read.End && l.End >= bound
	}) {
		h.Errorf("%s: %s of %s gives %q at %d to %d, after\n%s", where, read.Op, read.ID, read.Value, read.Start, read.End, h.of(read))
	}
	for release, n := range map[string]int{"first": read.First, "second": read.Second} {
		least, most := 0, 0
		for _, l := range h.byID[read.ID] {
			if l.by == release && l.counts() {
				if l.End < read.Start {
					least++
				}
				if l.Start <= read.End {
					most++
				}
			}
		}
		if n < least || n > most {
			h.Errorf("%s: %s of %s gives %d for the %s release, which had counted up to %d at least, and %d at most", where, read.Op, read.ID, n, release, least, most)
		}
	}
}

// counts is how often a release has counted a document up.
func (h *history) counts(id, release string) (n int) {
	for _, l := range h.byID[id] {
		if l.by == release && l.counts() {
			n++
		}
	}
	return n
}

// of shows what was written to a document before a read of it ended, in the order of its ends.
func (h *history) of(read releaseLine) string {
	var all []releaseLine
	for _, l := range h.byID[read.ID] {
		if l.Op != "Get" && l.Start <= read.End {
			all = append(all, l)
		}
	}
	slices.SortFunc(all, func(a, b releaseLine) int { return int(a.End - b.End) })
	var b strings.Builder
	for _, l := range all[max(0, len(all)-12):] {
		fmt.Fprintf(&b, "%d to %d: %s by %s of %q: %s\n", l.Start, l.End, l.Op, l.by, l.Value, l.Outcome)
	}
	return b.String()
}

// summary counts operations by what became of them.
func (h *history) summary() string {
	n := map[string]int{}
	for _, l := range h.lines {
		n[strings.TrimSpace(l.by+" "+l.Op+" "+l.Outcome)]++
	}
	var all []string
	for _, what := range slices.Sorted(maps.Keys(n)) {
		all = append(all, fmt.Sprintf("%s: %d", what, n[what]))
	}
	return strings.Join(all, ", ")
}
