package templates

import (
	"fmt"

	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
)

// queryDoc is the comment of a query.
func (f *file) queryDoc(w keyQuery) string {
	what := fmt.Sprintf("%s selects the %s documents", w.name, f.Name)
	if len(w.args) > 0 {
		what += " of " + prose.Enumerate(w.list()[:len(w.args)])
	}
	if f.Containers != nil {
		return f.placedDoc(w, what)
	}
	return what + f.whereDoc(w)
}

// whereDoc says in which logical partitions the documents of w are, and what it costs
// to read them.
func (f *file) whereDoc(w keyQuery) string {
	where := ", in one logical partition"
	switch complete := f.complete(w); {
	case w.between != nil:
		return f.rangeDoc(w) + ": " + f.cost(w).Words + "."
	case !complete && f.spread(w):
		where = fmt.Sprintf(", whose keys have one of %d prefixes while the number of buckets grows", f.places())
	case f.spread(w):
		where = fmt.Sprintf(", in one of %d logical partitions while the number of buckets grows", f.places())
	case !complete && w.open < 0:
		where = ", whose keys have one prefix"
	case !complete:
		where = fmt.Sprintf(", whose keys have %d prefixes", f.Levels[w.open].Bucket().Reach())
	case w.open >= 0:
		where = fmt.Sprintf(", in %d logical partitions", f.Levels[w.open].Bucket().Reach())
	}
	return where + ": " + f.cost(w).Words + "."
}

// rangeDoc says which documents a range selects, and in which logical partitions.
func (f *file) rangeDoc(w keyQuery) string {
	unit := timelayout.Period(w.between.Layout)
	what := fmt.Sprintf(" from the %s of %s to the %s of %s, whole %ss of UTC", unit, w.from, unit, w.to, unit)
	if f.exact(w.between) {
		written := ""
		if w.between.Instant {
			written = ", as a repository.Time has written it"
		}
		what = fmt.Sprintf(" whose %s is %s or later and before %s%s, in the logical partitions of the %ss of UTC between them",
			w.between.Property, w.from, w.to, written, unit)
	}
	if w.open >= 0 {
		what += fmt.Sprintf(", each in %d buckets", f.Levels[w.open].Bucket().Reach())
	}
	return what
}
