package server

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// checkServable refuses the queries across partitions that the gateway refuses, by
// Microsoft's page "Query Azure Cosmos DB resources using the REST API", under
// "Queries that cannot be served by gateway".
func (q *query) checkServable(s *scope, h http.Header) error {
	if s.single {
		return nil
	}
	if s.prefix == nil && !isTrue(h, "x-ms-documentdb-query-enablecrosspartition") {
		return badRequest("Cross partition query is required but disabled. Please set x-ms-documentdb-query-enablecrosspartition to true, specify x-ms-documentdb-partitionkey, or revise your query to avoid this exception.")
	}
	if len(q.combines) > 0 {
		return fail(http.StatusBadRequest, substatusCrossPartition,
			"The provided cross partition query can not be directly served by the gateway. This is a first chance (internal) exception that all newer clients will know how to handle gracefully. This exception is traced, but unless you see it bubble up as an exception (which only happens on older SDK clients), then you can safely ignore this message. The gateway does not combine %s over partitions.",
			strings.Join(q.combines, ", "))
	}
	return nil
}

// checkOrder refuses ORDER BY with several properties, unless there is a composite
// index of the same properties in the same order, with all directions equal or all
// reversed ("Indexing policies in Azure Cosmos DB", composite indexes).
func (c *container) checkOrder(q *query) error {
	order := q.order()
	if len(order) < 2 {
		return nil
	}
	for _, index := range c.composite {
		if len(index) != len(order) {
			continue
		}
		same, reversed := true, true
		for i, key := range order {
			fits := slices.Equal(key.path, index[i].path)
			same = same && fits && key.descending == index[i].descending
			reversed = reversed && fits && key.descending != index[i].descending
		}
		if same || reversed {
			return nil
		}
	}
	return badRequest("The order by query does not have a corresponding composite index that it can be served from.")
}

// queryItems serves one page of a query.
func (s *Server) queryItems(call *call) (*reply, error) {
	q, err := parseQuery(call.body)
	if err != nil {
		return nil, err
	}
	call.entry.Query = q.text
	return s.servePage(call, q)
}

// readItems serves one page of the documents of a container.
func (s *Server) readItems(call *call) (*reply, error) { return s.servePage(call, nil) }

// servePage serves one page of a query, or of a feed if the query is nil.
func (s *Server) servePage(call *call, q *query) (*reply, error) {
	c, err := s.container(call)
	if err != nil {
		return nil, err
	}
	rows, err := pageSize(call.Header)
	if err != nil {
		return nil, err
	}
	c.rlock(call.now)
	defer c.mu.RUnlock()
	sc, err := c.scopeOf(call.Header, q)
	if err != nil {
		return nil, err
	}
	start := cursor{RID: ridText(c.rid), Query: fingerprint(strconv.FormatUint(q.identity(), 16), sc.text), Min: sc.min}
	if sc.held != nil {
		start.Range = sc.held.id
	}
	from, err := resume(call.Header, start, sc.held)
	if err != nil {
		return nil, err
	}
	bounds := limits{rows: rows, documents: s.options.ScanLimit}
	read := c.scan
	if q != nil {
		if err := q.checkServable(sc, call.Header); err != nil {
			return nil, err
		}
		if err := c.checkOrder(q); err != nil {
			return nil, err
		}
		switch {
		case q.wholeSet():
			read = c.whole
		case len(q.order()) > 0:
			read = c.sorted
		}
	}
	if held := c.at(sc, from.Min); held != nil {
		if err := c.admit(call, held); err != nil {
			return nil, err
		}
	}
	p, err := read(sc, q, from, bounds)
	if err != nil {
		return nil, err
	}
	return c.pageReply(call, p), nil
}

// pageReply answers with a page.
func (c *container) pageReply(call *call, p *page) *reply {
	call.entry.Items = len(p.rows)
	h := map[string]string{
		"x-ms-item-count": strconv.Itoa(len(p.rows)),
	}
	if p.held != nil {
		call.entry.Range = p.held.id
		h["x-ms-session-token"] = p.held.sessionToken()
		h["x-ms-documentdb-partitionkeyrangeid"] = p.held.id
	}
	if p.next != nil {
		h[headerContinuation] = p.next.token()
	}
	if isTrue(call.Header, "x-ms-documentdb-populatequerymetrics") {
		h["x-ms-documentdb-query-metrics"] = fmt.Sprintf(
			"totalExecutionTimeInMs=0.00;queryCompileTimeInMs=0.00;queryLogicalPlanBuildTimeInMs=0.00;queryPhysicalPlanBuildTimeInMs=0.00;queryOptimizationTimeInMs=0.00;VMExecutionTimeInMs=0.00;indexLookupTimeInMs=0.00;instructionCount=0;documentLoadTimeInMs=0.00;systemFunctionExecuteTimeInMs=0.00;userFunctionExecuteTimeInMs=0.00;retrievedDocumentCount=%d;retrievedDocumentSize=0;outputDocumentCount=%d;outputDocumentSize=%d;writeOutputTimeInMs=0.00;indexUtilizationRatio=1.00",
			p.examined, len(p.rows), p.bytes)
	}
	if isTrue(call.Header, "x-ms-cosmos-populateindexmetrics") {
		h["x-ms-cosmos-index-utilization"] = base64.StdEncoding.EncodeToString([]byte(
			`{"UtilizedSingleIndexes":[],"PotentialSingleIndexes":[],"UtilizedCompositeIndexes":[],"PotentialCompositeIndexes":[]}`))
	}
	return &reply{
		status: http.StatusOK,
		header: h,
		body:   feedBody(ridText(c.rid), "Documents", p.rows),
		charge: pageCharge(1, p.bytes),
	}
}
