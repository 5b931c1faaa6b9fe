package explorer

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/work"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/header"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/query"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// queryRequest is the request of the query box. Key is a partition key as JSON, and Range the
// id of a physical partition. Without either, the query covers all documents.
type queryRequest struct {
	DB         string          `json:"db"`
	C          string          `json:"c"`
	Query      string          `json:"query"`
	Parameters json.RawMessage `json:"parameters"`
	Key        string          `json:"key"`
	Range      string          `json:"range"`
	Most       int             `json:"most"` // rows
}

// queryResult is the result of a query.
type queryResult struct {
	Rows     []json.RawMessage `json:"rows"`
	More     bool              `json:"more"` // whether rows were left out
	Requests []requestMade     `json:"requests"`
	Charge   float64           `json:"charge"`
	// Combined reports that the gateway refused the query over several physical partitions,
	// and that the explorer read all documents and evaluated it.
	Combined bool    `json:"combined"`
	Millis   float64 `json:"ms"`
}

// requestMade is one of the requests for a query.
type requestMade struct {
	Range  string  `json:"range"`
	Status int     `json:"status"`
	Rows   int     `json:"rows"`
	Charge float64 `json:"charge"`
	Millis float64 `json:"ms"`
}

// Limits of a query of the page.
const (
	defaultRows  = 1000
	mostRows     = 10_000
	mostCombined = 200_000 // documents
)

// query runs a query, page by page.
func (e *Explorer) query(r *http.Request) (any, error) {
	sent, err := body[queryRequest](r)
	if err != nil {
		return nil, err
	}
	if sent.Most <= 0 {
		sent.Most = defaultRows
	}
	sent.Most = min(sent.Most, mostRows)
	text := map[string]any{"query": sent.Query}
	if len(sent.Parameters) > 0 {
		text["parameters"] = sent.Parameters
	}
	encoded, err := json.Marshal(text)
	if err != nil {
		return nil, err
	}
	h := http.Header{}
	h.Set("x-ms-documentdb-query-enablecrosspartition", "True")
	if sent.Key != "" {
		h.Set(header.PartitionKey, sent.Key)
	}
	if sent.Range != "" {
		h.Set("x-ms-documentdb-partitionkeyrangeid", sent.Range)
	}
	start := time.Now()
	result := &queryResult{Rows: []json.RawMessage{}, Requests: []requestMade{}}
	err = e.readAll(r, sent, h, encoded, result, sent.Most)
	var refused *status.Error
	if errors.As(err, &refused) && refused.Substatus == status.CrossPartition {
		err = e.combine(r, sent, encoded, result)
	}
	if err != nil {
		return nil, err
	}
	result.Millis = millis(time.Since(start))
	return result, nil
}

// readAll reads pages until it has more than most rows, or until the last page.
func (e *Explorer) readAll(r *http.Request, sent queryRequest, h http.Header, text []byte, result *queryResult, most int) error {
	h = h.Clone()
	h.Set("x-ms-max-item-count", "-1")
	for {
		start := time.Now()
		p, err := e.readPage(r.Context(), documentsPath(sent.DB, sent.C), h, text)
		charge, _ := strconv.ParseFloat(p.answer.Header.Get("x-ms-request-charge"), 64)
		result.Requests = append(result.Requests, requestMade{
			Range: p.answer.Header.Get("x-ms-documentdb-partitionkeyrangeid"), Status: p.answer.Status,
			Rows: len(p.rows), Charge: charge, Millis: millis(time.Since(start)),
		})
		result.Charge += charge
		if err != nil {
			var f *status.Error
			if errors.As(err, &f) {
				f.Substatus, _ = strconv.Atoi(p.answer.Header.Get("x-ms-substatus"))
			}
			return err
		}
		result.Rows = append(result.Rows, p.rows...)
		if len(result.Rows) > most { // a continuation does not prove that a row follows
			result.Rows, result.More = result.Rows[:most], true
			return nil
		}
		if p.continuation == "" {
			return nil
		}
		h.Set(header.Continuation, p.continuation)
	}
}

// combine evaluates a query that the gateway does not serve over several physical partitions.
// It reads all documents, and evaluates the query over them.
func (e *Explorer) combine(r *http.Request, sent queryRequest, text []byte, result *queryResult) error {
	h := http.Header{}
	if sent.Key != "" { // a prefix of a hierarchical key
		h.Set(header.PartitionKey, sent.Key)
	}
	everything := &queryResult{Requests: result.Requests, Charge: result.Charge}
	if err := e.readAll(r, sent, h, nil, everything, mostCombined); err != nil {
		return err
	}
	if everything.More {
		return status.BadRequest("the query combines documents of several physical partitions, and there are more than %d: query one physical partition or one key", mostCombined)
	}
	in, err := e.find(sent.DB, sent.C)
	if err != nil {
		return err
	}
	documents := make([][]byte, len(everything.Rows))
	for i, d := range everything.Rows {
		documents[i] = d
	}
	meter := work.NewMeter(r.Context(), e.account.Limits)
	defer meter.Close()
	q, err := query.Parse(text, meter)
	if err != nil {
		return err
	}
	rows, err := q.RunOver(documents, in, e.account.Now())
	if err != nil {
		return err
	}
	result.Combined, result.Requests, result.Charge = true, everything.Requests, everything.Charge
	result.More = len(rows) > sent.Most
	for _, row := range rows[:min(len(rows), sent.Most)] {
		result.Rows = append(result.Rows, row)
	}
	return nil
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
