package server

import (
	"encoding/base64"
	"fmt"
	"strconv"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/header"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/query"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
	"github.com/cosmos-pkgen/pkgen/internal/charge"
)

// queryItems serves one page of a query.
func (s *Server) queryItems(call *call) (*reply, error) {
	q, err := query.Parse(call.body, call.meter)
	if err != nil {
		return nil, err
	}
	call.entry.Query = q.Text
	return s.servePage(call, q)
}

// readItems serves one page of the documents of a container.
func (s *Server) readItems(call *call) (*reply, error) { return s.servePage(call, nil) }

// servePage serves one page of a query, or of a feed if the query is nil.
func (s *Server) servePage(call *call, q *query.Query) (*reply, error) {
	c, err := s.replica(call)
	if err != nil {
		return nil, err
	}
	if q != nil {
		q.Pin(c)
	}
	var r *query.Reader
	err = c.Read(call.now, func() error {
		var err error
		r, err = query.NewReader(c, q, call.Header, s.options.ScanLimit)
		if err != nil {
			return err
		}
		if held := r.Range(); held != nil {
			return call.admit(c, held)
		}
		return nil
	})
	if err != nil {
		return nil, q.WithPlan(err, c) // without the lock
	}
	p, err := r.Page() // of a snapshot: it may take its time
	if err != nil {
		return nil, err
	}
	answer := pageReply(call, c, p)
	if header.IsTrue(call.Header, "X-Ms-Cosmos-Populatequeryadvice") && call.Header.Get(header.Continuation) == "" && q != nil {
		answer.header["x-ms-cosmos-query-advice"] = q.Advice()
	}
	return answer, nil
}

// pageReply answers with a page.
func pageReply(call *call, c *store.Container, p *query.Page) *reply {
	call.entry.Items = len(p.Rows)
	h := map[string]string{
		"x-ms-item-count": strconv.Itoa(len(p.Rows)),
	}
	if p.Range != nil {
		call.entry.Range = p.Range.ID
		h["x-ms-session-token"] = p.Range.SessionToken()
		h["x-ms-documentdb-partitionkeyrangeid"] = p.Range.ID
	}
	if token := p.Continuation(); token != "" {
		h[header.Continuation] = token
	}
	if header.IsTrue(call.Header, "X-Ms-Documentdb-Populatequerymetrics") {
		h["x-ms-documentdb-query-metrics"] = fmt.Sprintf(
			"totalExecutionTimeInMs=0.00;queryCompileTimeInMs=0.00;queryLogicalPlanBuildTimeInMs=0.00;queryPhysicalPlanBuildTimeInMs=0.00;queryOptimizationTimeInMs=0.00;VMExecutionTimeInMs=0.00;indexLookupTimeInMs=0.00;instructionCount=0;documentLoadTimeInMs=0.00;systemFunctionExecuteTimeInMs=0.00;userFunctionExecuteTimeInMs=0.00;retrievedDocumentCount=%d;retrievedDocumentSize=0;outputDocumentCount=%d;outputDocumentSize=%d;writeOutputTimeInMs=0.00;indexUtilizationRatio=1.00",
			p.Examined, len(p.Rows), p.Bytes)
	}
	if header.IsTrue(call.Header, "X-Ms-Cosmos-Populateindexmetrics") {
		h["x-ms-cosmos-index-utilization"] = base64.StdEncoding.EncodeToString([]byte(
			`{"UtilizedSingleIndexes":[],"PotentialSingleIndexes":[],"UtilizedCompositeIndexes":[],"PotentialCompositeIndexes":[]}`))
	}
	return &reply{
		status: status.OK,
		header: h,
		body:   feedBody(c.RID(), "Documents", p.Rows),
		charge: charge.Page(1, p.Bytes),
	}
}
