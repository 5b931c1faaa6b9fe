package query

import (
	"math"
	"net/http"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/header"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
)

// Reader reads one page of a query, or of a feed of all documents.
type Reader struct {
	query  *Query // nil for a feed
	from   cursor
	limits limits
	held   *store.Range // nil if there is nothing to read
	source source
}

// source is the input of a page: a snapshot, which needs no lock.
type source struct {
	part    *store.RangeSnapshot // nil if there is nothing to read
	docs    documents
	further bool // whether the scope touches a range after this one
}

// NewReader decides what a request reads, and refuses what the service's gateway refuses. A
// nil query reads all documents. scanLimit is the number of documents after which a page ends;
// 0 means no limit. Pin must have been called for a query.
//
// The caller holds the lock of the container; [Reader.Page] does not need it.
func NewReader(c *store.Container, q *Query, h http.Header, scanLimit int) (*Reader, error) {
	rows, err := pageSize(h)
	if err != nil {
		return nil, err
	}
	if q != nil && q.plan.Component() { // in one page, as in the service, because SDKs expect it
		rows = math.MaxInt
	}
	r := &Reader{query: q, limits: limits{rows: rows, documents: scanLimit}}
	s, err := scopeOf(c, h, q)
	if err != nil {
		return nil, err
	}
	if r.from, err = resume(h, c, s, q); err != nil {
		return nil, err
	}
	if q != nil {
		if err := q.resolve(c); err != nil {
			return nil, err
		}
		if err := q.checkServable(s, h); err != nil {
			q.refused = s
			return nil, err
		}
		if err := checkOrder(c, q); err != nil {
			return nil, err
		}
		if err := q.checkPlace(c); err != nil {
			return nil, err
		}
	}
	r.open(c, s)
	return r, nil
}

// open takes the snapshot for the page.
func (r *Reader) open(c *store.Container, s *scope) {
	if r.held = rangeAt(c, s, r.from.Min); r.held == nil {
		return
	}
	r.source = source{
		part:    r.held.Snapshot(),
		docs:    documentsIn(c, s, r.held),
		further: r.held.Max != store.MaxEPK && rangeAt(c, s, r.held.Max) != nil,
	}
}

// Range returns the physical partition from which the page comes, or nil if there is
// nothing to read.
func (r *Reader) Range() *store.Range { return r.held }

// Page reads the page. It needs no lock. If half of the query's time is over, the page ends
// after a document, as in the service ("Pagination in Azure Cosmos DB for NoSQL"). It fails if
// all of the time is over: one document takes too long, or the query cannot be divided.
func (r *Reader) Page() (*Page, error) {
	switch {
	case r.query != nil && r.query.wholeSet():
		return wholePage(r.source, r.query, r.from, r.limits)
	case r.query != nil && len(r.query.order()) > 0:
		return sortedPage(r.source, r.query, r.from, r.limits)
	}
	return scanPage(r.source, r.query, r.from, r.limits)
}

// checkServable refuses the queries across partitions that the gateway refuses, by Microsoft's
// page "Query Azure Cosmos DB resources using the REST API", section "Queries that cannot be
// served by gateway".
func (q *Query) checkServable(s *scope, h http.Header) error {
	if q.parsed.Rank != nil && (h.Get(header.PartitionKey) != "" || s.held != nil || s.window != nil) {
		// The service returns these documents without ranking them (azure-cosmos-dotnet-v3
		// issue 5332). With the refusal below, the SDK for JavaScript would continue without
		// the partition key.
		return status.BadRequest("A query with ORDER BY RANK cannot name a partition key or a range: the service would return its documents without ranking them. Name the key in the WHERE clause, in a query over all partitions.")
	}
	if s.single && q.parsed.Rank == nil {
		return nil
	}
	if !s.single && s.prefix == nil && !header.IsTrue(h, "X-Ms-Documentdb-Query-Enablecrosspartition") {
		return status.BadRequest("Cross partition query is required but disabled. Please set x-ms-documentdb-query-enablecrosspartition to true, specify x-ms-documentdb-partitionkey, or revise your query to avoid this exception.")
	}
	if len(q.combines) > 0 {
		return status.New(status.CodeBadRequest, status.CrossPartition,
			"The provided cross partition query can not be directly served by the gateway. This is a first chance (internal) exception that all newer clients will know how to handle gracefully. This exception is traced, but unless you see it bubble up as an exception (which only happens on older SDK clients), then you can safely ignore this message. The gateway does not combine %s over partitions.",
			strings.Join(q.combines, ", "))
	}
	return nil
}

// checkOrder refuses ORDER BY with several properties, unless there is a composite index of
// the same properties in the same order, with all directions equal or all reversed ("Indexing
// policies in Azure Cosmos DB", composite indexes).
//
// It also refuses ORDER BY of one computed property that is not indexed.
func checkOrder(c *store.Container, q *Query) error {
	order := q.order()
	if len(order) == 1 && slices.ContainsFunc(c.Computed, func(p store.ComputedProperty) bool {
		return !p.Indexed && len(order[0].Path) > 0 && order[0].Path[0] == p.Name
	}) {
		return status.BadRequest("The index path corresponding to the specified order-by item is excluded.")
	}
	if len(order) < 2 {
		return nil
	}
	for _, index := range c.CompositeIndexes {
		if len(index) != len(order) {
			continue
		}
		same, reversed := true, true
		for i, key := range order {
			fits := slices.Equal(key.Path, index[i].Path)
			same = same && fits && key.Descending == index[i].Descending
			reversed = reversed && fits && key.Descending != index[i].Descending
		}
		if same || reversed {
			return nil
		}
	}
	return status.BadRequest("The order by query does not have a corresponding composite index that it can be served from.")
}
