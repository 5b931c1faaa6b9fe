package server

import (
	"encoding/base64"
	"fmt"
	"strconv"
)

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
	var answer *reply
	err = c.read(call.now, func() error {
		r, err := newReader(c, q, call.Header, s.options.ScanLimit)
		if err != nil {
			return err
		}
		if held := r.held(); held != nil {
			if err := call.admit(c, held); err != nil {
				return err
			}
		}
		p, err := r.page()
		if err != nil {
			return err
		}
		answer = pageReply(call, c, p)
		return nil
	})
	return answer, err
}

// pageReply answers with a page.
func pageReply(call *call, c *container, p *page) *reply {
	call.entry.Items = len(p.rows)
	h := map[string]string{
		"x-ms-item-count": strconv.Itoa(len(p.rows)),
	}
	if p.held != nil {
		call.entry.Range = p.held.id
		h["x-ms-session-token"] = p.held.sessionToken()
		h["x-ms-documentdb-partitionkeyrangeid"] = p.held.id
	}
	if token := p.continuation(); token != "" {
		h[headerContinuation] = token
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
		status: statusOK,
		header: h,
		body:   feedBody(c.ridString(), "Documents", p.rows),
		charge: pageCharge(1, p.bytes),
	}
}
