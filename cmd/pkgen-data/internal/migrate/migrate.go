package migrate

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/account"
	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// Options are the options of a migration.
type Options struct {
	Account *account.Account
	From    *account.Container
	To      *account.Container
	State   *account.Container // container for state documents; nil if it does not exist yet
	StateID string             // its id, in the database of To; New creates it if State is nil
	Types   []lock.Entry       // entries for the destination
	// NotSwitched continues after both sides were equal: no program has written to the destination.
	NotSwitched bool
	// Chosen skips documents of other types.
	Chosen  bool
	Workers int     // concurrent writes
	Budget  float64 // RU/s; 0 is no limit

	pauses // zero means usual; tests use shorter ones
}

// pauses are the waiting times of a run.
type pauses struct {
	rhythm  time.Duration // between signs of life
	dead    time.Duration // without a sign of life, until another run takes over
	poll    time.Duration // between polls without changes
	leaving time.Duration // for the last requests of an interrupted run
	trust   time.Duration // between checks whether the run may write
}

// usual are the default pauses.
var usual = pauses{rhythm: 3 * time.Second, dead: 12 * time.Second, poll: time.Second, leaving: 5 * time.Second, trust: 12 * time.Second}

// Told is the progress of a run.
type Told struct {
	Documents int64 // copied documents, some of them repeatedly
	Charge    float64
}

// Migration is this process's part in a migration.
type Migration struct {
	Options
	account  *account.Account
	from, to *account.Container
	states   *states
	rekeyer  *rekeyer
	run      string
	slots    chan struct{}
	lists    atomic.Int64 // ledger pages written by this run
	notes    atomic.Int64 // pages of refused documents written by this run

	readers sync.WaitGroup
	current atomic.Pointer[share] // set while this run takes part

	ledger sync.Mutex
	listed map[uint64]struct{} // places of the ledger; nil before it is read

	mu       sync.Mutex
	told     Told
	refusals []Refusal
}

// New checks whether the migration is possible, and finds or creates its state. It writes nothing
// to the source and the destination.
func New(ctx context.Context, o Options) (*Migration, error) {
	m, err := plan(o)
	if err == nil && o.State == nil {
		err = m.makeState(ctx)
	}
	if err != nil {
		return nil, err
	}
	return m, m.begin(ctx)
}

// makeState creates the container of the state with default throughput: that of the database, or
// 400 RU/s. Before that, it refuses a destination with documents.
func (m *Migration) makeState(ctx context.Context) error {
	if err := m.empty(ctx); err != nil {
		return err
	}
	key := containers.PartitionKeyDefinition{Paths: []string{containers.CompanionPath}, Kind: containers.Hash, Version: account.Version}
	settings, err := json.Marshal(map[string]any{"id": m.StateID, "partitionKey": key})
	if err != nil {
		return err
	}
	_, err = m.account.CreateContainer(ctx, m.to.Database, settings)
	switch {
	case account.Is(err, http.StatusForbidden):
		return fmt.Errorf("database %q has no container %q, which keeps the state of migrations, and this identity may not create it: make it with the key /id, such as by az cosmosdb sql container create, or name another one by -state", m.to.Database, m.StateID)
	case err != nil:
		return err
	}
	if m.State, err = m.account.Container(ctx, m.to.Database, m.StateID); err != nil {
		return err
	}
	m.keepStates()
	return m.check()
}

// keepStates uses the container of the state.
func (m *Migration) keepStates() {
	m.StateID = m.State.ID
	m.states = &states{account: m.account, container: m.State, name: "migration." + m.from.RID + "." + m.to.RID}
}

