package templates

import (
	"fmt"
	"strings"
)

// What operations cost. Comments and [Type.Methods] say it in the same words.
//
// A point read of 1 KB is one request unit by definition; the others are from
// Microsoft's pages on request units and query performance, and rough.
const (
	costWrite    = "one write, about 5 request units for 1 KB"
	costVerified = "a read and a write on condition, 2 requests and about 6 request units for 1 KB"
	costRead     = "one point read, 1 request unit for 1 KB"
	costQuery    = "one query, about 3 request units a page"
	costFanOut   = "a fan-out of one query for each physical partition that holds some of them, about 3 request units a page of each"
)

// costChange says what it costs to change a document that may be another of the
// same key.
func (f *file) costChange() string {
	if f.Ambiguous {
		return costVerified
	}
	return costWrite
}

// cost says what a query costs.
func (f *file) cost(w way) string {
	if w.open < 0 && w.between == nil && f.complete(w) {
		return costQuery
	}
	return costFanOut
}

// wayDoc is the comment of a query.
func (f *file) wayDoc(w way) string {
	what := fmt.Sprintf("%s selects the %s documents", w.name, f.Name)
	if len(w.args) > 0 {
		what += " of " + enumerate(w.list()[:len(w.args)])
	}
	where := "which are in one logical partition"
	switch complete := f.complete(w); {
	case w.between != nil:
		what += fmt.Sprintf(" from the %s of %s to the %s of %s, whole %ss of UTC", unit(w.between.Layout), w.from,
			unit(w.between.Layout), w.to, unit(w.between.Layout))
		if w.open >= 0 {
			what += fmt.Sprintf(", each in %d buckets", f.levels[w.open].Bucket().Count)
		}
		return what + ": " + f.cost(w) + "."
	case !complete && w.open < 0:
		where = "whose keys have one prefix"
	case !complete:
		where = fmt.Sprintf("whose keys have %d prefixes", f.levels[w.open].Bucket().Count)
	case w.open >= 0:
		where = fmt.Sprintf("which are in %d logical partitions", f.levels[w.open].Bucket().Count)
	}
	return what + ", " + where + ": " + f.cost(w) + "."
}

// costFind says what the search under all suffixes costs.
func (f *file) costFind() string {
	return fmt.Sprintf("one request to each physical partition that holds some of the %d logical partitions, about 3 request units each",
		f.random().Bucket().Count)
}

// Method is an operation or a query of the repository.
type Method struct {
	Name       string // ByDateAndVIN
	Parameters string // "date, vin", without the context
	Partitions int    // how many logical partitions it reads or writes; 0 where that is not certain, or all there are
	Cost       string // "one query, about 3 request units a page"
}

// Methods returns what the repository of t can do, in the order of the file. Two
// of one name would not compile.
func (t *Type) Methods() []Method {
	f := newFile(t)
	replace := f.costChange()
	if f.Ambiguous && f.ETag != nil {
		replace += ", or one write if the ETag is set"
	}
	methods := []Method{
		{"Create", f.doc, 1, costWrite},
		{"Upsert", f.doc, 1, f.costChange()},
		{"Replace", f.doc, 1, replace},
		{"Get", "key", 1, costRead},
		{"Delete", "key", 1, f.costChange()},
	}
	for _, w := range f.ways() {
		methods = append(methods, Method{w.name, strings.Join(w.list(), ", "), f.partitions(w), f.cost(w)})
	}
	if level := f.random(); level != nil {
		methods = append(methods, Method{"Find", strings.Join(f.findWay().list(), ", "), level.Bucket().Count, f.costFind()})
	}
	return append(methods, Method{"Scan", "", 0, "one query for each physical partition, about 3 request units a page"})
}

// partitions returns how many logical partitions w reads, or 0.
func (f *file) partitions(w way) int {
	switch {
	case w.between != nil || !f.complete(w):
		return 0
	case w.open >= 0:
		return f.levels[w.open].Bucket().Count
	}
	return 1
}
