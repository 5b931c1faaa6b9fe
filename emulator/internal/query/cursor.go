package query

import (
	"encoding/base64"
	"encoding/json"
	"hash/fnv"
	"net/http"
	"slices"
	"strconv"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/header"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
)

// cursor is the content of a continuation token: the place where a query or feed resumes. It
// is bound to the container, the scope, and the query or its order. It names a place in the
// key space and not a range, so it stays valid after splits and merges.
type cursor struct {
	// RID is the resource id of the container.
	RID string `json:"rid"`
	// Query identifies the query, its parameters and its scope, except for the range.
	Query uint64 `json:"query"`
	// Sorted identifies the ORDER BY clause and the scope instead. Such a token names a
	// document and its values, which is a place for any filter: SDKs resume a query with an
	// additional filter. It is 0 if the token also depends on the filter: see [Query.sorting].
	Sorted uint64 `json:"sorted,omitempty"`
	// Range is the id of the range that the request names, if any, and Low and High are its
	// bounds. After a split the token is valid for the new ranges: clients resume in each of
	// them with the token of the old range. After a merge it is valid for the part of the new
	// range that was the old one. Clients name that part by a window.
	Range string `json:"range,omitempty"`
	Low   string `json:"low,omitempty"`
	High  string `json:"high,omitempty"`
	// Min is the effective partition key from which the next page is read.
	Min string `json:"min"`
	// Segments are the parts of the key space, from Min on, that were partly read. Nothing
	// after the last segment has been read.
	Segments []segment `json:"segments,omitempty"`
	// Taken is how many rows were returned, and Skipped how many rows OFFSET skipped.
	Taken   int `json:"taken,omitempty"`
	Skipped int `json:"skipped,omitempty"`
	// Order holds the ORDER BY values of the last row, as JSON; an undefined
	// value is an empty string. Nil before the first row.
	Order []string `json:"order,omitempty"`
}

// segment is a part of the key space that ends before Max. All its documents up to the seq
// After have been read. If Rows is not 0, so were the first Rows rows of the document with the
// seq Doc.
type segment struct {
	Max   string `json:"max"`
	After uint64 `json:"after"`
	Doc   uint64 `json:"doc,omitempty"`
	Rows  int    `json:"rows,omitempty"`
}

// known is how many rows of a document earlier pages returned.
func (s segment) known(d *store.Document) int {
	if d.Seq == s.Doc {
		return s.Rows
	}
	return 0
}

// token writes a cursor as a header value.
func (c cursor) token() string {
	b, err := json.Marshal(c)
	if err != nil { // it holds only strings and numbers
		panic("emulator: " + err.Error())
	}
	return base64.StdEncoding.EncodeToString(b)
}

// resume returns the cursor in the continuation header of a request, or a cursor at the start
// of its scope if there is no header. It refuses a token of another query, scope or container.
func resume(h http.Header, c *store.Container, s *scope, q *Query) (cursor, error) {
	start := cursor{RID: c.RID(), Min: s.min}
	start.bind(q, s.text)
	if s.held != nil {
		start.Range, start.Low, start.High = s.held.ID, s.held.Min, s.held.Max
	}
	text := h.Get(header.Continuation)
	if text == "" {
		return start, nil
	}
	var from cursor
	b, err := base64.StdEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(b, &from)
	}
	if err == nil && from.inherits(s) {
		low, high := from.Low, from.High
		if from.isOf(q, s.text) { // the token has the same window
			low, high = s.window.cut(low, high)
		}
		if q != nil && q.wholeSet() && from.Taken > 0 && s.misses(low, high) {
			return from, status.BadRequest("Invalid Continuation Token: partition key range %s was split during a query whose rows depend on all documents of the range. Begin the query again.", from.Range)
		}
		if from.isOf(q, s.bare) {
			from.bind(q, s.text)
		}
		from.Range, from.Low, from.High = start.Range, start.Low, start.High
	}
	if err != nil || from.RID != start.RID || !from.isOf(q, s.text) || from.Range != start.Range || from.Skipped < 0 || from.Taken < 0 || slices.ContainsFunc(from.Segments, func(s segment) bool { return s.Rows < 0 }) {
		return from, status.BadRequest("Invalid Continuation Token %s: it is not a token, or it is one of another query, partition key, range or collection.", text)
	}
	if from.Query != start.Query { // another filter may allow other keys
		from.bind(q, s.text)
		from.Min = start.Min
	}
	return from, nil
}

// bind binds a cursor to a query in a scope.
func (c *cursor) bind(q *Query, scope string) {
	c.Query, c.Sorted = fingerprint(q.identity(), scope), 0
	if sorting := q.sorting(); sorting != "" {
		c.Sorted = fingerprint(sorting, scope)
	}
}

// isOf reports whether a token names a place in the rows of a query in a scope.
func (c *cursor) isOf(q *Query, scope string) bool {
	var same cursor
	same.bind(q, scope)
	within := slices.ContainsFunc(c.Segments, func(s segment) bool { return s.Rows > 0 })
	return c.Query == same.Query || c.Sorted == same.Sorted && c.Sorted != 0 && !within
}

// inherits reports whether a token belongs to a range from which the range of the request was
// split or merged, and covers all that the request can read there. A client that read a whole
// merged range with the token of one half would miss the other half.
func (c cursor) inherits(s *scope) bool {
	return s.held != nil && slices.Contains(s.held.Parents, c.Range) && s.within(c.Low, c.High)
}

// fingerprint identifies a query by its body and scope.
func fingerprint(parts ...string) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		_, _ = h.Write([]byte(strconv.Itoa(len(p)) + ":" + p))
	}
	return h.Sum64()
}

// Page sizes. The service's default is 100 ("Pagination in Azure Cosmos DB"). For -1
// the service chooses a size, within 4 MB.
const (
	defaultPage = 100
	dynamicPage = 1000
	maxPageSize = 4 << 20
)

// pageSize is the number of rows that a page may have.
func pageSize(h http.Header) (int, error) {
	text := h.Get("X-Ms-Max-Item-Count")
	if text == "" {
		return defaultPage, nil
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil || n < -1 || n == 0:
		return 0, status.BadRequest("The value %q of header x-ms-max-item-count is invalid: use a positive number, or -1.", text)
	case n == -1:
		return dynamicPage, nil
	}
	return n, nil
}
