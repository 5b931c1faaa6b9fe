package verify

import (
	"context"
	"encoding/json"
	"math/rand/v2"

	"github.com/cosmos-pkgen/pkgen/internal/account"
)

// Plan says how much of a container is read.
type Plan struct {
	// Share of the key space, from 0 to 1, in windows that are chosen at random. A window
	// has whole logical partitions: a sample can miss a busy one.
	Share float64
	// Budget is how many request units may be spent before reading ends; 0 means no limit.
	// The last page may exceed it.
	Budget float64
	// Rand chooses the windows.
	Rand *rand.Rand
	// Told, unless it is nil, is told after each page how many documents of the container
	// have been read.
	Told func(documents int)
}

// manyWindows is into how many windows the key space is divided if not all of it is read.
const manyWindows = 512

// windows returns the windows to read, in the order of reading.
func (p Plan) windows() (chosen []account.Window, share float64) {
	if p.Share >= 1 && p.Budget == 0 {
		return []account.Window{account.All()}, 1
	}
	all := account.Windows(manyWindows)
	p.Rand.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	n := min(max(int(p.Share*manyWindows+0.5), 1), manyWindows)
	return all[:n], float64(n) / manyWindows
}

// Container reads a container by a plan, and returns what was found. Of a window in
// which the budget ends, the documents count, but not the share of the key space.
func (j *Judge) Container(ctx context.Context, a *account.Account, c *account.Container, p Plan) (*Report, error) {
	before := a.Spent()
	report := &Report{Database: c.Database, Container: c.ID, Settings: j.Settings(c)}
	for _, t := range j.types {
		report.Types = append(report.Types, OfType{Type: t.entry.Type, Layout: t.layout.String(), Findings: []Finding{}})
	}
	windows, share := p.windows()
	read := 0
	for _, w := range windows {
		found := &Report{}
		err := a.ReadAgain(ctx, c, w, func() { found = &Report{} }, func(documents []json.RawMessage) bool {
			found.Add(j.Documents(documents))
			report.Stopped = p.Budget > 0 && a.Spent()-before >= p.Budget
			if p.Told != nil {
				p.Told(report.Documents + found.Documents)
			}
			return !report.Stopped
		})
		if err != nil {
			return nil, err
		}
		report.Add(found)
		if report.Stopped {
			break
		}
		read++
	}
	report.Share = share * float64(read) / float64(len(windows))
	report.Charge = a.Spent() - before
	return report, nil
}
