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
	sample, err := a.Sample(ctx, c, s, func(page []json.RawMessage) { report.Add(documents.Documents(page)) })
	if err != nil {
		return nil, err
	}
	report.Share, report.Charge, report.Stopped = sample.Share, sample.Charge, sample.Stopped
	return report, nil
}
