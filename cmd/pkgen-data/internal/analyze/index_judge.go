package analyze

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/charge"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// newIndex returns an index with the figures of its keys, before it is judged.
func newIndex(keys *Layout, model pk.Key) *Index {
	x := &Index{Keys: keys, Asks: 1, BreakEven: []BreakEven{}}
	for _, level := range model.Levels {
		x.Made = x.Made || level.Made
		if slices.ContainsFunc(level.Parts, func(p pk.Part) bool { return p.Component != nil }) {
			x.Asks = keys.Fan // the read has a base, but no bucket
		}
	}
	return x
}

// judge sets the findings of an index's keys, and where it pays.
func (x *Index) judge(r *Report, limits Limits) {
	x.Keys.judge(r, limits)
	x.Keys.judgeKeyless("documents without the property are in one logical partition of the index, which these figures leave out: choose a property that all documents have")
	x.Keys.judgeCertainty(r)
	x.breakEven()
	for _, u := range x.Uses {
		for _, u := range append([]*IndexUse{u}, u.Others...) {
			u.judge(x)
		}
	}
}

// breakEven sets the number of reads from which the index pays, if the container answers each of
// them by querying all physical partitions. The results cost the same in both.
func (x *Index) breakEven() {
	x.BreakEven = []BreakEven{}
	for _, s := range x.Keys.Partitions {
		if slices.ContainsFunc(x.BreakEven, func(b BreakEven) bool { return b.Physical == s.Physical }) {
			continue // the container's own number
		}
		b := BreakEven{Physical: s.Physical}
		index, container := layout.ExpectedRanges(float64(x.Asks), s.Physical), float64(s.Physical)
		if TouchesFewer(index, container) && x.Keys.WriteRU > 0 {
			reads := 100 * x.Keys.WriteRU / (charge.QueryFloor * (container - index))
			b.Reads = &reads
		}
		x.BreakEven = append(x.BreakEven, b)
	}
	slices.SortFunc(x.BreakEven, func(a, b BreakEven) int { return a.Physical - b.Physical })
	x.Advice = x.advice()
}

// advice describes where the index pays, and its requirements.
func (x *Index) advice() string {
	var pays, never []string
	for _, b := range x.BreakEven {
		switch {
		case b.Reads == nil:
			never = append(never, fmt.Sprint(b.Physical))
		case len(pays) == 0:
			pays = append(pays, fmt.Sprintf("from %s reads per 100 writes with %d physical partitions", figure(*b.Reads), b.Physical))
		default:
			pays = append(pays, fmt.Sprintf("from %s with %d", figure(*b.Reads), b.Physical))
		}
	}
	var b strings.Builder
	if len(pays) > 0 {
		asks := "one logical partition"
		if x.Asks > 1 {
			asks = fmt.Sprintf("%d logical partitions", x.Asks)
		}
		fmt.Fprintf(&b, "A read that knows its key queries %s of the index. If the same read queries all physical partitions of the container, the index pays %s.", asks, strings.Join(pays, ", "))
	}
	if len(never) > 0 {
		fmt.Fprintf(&b, " With %s the index never pays: a read of the index queries as many physical partitions as a read of the container.", partitionsText(never))
	}
	b.WriteString(" The index is updated later than the container.")
	if x.Made {
		b.WriteString(" Programs must store the text of its key in a property of the documents, because an index copies properties unchanged.")
	}
	return strings.TrimSpace(b.String())
}

// partitionsText names numbers of physical partitions.
func partitionsText(numbers []string) string {
	text := strings.Join(numbers, ", ") + " physical partition"
	if text != "1 physical partition" {
		text += "s"
	}
	return text
}

// judge decides whether the index pays under a layout of the container.
func (u *IndexUse) judge(x *Index) {
	u.Pays = false
	// The load of the index is judged like a layout's.
	loaded := *x.Keys
	loaded.Reads = &Reads{RequestUnits: u.IndexReads + u.IndexWrites, Partitions: u.Partitions}
	problems := loaded.problems()
	spread := loaded.decisive()
	for _, s := range loaded.Partitions {
		if spread.Physical != u.Partitions && s.Physical == u.Partitions {
			spread = s
		}
	}
	headroom := loaded.headroom(spread)
	switch {
	case !u.Known:
		u.Reason = "no call knows its key" + u.inVain()
	case len(u.Answers) == 0:
		u.Reason = "the container answers the calls that know its key from as few physical partitions" + u.inVain()
	case u.Saves <= 0:
		u.Reason = fmt.Sprintf("costs %.0f RU/s more than it saves: needs at least %s", -u.Saves, u.needs(""))
	case len(problems) > 0:
		u.Reason = fmt.Sprintf("saves %.0f RU/s, but its keys have %s: choose another key", u.Saves, strings.Join(problems, ", "))
	case headroom < margin && loaded.loaded():
		u.Reason = fmt.Sprintf("saves %.0f RU/s, but with %d physical partitions it sustains %s its own load, and may lag below twice the load: choose a key that spreads better", u.Saves, u.Partitions, times(headroom))
	case u.Writes == 0:
		u.Pays, u.Reason = true, fmt.Sprintf("saves %.0f RU/s, and the calls write nothing", u.Saves)
	default:
		u.Pays, u.Reason = true, fmt.Sprintf("saves %.0f RU/s: pays from %s", u.Saves, u.needs(" upward"))
	}
}

// inVain describes the cost of an index that answers no calls.
func (u *IndexUse) inVain() string {
	if u.Entries == 0 {
		return ""
	}
	return fmt.Sprintf(": it would save nothing, and its writes would cost %.0f RU/s", u.IndexWrites)
}

// needs describes how many reads the index needs, followed by on, and how many there are.
func (u *IndexUse) needs(on string) string {
	text := fmt.Sprintf("%s reads per 100 writes%s", figure(*u.BreakEven), on)
	if u.BreakEvenShare != nil {
		text += fmt.Sprintf(", %s of all calls", percent(*u.BreakEvenShare))
	}
	if u.ReadsFor100Writes != nil {
		text += fmt.Sprintf("; there are %s", figure(*u.ReadsFor100Writes))
	}
	return text
}

// figure writes a number of reads for people.
func figure(f float64) string {
	if f < 9.95 {
		return fmt.Sprintf("%.1f", f)
	}
	return fmt.Sprintf("%.0f", f)
}
