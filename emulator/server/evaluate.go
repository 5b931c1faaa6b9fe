package server

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// Document is a JSON value that is decoded once and read by many queries. It is immutable and
// safe for concurrent use.
type Document struct{ value value.Value }

// DecodeDocument decodes a document. It keeps raw, which the caller must not change afterwards.
func DecodeDocument(raw []byte) (Document, error) {
	v, err := value.Decode(raw)
	return Document{v}, err
}

// Query is a query that runs over documents without an account, and so without paging, request
// units and the limits of a gateway. Tests of code that writes queries use it to check their
// results. It is immutable and safe for concurrent use.
type Query struct{ plan *evaluation.Plan }

// ParseQuery parses a query. The parameters are JSON values by name, with the @. A syntax error
// has the wrong word and its position.
func ParseQuery(text string, parameters map[string]json.RawMessage) (*Query, error) {
	parsed, err := cosmossql.Parse(text)
	if err != nil {
		return nil, err
	}
	values := make(map[string]value.Value, len(parameters))
	for name, raw := range parameters {
		if values[name], err = value.Decode(bytes.Clone(raw)); err != nil {
			return nil, fmt.Errorf("parameter %s: %w", name, err)
		}
	}
	plan, err := evaluation.Bind(nil, parsed, values)
	if err != nil {
		return nil, err
	}
	if err := plan.Resolve(evaluation.Policies{}); err != nil {
		return nil, err
	}
	return &Query{plan}, nil
}

// Match reports whether WHERE selects a document. It fails for queries whose rows depend on
// many documents: aggregates, GROUP BY and DISTINCT.
func (q *Query) Match(d Document) (bool, error) { return q.plan.Match(d.value) }

// Run returns the rows of the query over documents, as JSON.
func (q *Query) Run(documents ...Document) ([][]byte, error) {
	return q.plan.Run(func(yield func(value.Value) bool) {
		for _, d := range documents {
			if !yield(d.value) {
				return
			}
		}
	})
}

// Restricts returns the values, as JSON, to which WHERE limits the property at a path of names.
// The second result is false if WHERE does not limit it.
func (q *Query) Restricts(path ...string) ([]json.RawMessage, bool) {
	values, ok := q.plan.Restricts(path...)
	texts := make([]json.RawMessage, 0, len(values))
	for _, v := range values {
		texts = append(texts, v.JSON())
	}
	return texts, ok
}
