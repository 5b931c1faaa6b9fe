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
	costWrite = "one write, about 5 request units for 1 KB"
	costRead  = "one point read, 1 request unit for 1 KB"
	costQuery = "one query, about 3 request units a page"
)

// costFanOut says what the query of all buckets costs.
func (f *file) costFanOut() string {
	return fmt.Sprintf("a fan-out of at least %d queries, about 3 request units each", f.bucket.Count)
}

// costFind says what the search under all suffixes costs.
func (f *file) costFind() string {
	return fmt.Sprintf("one request to each physical partition that holds some of the %d logical partitions, about 3 request units each",
		f.bucket.Count)
}

// Method is an operation or a query of the repository.
type Method struct {
	Name       string // ByDateAndVIN
	Parameters string // "date, vin", without the context
	Partitions int    // how many logical partitions it reads or writes; 0 is all there are
	Cost       string // "one query, about 3 request units a page"
}

// Methods returns what the repository of t can do, in the order of the file.
func (t *Type) Methods() []Method {
	f := newFile(t)
	methods := []Method{
		{"Create", f.doc, 1, costWrite},
		{"Upsert", f.doc, 1, costWrite},
		{"Replace", f.doc, 1, costWrite},
		{"Get", "key", 1, costRead},
		{"Delete", "key", 1, costWrite},
	}
	byKey, byBase := f.ways()
	if byKey != nil {
		methods = append(methods, Method{methodName(byKey), list(byKey), 1, costQuery})
	}
	if byBase != nil {
		methods = append(methods, Method{methodName(byBase), list(byBase), f.bucket.Count, f.costFanOut()})
	}
	if f.random() {
		methods = append(methods, Method{"Find", list(f.findArguments()), f.bucket.Count, f.costFind()})
	}
	return append(methods, Method{"Scan", "", 0, "one query for each physical partition, about 3 request units a page"})
}

// list names arguments as a call does.
func list(args []argument) string {
	names := make([]string, len(args))
	for i, a := range args {
		names[i] = a.param
	}
	return strings.Join(names, ", ")
}
