package verify

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/marks"
)

// Container reads a container, or a sample of it, and returns the findings.
func (j *Judge) Container(ctx context.Context, a *account.Account, c *account.Container, s account.Sampling) (*Report, error) {
	report := &Report{Database: c.Database, Container: c.ID, Settings: j.Settings(c)}
	for _, t := range j.types {
		report.Types = append(report.Types, OfType{Type: t.entry.Type, Layout: t.layout.String(), Findings: []Finding{}})
	}
	documents := j.of(c)
	all := &values{judge: j, container: c, open: map[string][]claim{}}
	renewing := &renewing{judge: documents, account: a, container: c}
	ctx, stop := context.WithCancelCause(ctx) // a failed write stops reading
	defer stop(nil)
	take := func(page []json.RawMessage) {
		for _, document := range page {
			found, v := documents.document(document)
			if j.Mend && v != nil && len(v.set) > 0 && ctx.Err() == nil {
				mended, err := renewing.document(ctx, document, *v)
				if err != nil {
					stop(err)
				}
				found.Types = []OfType{mended.OfType}
			}
			report.Add(found)
			if j.hasUnique() {
				all.take(document)
			}
		}
	}
	var uncertain []json.RawMessage
	sample, err := a.Sample(ctx, c, s, func(page []json.RawMessage) {
		take(slices.DeleteFunc(slices.Clone(page), func(document json.RawMessage) bool {
			m := markOf(document)
			switch {
			case m.Uncertain():
				uncertain = append(uncertain, document)
			case m.Hidden():
				report.Add(&Report{Moves: 1})
			}
			return m.Hidden()
		}))
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	asked := a.Spent()
	for _, document := range uncertain {
		shown, err := isDocument(ctx, a, c, document)
		switch {
		case err != nil:
			return nil, err
		case shown:
			take([]json.RawMessage{document})
		default:
			report.Add(&Report{Moves: 1})
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	asked = a.Spent() - asked
	report.Share, report.Charge, report.Stopped = sample.Share, sample.Charge+asked, sample.Stopped
	if report.Uncompared = sample.Stopped && j.hasUnique(); report.Uncompared {
		return report, nil
	}
	before := a.Spent()
	settling := &settling{values: all, account: a, mend: j.Mend, found: func(typ string, f Finding) {
		report.Add(&Report{Types: []OfType{{Type: typ, Findings: []Finding{f}}}})
	}}
	err = settling.settle(ctx)
	report.Charge += a.Spent() - before
	return report, err
}

// markOf returns the stored mark of a move; the zero Mark if there is none, or if the value has
// another form: types whose documents do not move may have a property of that name.
func markOf(document json.RawMessage) marks.Mark {
	var properties map[string]json.RawMessage
	_ = json.Unmarshal(document, &properties) // the service stores only objects
	m, err := marks.Parse(properties[marks.Property])
	if err != nil {
		return marks.Mark{}
	}
	return m
}

// isDocument reports whether an uncertain copy is a document. The deciding mark is at another key.
func isDocument(ctx context.Context, a *account.Account, c *account.Container, document json.RawMessage) (found bool, err error) {
	var copied struct {
		ID string `json:"id"`
	}
	_ = json.Unmarshal(document, &copied) // the service stores only objects
	err = a.Query(ctx, c, "SELECT c.id FROM c WHERE "+marks.Deciding("@id", "@token"), map[string]any{"@id": copied.ID, "@token": markOf(document).Token},
		func(json.RawMessage) { found = true })
	return found, err
}