// plan returns a checked migration without a state.
func plan(o Options) (*Migration, error) {
	if o.pauses == (pauses{}) {
		o.pauses = usual
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	r, err := newRekeyer(o.From, o.To, o.Types)
	if err != nil {
		return nil, err
	}
	o.Account.Budget(o.Budget)
	m := &Migration{Options: o, account: o.Account, from: o.From, to: o.To, rekeyer: r, run: newRun(), slots: make(chan struct{}, o.Workers)}
	if o.State != nil {
		m.keepStates()
	}
	return m, nil
}

// newRun returns a unique name.
func newRun() string {
	b := make([]byte, 8)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// begin finds the state of the migration, or creates it if the destination is empty.
func (m *Migration) begin(ctx context.Context) error {
	want := progress{ID: m.states.name, From: m.from.ID, To: m.to.ID, FromRID: m.from.RID, ToRID: m.to.RID, Layouts: m.layouts()}
	for {
		var p progress
		etag, err := m.states.load(ctx, m.states.name, &p)
		if err != nil {
			return err
		}
		if etag != "" {
			if err := m.checkLayouts(&p); err != nil {
				return err
			}
		}
		if p.Closed && m.NotSwitched {
			if err := m.reopen(ctx, p, etag); err != nil {
				return err
			}
			continue
		}
		if etag != "" && p.Closed {
			return p.ended()
		}
		if etag != "" {
			return m.units(ctx, p.Bounds)
		}
		if err := m.empty(ctx); err != nil {
			if begun, loadErr := m.states.load(ctx, m.states.name, &progress{}); loadErr == nil && begun != "" {
				continue // another run has begun meanwhile, and these documents belong to it
			}
			return err
		}
		ranges, err := m.account.Ranges(ctx, m.from)
		if err != nil {
			return err
		}
		want.Bounds = boundsOf(ranges)
		want.Units = len(want.Bounds)
		if _, err := m.states.create(ctx, want.ID, want); err != nil && !errors.Is(err, errTaken) {
			return err
		}
	}
}

// boundsOf returns the lower bounds of physical partitions. Each is a unit, since reading a part of
// a physical partition costs as much as the whole.
func boundsOf(ranges []account.Range) []string {
	bounds := []string{account.All().Min}
	for _, r := range ranges {
		bounds = append(bounds, r.Min)
	}
	slices.SortFunc(bounds, partition.CompareEPK)
	return slices.CompactFunc(bounds, func(a, b string) bool { return partition.CompareEPK(a, b) == 0 })
}

// units creates the missing units: the parts of the key space in order, so that all runs agree on
// them.
func (m *Migration) units(ctx context.Context, bounds []string) error {
	ends := append(slices.Clone(bounds[1:]), account.All().Max)
	for i, first := range bounds {
		id := m.states.unitID(i)
		u := unit{ID: id, Parts: []account.Part{{Min: first, Max: ends[i]}}}
		if etag, err := m.states.load(ctx, id, &unit{}); err != nil {
			return err
		} else if etag != "" {
			continue
		}
		var err error
		if u.Deletions, err = m.beginDeletions(ctx, u.Parts[0]); err != nil {
			return err
		}
		if _, err := m.states.create(ctx, id, u); err != nil && !errors.Is(err, errTaken) {
			return err
		}
	}
	return nil
}

// Refused returns the documents without a place in the destination, of all runs, at the end of the
// last [Migration.Run].
func (m *Migration) Refused() []Refusal {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]Refusal{}, m.refusals...)
}

// Done returns the progress of this run.
func (m *Migration) Done() Told {
	m.mu.Lock()
	defer m.mu.Unlock()
	return Told{m.told.Documents, m.account.Spent()}
}

// pageSize returns the number of documents in a page: as many as a few seconds of the budget pay
// for.
func (m *Migration) pageSize() int {
	const most, least, seconds, each = 1000, 10, 5, 10 // each is the RU to read and write one
	if m.Budget <= 0 {
		return most
	}
	return int(min(max(m.Budget*seconds/each, least), most))
}

// leaves reports whether a document has a type that is not migrated.
func (m *Migration) leaves(r *Refusal) bool { return m.Chosen && r.Problem == NoType }

// mostIDs is the maximum number of ids listed for a reason, and mostReasons the number of reasons
// distinguished for a problem.
const (
	mostIDs     = 5
	mostReasons = 10
)

// addRefusal merges a refusal into the one with the same reason, or appends it. Reasons that differ
// only in the position of a character are the same.
func addRefusal(all []Refusal, r Refusal) []Refusal {
	i, reasons := -1, 0
	for j, known := range all {
		if known.Type != r.Type || known.Property != r.Property || known.Problem != r.Problem {
			continue
		}
		if reasons++; i < 0 || withoutDigits(known.Reason) == withoutDigits(r.Reason) {
			i = j
		}
	}
	if i < 0 || reasons < mostReasons && withoutDigits(all[i].Reason) != withoutDigits(r.Reason) {
		return append(all, r)
	}
	all[i].Documents += r.Documents
	for _, id := range r.IDs {
		if len(all[i].IDs) < mostIDs && !slices.Contains(all[i].IDs, id) {
			all[i].IDs = append(all[i].IDs, id)
		}
	}
	return all
}

// withoutDigits returns a text without its digits.
func withoutDigits(text string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, text)
}
