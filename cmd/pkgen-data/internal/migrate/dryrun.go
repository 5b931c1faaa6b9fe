package migrate

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/cosmos-pkgen/pkgen/internal/charge"
)

// Plan is what a migration would do.
type Plan struct {
	Documents int64     `json:"documents"` // that would be copied
	Bytes     int64     `json:"bytes"`     // of their JSON in the destination
	Expired   int64     `json:"expired"`   // whose time to live is over
	Refused   []Refusal `json:"refused"`   // that have no key in the destination
	// Reading, Writing and State estimate request units: to read the source once, to
	// write the documents, and for the state of one run. What programs write meanwhile
	// costs more: two reads and a write for each document that changes after its copy.
	Reading float64 `json:"reading"`
	Writing float64 `json:"writing"`
	State   float64 `json:"state"`
	// Seconds is how long the copy takes at the budget; 0 without one.
	Seconds float64 `json:"seconds"`
	// Kept says that all documents have their key in the destination as a property: the
	// service's own container copy can do the same.
	Kept bool `json:"kept"`
}

// mostPlaces is the maximum number of places compared for collisions: some 500 MB.
const mostPlaces = 20_000_000

// DryRun reads the source, and estimates a migration. It writes nothing.
func DryRun(ctx context.Context, o Options) (*Plan, error) {
	m, err := plan(o)
	if err != nil {
		return nil, err
	}
	var known progress
	if m.states != nil {
		if _, err := m.states.load(ctx, m.states.name, &known); err != nil {
			return nil, err
		}
	}
	if known.Units == 0 {
		err = m.empty(ctx)
	} else {
		err = m.checkLayouts(&known)
	}
	if err != nil {
		return nil, err
	}
	p := &Plan{Refused: []Refusal{}, Kept: true}
	before := m.account.Spent()
	second := m.account.Now().Unix()
	var mu sync.Mutex
	places := map[uint64]uint64{} // hashes of source keys
	after, err := m.scan(ctx, m.from, func(raw json.RawMessage) {
		d, refusal := m.rekeyer.rekey(raw, second)
		mu.Lock()
		defer mu.Unlock()
		m.told.Documents++
		switch {
		case refusal != nil && m.leaves(refusal):
			return
		case refusal != nil:
			p.Refused = addRefusal(p.Refused, *refusal)
			return
		case d.expires > 0 && d.expires <= second:
			p.Expired++
			return
		}
		source := placeOf(d.source, d.id)
		if other, taken := places[d.place]; taken && other != source {
			p.Refused = addRefusal(p.Refused, collisionOf(d))
			return
		} else if !taken && len(places) < mostPlaces {
			places[d.place] = source
		}
		p.Documents++
		p.Bytes += int64(len(d.body))
		p.Writing += charge.Write(len(d.body) + systemBytes)
		p.Kept = p.Kept && d.kept
	})
	p.Reading = m.account.Spent() - before
	p.Kept = p.Kept && p.Documents > 0
	m.estimate(p, len(after))
	return p, err
}

// Sizes in bytes for estimating costs.
const (
	systemBytes = 240     // of the service's properties in a document
	placeBytes  = 16      // of a place in a page of the ledger
	pageBytes   = 4 << 20 // the maximum size of an answer
)

// estimate adds the cost of the state to a plan, from the fixed requests of each page, unit and
// run, and the duration of the copy.
func (m *Migration) estimate(p *Plan, units int) {
	const (
		eachUnit = 4*5 + 2*2.5 // a creation and three replacements; two pages of the feed without changes
		eachRun  = 45          // joining, leaving, rechecking refusals
	)
	write := charge.Write(0)
	n := max(float64(p.Documents)/float64(m.pageSize()), float64(p.Bytes)/pageBytes)
	pages := n + float64(units)/2 // the last page of each unit is half full on average
	places := float64(p.Documents) / max(pages, 1) * placeBytes
	p.State = pages*(charge.Write(int(places))+write) + eachUnit*float64(units) + eachRun
	if m.Budget > 0 {
		shown := write / usual.rhythm.Seconds() // RU/s for showing that the run is alive
		p.Seconds = (p.Reading + p.Writing + p.State) / (m.Budget - shown)
		p.State += p.Seconds * shown
	}
}

// collisionOf returns the refusal of a document whose place is taken by another one.
func collisionOf(d document) Refusal {
	return Refusal{
		Problem: Collision, Reason: "two documents of the source have this id, and would have the same key in the destination: give one of them another id, or add a property that differs to the layout",
		Documents: 1, IDs: []string{d.id},
	}
}
