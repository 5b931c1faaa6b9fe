package query

import (
	"context"
	"errors"
	"net/http"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/cursor"
	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/internal/route"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// pageStream is what one job gives of a page, in its order. It is read response by
// response, only as far as the page needs it.
type pageStream struct {
	job   job
	since *position // what was given when the stream began; it does not change
	mixed bool      // whether stretches of since divide the job
	wide  bool      // whether documents come that the job does not answer for

	// The query: what sorts after since, of which strict leaves out what sorts like
	// it. Where the list of partition keys is of more than the job, from and to bound it.
	strict     bool
	text       string
	parameters []azcosmos.QueryParameter
	from, to   string
	sum        []byte

	// How far it was read. Rows are those of the last response that are left.
	opened, ended bool
	token, before string // the service's continuation after the last response, and before it
	again         int    // how many documents to expect that were given
	rows          []pageRow
	last          []text.SortValue // by which the last document of the last response is sorted

	// What the last response has shown.
	direction direction
	container string
	passed    int // documents that were given before
	number    docNumber
}

// pageRow is a document that was not given yet.
type pageRow struct {
	raw    []byte
	keys   []text.SortValue
	number docNumber
	read   int // how many documents of the response come before it
}

// fetch reads the next response, of which the page needs so many documents.
func (s *pageStream) fetch(ctx context.Context, r *pageRun, wanted int) error {
	hint := wanted + min(s.again, wanted) // what a cursor says is no reason to read more
	hint = min(hint, maxResponse)
	if r.pageSize > 0 {
		hint = min(hint, int(r.pageSize))
	}
	requests := ctx
	if s.job.scoped {
		requests = route.InRange(ctx, s.job.rid, s.job.in.ID)
	}
	o := wire.QueryOptions(ctx)
	o.QueryParameters, o.PageSizeHint, o.ResponseContinuationTokenLimitInKB = s.parameters, int32(hint), 1
	if s.token != "" {
		o.ContinuationToken = &s.token
	}
	var response azcosmos.QueryItemsResponse
	err := wire.Reread(ctx, func() (err error) {
		response, err = r.request(requests, s.job, r.store.Target(ctx).NewQueryItemsPager(s.text, s.job.key, &o))
		return err
	})
	if r.store.Lacks(err) {
		s.opened, s.ended, s.rows = true, true, nil
		return nil // its documents were deleted
	}
	if err != nil {
		return err
	}
	if s.job.scoped && len(response.Items) > 0 && !r.from(s.job.rid) {
		return r.madeAgain(s.job, errors.New("its documents are others"))
	}
	s.opened, s.again, s.before, s.token = true, 0, s.token, ""
	if response.ContinuationToken != nil {
		s.token = *response.ContinuationToken
	}
	s.ended = s.token == ""
	return s.take(r, response.Items)
}

// take keeps the documents of a response that were not given yet.
func (s *pageStream) take(r *pageRun, items [][]byte) error {
	s.rows, s.passed = nil, 0
	all := make([]text.SortValue, 0, len(items)*len(r.orders))
	for i, raw := range items {
		start := len(all)
		var err error
		if all, err = text.SortKeys(all, r.orders, raw); err != nil {
			return err
		}
		keys := all[start:len(all):len(all)]
		rid, err := ridOf(raw)
		if err != nil {
			return err
		}
		number, ordered := numberOf(rid)
		if s.container == "" {
			s.container = containerOf(rid)
		} else if c := containerOf(rid); c != "" && c != s.container {
			return r.q.cursorError(cursor.ErrOtherContainer)
		}
		if s.last != nil && text.CompareKeys(r.orders, s.last, keys) == 0 {
			s.direction = s.direction.next(s.number, number)
		}
		if !ordered {
			s.direction = unsorted
		}
		s.last, s.number = keys, number
		given, err := s.given(r, raw, keys, number)
		if err != nil {
			return err
		}
		if given {
			s.passed++
			continue
		}
		s.rows = append(s.rows, pageRow{raw, keys, number, i})
	}
	return nil
}

// given reports whether a document was given before the stream began, or is not
// one that its job answers for.
func (s *pageStream) given(r *pageRun, raw []byte, keys []text.SortValue, n docNumber) (bool, error) {
	if foreign, err := foreignTo(r.store, &s.job, raw); err != nil || foreign {
		return foreign, err
	}
	place := s.job.low
	alike := s.since.Keys != nil && text.CompareKeys(r.orders, keys, s.since.Keys) == 0
	if s.wide || alike && s.mixed {
		var err error
		if place, err = r.store.EPK(raw); err != nil {
			return false, err
		}
	}
	switch {
	case partition.CompareEPK(place, s.job.low) < 0 || partition.CompareEPK(place, s.job.high) >= 0:
		return true, nil
	case s.since.Keys == nil:
		return false, nil
	case !alike:
		return text.CompareKeys(r.orders, keys, s.since.Keys) < 0, nil
	}
	stretch := s.since.at(place)
	return stretch != nil && stretch.has(n, s.since.Direction), nil
}

// refuses reports whether an error says that the service does not take the token
// of a cursor: the physical partition may be another one by now.
func (s *pageStream) refuses(err error) bool {
	var response *azcore.ResponseError
	return !s.opened && s.token != "" && errors.As(err, &response) && response.StatusCode == http.StatusBadRequest
}

// pageStreams is a heap of streams by what they give next, or by what they cannot
// give anything before.
type pageStreams struct {
	orders []text.Order
	all    []*pageStream
}

// bound returns the values before which a stream gives nothing, nil if there are
// none, and whether it gives nothing that sorts like them either.
func (s *pageStream) bound() (keys []text.SortValue, after bool) {
	switch {
	case len(s.rows) > 0:
		return s.rows[0].keys, false
	case s.last != nil:
		return s.last, false
	}
	return s.since.Keys, s.strict
}

func (h *pageStreams) Len() int      { return len(h.all) }
func (h *pageStreams) Swap(i, j int) { h.all[i], h.all[j] = h.all[j], h.all[i] }
func (h *pageStreams) Push(x any)    { h.all = append(h.all, x.(*pageStream)) }

func (h *pageStreams) Less(i, j int) bool {
	if c := h.all[i].compare(h.all[j], h.orders); c != 0 {
		return c < 0
	}
	return partition.CompareEPK(h.all[i].job.low, h.all[j].job.low) < 0
}

// compare compares two streams by their bounds.
func (s *pageStream) compare(other *pageStream, orders []text.Order) int {
	a, afterA := s.bound()
	b, afterB := other.bound()
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	if c := text.CompareKeys(orders, a, b); c != 0 || afterA == afterB {
		return c
	}
	if afterB {
		return -1
	}
	return 1
}

func (h *pageStreams) Pop() any {
	last := h.all[len(h.all)-1]
	h.all = h.all[:len(h.all)-1]
	return last
}

// pageRun is one run of Query.Page.
type pageRun struct {
	*execution
	q       Selection
	size    int
	pos     *position // after what was given so far
	streams pageStreams
	values  []Target // the partition keys of the query by their places, once asked for

	// The stream that gave the last document, how many it gave that sort alike, and
	// its stretches.
	giver      *pageStream
	alike      int
	first, end int

	found  bool // whether any document came, one that was given before among them
	passed int  // how many came that were given before
}

// maxResponse is how many documents are asked for in one response. More of a
// kilobyte or two would not fit into it.
const maxResponse = 1000
