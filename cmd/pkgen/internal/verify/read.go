package verify

import (
	"context"
	"encoding/json"

	"github.com/cosmos-pkgen/pkgen/internal/account"
)

// Container reads a container, or a sample of it, and returns what was found.
func (j *Judge) Container(ctx context.Context, a *account.Account, c *account.Container, s account.Sampling) (*Report, error) {
	report := &Report{Database: c.Database, Container: c.ID, Settings: j.Settings(c)}
	for _, t := range j.types {
		report.Types = append(report.Types, OfType{Type: t.entry.Type, Layout: t.layout.String(), Findings: []Finding{}})
	}
	documents := j.of(c)
	all := &values{judge: j, container: c, open: map[string][]claim{}}
	sample, err := a.Sample(ctx, c, s, func(page []json.RawMessage) {
		report.Add(documents.Documents(page))
		if j.hasUnique() {
			for _, document := range page {
				all.take(document)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	report.Share, report.Charge, report.Stopped = sample.Share, sample.Charge, sample.Stopped
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
