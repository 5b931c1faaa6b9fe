package server

import (
	"net/http"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/query"
	"github.com/cosmos-pkgen/pkgen/internal/charge"
)

// readQueryPlan serves the plan of a query. SDKs request it when the gateway has refused a
// query that it would have to combine over partitions; some request it first.
func (s *Server) readQueryPlan(call *call) (*reply, error) {
	q, err := query.Parse(call.body, call.meter)
	if err != nil {
		return nil, err
	}
	call.entry.Query = q.Text
	c, err := s.replica(call)
	if err != nil {
		return nil, err
	}
	q.Pin(c)
	answer := &reply{status: http.StatusOK, charge: charge.Metadata}
	answer.body, err = q.Plan(c, call.Header, call.now)
	return answer, err
}
