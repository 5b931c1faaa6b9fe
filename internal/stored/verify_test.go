package stored

import (
	"os"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/verify"
)

// verified returns what pkgen-data verify says of a container by the lock of package second.
func (p *program) verified(container string, mend bool) *verify.Report {
	p.Helper()
	text, err := os.ReadFile("second/pkgen.lock")
	p.need(err)
	all, problem := lock.Parse(text)
	if problem != nil {
		p.Fatal(problem)
	}
	var entries []lock.Entry
	for _, e := range all {
		if name, _, _ := strings.Cut(e.Container, "{"); e.Container == container || name != e.Container && strings.HasPrefix(container, name) {
			entries = append(entries, e)
		}
	}
	if len(entries) == 0 {
		p.Fatalf("the lock has no type in %s", container)
	}
	judge, err := verify.New(entries)
	p.need(err)
	judge.Mend = mend
	a, err := account.Open("AccountEndpoint=" + p.endpoint + ";AccountKey=" + p.world.server.Key())
	p.need(err)
	a.Through(p.world)
	c, err := a.Container(p.ctx, database, container)
	p.need(err)
	report, err := judge.Container(p.ctx, a, c, account.Sampling{Share: 1})
	p.need(err)
	return report
}

// clean demands that pkgen-data verify finds nothing, and no document under an earlier key, and
// that no property of an unfinished operation is left.
func (p *program) clean(container string) {
	p.Helper()
	report := p.verified(container, false)
	moving := 0
	for _, typ := range report.Types {
		moving += typ.Moving
	}
	if report.Findings() != 0 || moving != 0 || report.Others != 0 || report.Hidden != 0 {
		p.Errorf("pkgen-data verify says of %s: %+v", container, report)
	}
	for _, doc := range p.raw(container) {
		if strings.Contains(doc, `"_pending"`) || strings.Contains(doc, `"_move"`) && !strings.Contains(doc, `"state":"final"`) {
			p.Errorf("%s has %s", container, doc)
		}
	}
}
