package store

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/partition"
)

// modelSeeds is how many random histories each model goes through.
const modelSeeds = 30

// modelWrite is a write that the write region has acknowledged.
type modelWrite struct {
	id, value string // no value: a deletion
	epk       string
	at        time.Time
	token     string
	number    int // of all writes
}

// modelRange is a physical partition: its writes, and how many of them each region has.
type modelRange struct {
	id, min, max string
	log          []modelWrite
	has          [3]int
	lag          [3]time.Duration
	paused       [3]bool
}

// state is what a region with the first n writes holds.
func (r *modelRange) state(n int) items {
	found := items{}
	for _, w := range r.log[:n] {
		if w.value == "" {
			delete(found, w.id)
		} else {
			found[w.id] = w.value
		}
	}
	return found
}

// model is an account with one write region, in the simplest terms.
type model struct {
	*globe
	ranges       []*modelRange
	writer       int
	online       [3]bool
	lag          time.Duration
	random       *rand.Rand
	writes       int // with a value
	acknowledged int
	// fed is what a reader of the change feed of each region has seen last, and continuation
	// how far it has read each range. If a failover has lost a write of an item, lost has the
	// number of the item's last write before that failover: a reader may have seen a lost
	// version.
	fed          [3]items
	continuation [3]map[string]int64
	lost         map[string]int
}

func newModel(t testing.TB, seed uint64, l Limits) *model {
	l.Partitions = 2
	m := &model{globe: newGlobe(t, l, ""), random: rand.New(rand.NewPCG(seed, 1)), online: [3]bool{true, true, true}, lost: map[string]int{}}
	m.lag = l.ReplicationLag
	for i := range 3 {
		m.fed[i], m.continuation[i] = items{}, map[string]int64{}
	}
	for _, r := range m.c.Ranges {
		m.ranges = append(m.ranges, &modelRange{id: r.ID, min: r.Min, max: r.Max, lag: [3]time.Duration{m.lag, m.lag, m.lag}})
	}
	return m
}

// advance lets writes arrive that are due.
func (m *model) advance() {
	for _, r := range m.ranges {
		r.has[m.writer] = len(r.log)
		for region := range 3 {
			for m.online[m.writer] && m.online[region] && !r.paused[region] && r.has[region] < len(r.log) && !r.log[r.has[region]].at.Add(r.lag[region]).After(m.now) {
				r.has[region]++
			}
		}
	}
}

func (m *model) rangeOf(epk string) *modelRange {
	return m.ranges[slices.IndexFunc(m.ranges, func(r *modelRange) bool {
		return partition.CompareEPK(r.min, epk) <= 0 && partition.CompareEPK(epk, r.max) < 0
	})]
}

// step makes one random change to both.
func (m *model) step() {
	m.wait(time.Duration(m.random.IntN(1000)) * time.Millisecond)
	m.advance()
	region := m.random.IntN(3)
	name := world3[region]
	switch n := m.random.IntN(100); {
	case n < 65:
		m.write()
	case n < 70:
		m.split()
	case n < 72:
		m.merge()
	case n < 80:
		m.replicate(region)
	case n < 90:
		m.must(m.a.SetOnline(name, !m.online[region], m.now))
		m.online[region] = !m.online[region]
	case n < 94:
		err := m.a.Failover(name, false, m.now)
		if fails := !m.online[region] || !m.online[m.writer] && region != m.writer; fails != (err != nil) {
			m.t.Fatalf("a planned failover to %s (online %v, writer %d): %v", name, m.online, m.writer, err)
		}
		if err == nil && region != m.writer {
			for _, r := range m.ranges {
				for i := range 3 {
					if m.online[i] {
						r.has[i] = len(r.log)
					}
				}
			}
			m.writer = region
		}
	case n < 97:
		m.force(region)
	default:
		m.read(region)
	}
	m.advance()
}

func (m *model) write() {
	if !m.online[m.writer] {
		return
	}
	id := fmt.Sprint(m.random.IntN(30))
	k := m.key(id)
	r := m.rangeOf(k.EPK)
	w := modelWrite{id: id, epk: k.EPK, at: m.now}
	var err error
	if m.random.IntN(4) == 0 {
		w.token, err = m.delete(m.writer, id)
		if _, exists := r.state(len(r.log))[id]; exists != (err == nil) {
			m.t.Fatalf("the deletion of %s: %v", id, err)
		}
		if err != nil {
			return
		}
	} else {
		m.writes++
		w.value = fmt.Sprint(m.writes)
		w.token = m.mustPut(m.writer, id, m.writes)
	}
	m.acknowledged++
	w.number = m.acknowledged
	r.log = append(r.log, w)
}

func (m *model) split() {
	if len(m.ranges) > 6 {
		return
	}
	i := m.random.IntN(len(m.ranges))
	old := m.ranges[i]
	m.must(m.c.In(m.random.IntN(3)).SplitRange(old.id))
	var halves []*modelRange
	for _, r := range m.c.Ranges[i : i+2] {
		half := &modelRange{id: r.ID, min: r.Min, max: r.Max, lag: old.lag, paused: old.paused}
		for at, w := range old.log {
			if !r.Holds(w.epk) {
				continue
			}
			half.log = append(half.log, w)
			for region := range 3 {
				if at < old.has[region] {
					half.has[region]++
				}
			}
		}
		halves = append(halves, half)
	}
	for region := range 3 {
		for _, half := range halves {
			m.continuation[region][half.id] = m.continuation[region][old.id]
		}
	}
	m.ranges = slices.Replace(m.ranges, i, i+1, halves...)
}

func (m *model) merge() {
	if len(m.ranges) < 3 {
		return
	}
	i := m.random.IntN(len(m.ranges) - 1)
	a, b := m.ranges[i], m.ranges[i+1]
	err := m.c.MergeRanges([]string{a.id, b.id})
	if offline := m.online != [3]bool{true, true, true}; offline != (err != nil) {
		m.t.Fatalf("a merge with the regions %v online: %v", m.online, err)
	} else if offline {
		return
	}
	r := m.c.Ranges[i]
	both := &modelRange{id: r.ID, min: r.Min, max: r.Max, log: append(slices.Clone(a.log), b.log...)}
	for region := range 3 {
		// A reader of a merged range begins where it has read the least.
		m.continuation[region][r.ID] = min(m.continuation[region][a.id], m.continuation[region][b.id])
		both.lag[region], both.paused[region] = max(a.lag[region], b.lag[region]), a.paused[region] || b.paused[region]
	}
	m.ranges = slices.Replace(m.ranges, i, i+2, both)
	for _, r := range m.ranges {
		for region := range r.has {
			r.has[region] = len(r.log)
		}
	}
}

func (m *model) replicate(region int) {
	in := Replication{Region: world3[region], Database: "d", Container: "c", Lag: time.Duration(m.random.IntN(20)) * time.Second, Paused: m.random.IntN(3) == 0}
	of := m.ranges
	if m.random.IntN(2) == 0 {
		one := m.ranges[m.random.IntN(len(m.ranges))]
		in.Range, of = one.id, []*modelRange{one}
	}
	m.must(m.a.SetReplication(in, m.now))
	for _, r := range of {
		r.lag[region], r.paused[region] = in.Lag, in.Paused
	}
}

func (m *model) force(region int) {
	err := m.a.Failover(world3[region], true, m.now)
	if m.online[region] != (err == nil) {
		m.t.Fatalf("a forced failover to %s: %v", world3[region], err)
	}
	if err != nil || region == m.writer {
		return
	}
	for _, r := range m.ranges {
		for _, w := range r.log[r.has[region]:] {
			m.lost[w.id] = m.acknowledged
		}
		r.log = r.log[:r.has[region]]
		for i := range r.has {
			r.has[i] = min(r.has[i], len(r.log))
		}
	}
	m.online[m.writer] = false
	m.writer = region
}

// check compares both.
func (m *model) check() {
	m.t.Helper()
	for region := range 3 {
		m.checkRegion(region)
	}
}

func (m *model) checkRegion(region int) {
	m.t.Helper()
	c := m.c.In(region)
	m.must(c.Read(m.now, func() error {
		for i, r := range m.ranges {
			in := c.Ranges[i]
			got := items{}
			for d := range in.Snapshot().Docs.All() {
				got[d.ID()] = numberOf(d)
				if d.LSN > in.LSN {
					m.t.Fatalf("%s has a document with the LSN %d in a range with %d", world3[region], d.LSN, in.LSN)
				}
				if d.LSN > m.continuation[region][in.ID] {
					m.fed[region][d.ID()] = numberOf(d)
				}
			}
			m.continuation[region][in.ID] = in.LSN
			if want := r.state(r.has[region]); in.ID != r.id || !maps.Equal(got, want) {
				m.t.Fatalf("%s has %v in the range %s, want %v in %s: %d of %d writes", world3[region], got, in.ID, want, r.id, r.has[region], len(r.log))
			}
			last := map[string]int{}
			for _, w := range r.log[:r.has[region]] {
				last[w.id] = w.number
			}
			for id, value := range got {
				if last[id] > m.lost[id] && m.fed[region][id] != value {
					m.t.Fatalf("the change feed of %s has %q for %s, which is %q", world3[region], m.fed[region][id], id, value)
				}
			}
			for at := max(0, len(r.log)-5); at < len(r.log); at++ {
				covers, err := in.Covers(r.log[at].token)
				if err != nil || covers != (r.has[region] > at) {
					m.t.Fatalf("%s covers the token %s of write %d: %t, %v; it has %d of %d writes and the token %s", world3[region], r.log[at].token, at, covers, err, r.has[region], len(r.log), in.SessionToken())
				}
			}
		}
		return nil
	}))
}

// run makes random changes, and checks the account now and then. In the end all regions are
// online, and writes reach them at once.
func (g *globe) run(random *rand.Rand, step, check func(), online *[3]bool) {
	often := 1 + random.IntN(20)
	for i := range 300 {
		step()
		if i%often == 0 {
			check()
		}
	}
	for i, name := range world3 {
		g.must(g.a.SetOnline(name, true, g.now))
		online[i] = true
	}
	g.must(g.a.SetReplication(Replication{}, g.now))
}

// TestRegionsAgainstModel makes random changes to an account with one write region, and holds
// each region to a prefix of the writes of each physical partition, exactly as long as its
// lag and pauses allow. A planned failover loses nothing, a forced one the writes that had
// not arrived. In the end all regions are equal.
func TestRegionsAgainstModel(t *testing.T) {
	for seed := range uint64(modelSeeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			m := newModel(t, seed, Limits{ReplicationLag: time.Duration(seed%5) * time.Second})
			m.run(m.random, m.step, m.check, &m.online)
			for _, r := range m.ranges {
				r.has = [3]int{len(r.log), len(r.log), len(r.log)}
			}
			m.check()
		})
	}
}

// lwwVersion is a version of an item: what it had seen, itself included, and its rank.
type lwwVersion struct {
	region int
	value  string // "" is a deletion
	n, ts  int64
	seen   map[*lwwVersion]bool
}

// lwwWrite is a write in the log of a region.
type lwwWrite struct {
	id, epk string
	at      time.Time
	version *lwwVersion
}

// lwwModel is an account with several write regions, in the simplest terms: each region has a
// set of versions, and readers see the winner of those that no other one has seen.
type lwwModel struct {
	*globe
	random *rand.Rand
	byTS   bool
	logs   [3][]lwwWrite
	// has is how far a region has read the log of another in each range.
	ranges []*lwwRange
	known  [3]map[string]map[*lwwVersion]bool
	online [3]bool
	values int
	multi  bool // whether all regions accept writes just now
	tokens []lwwToken
	// fed is what a reader of the change feed of each region has seen last.
	fed          [3]items
	continuation [3]map[string]int64
}

// lwwToken is a session token, and how far its region had read each log.
type lwwToken struct {
	text, epk string
	has       [3]int
}

// mayWrite reports whether a region accepts writes.
func (m *lwwModel) mayWrite(region int) bool {
	return m.online[region] && (m.multi || m.a.Regions()[0].Number == region)
}

type lwwRange struct {
	id, min, max string
	has          [3][3]int // by reader and writer: how far in the log of the writer
	lag          [3]time.Duration
	paused       [3]bool
}

func (r *lwwRange) holds(epk string) bool {
	return partition.CompareEPK(r.min, epk) <= 0 && partition.CompareEPK(epk, r.max) < 0
}

// visible is the value of an item in a region; "" if there is none.
func (m *lwwModel) visible(region int, id string) string {
	var best *lwwVersion
	for v := range m.known[region][id] {
		superseded := false
		for other := range m.known[region][id] {
			superseded = superseded || other != v && other.seen[v]
		}
		if !superseded && (best == nil || m.rank(v, best) > 0) {
			best = v
		}
	}
	if best == nil {
		return ""
	}
	return best.value
}

func (m *lwwModel) rank(a, b *lwwVersion) int {
	if (a.value == "") != (b.value == "") {
		if a.value == "" {
			return 1
		}
		return -1
	}
	n := cmp.Compare(a.n, b.n)
	if m.byTS {
		n = 0
	}
	return cmp.Or(n, cmp.Compare(a.ts, b.ts), cmp.Compare(b.region, a.region))
}

func (m *lwwModel) learn(region int, w lwwWrite) {
	if m.known[region][w.id] == nil {
		m.known[region][w.id] = map[*lwwVersion]bool{}
	}
	m.known[region][w.id][w.version] = true
}

// advance lets writes arrive that are due, and all writes between the regions that are online.
func (m *lwwModel) advance(all bool) {
	for _, r := range m.ranges {
		for reader := range 3 {
			for writer := range 3 {
				for has := &r.has[reader][writer]; reader != writer && *has < len(m.logs[writer]); *has++ {
					w := m.logs[writer][*has]
					if !r.holds(w.epk) {
						continue
					}
					from := writer
					if !m.multi { // all comes from the write region
						from = m.a.Regions()[0].Number
					}
					if !m.online[reader] || !m.online[from] || !all && (r.paused[reader] || w.at.Add(r.lag[reader]).After(m.now)) {
						break
					}
					m.learn(reader, w)
				}
			}
		}
	}
}

func (m *lwwModel) write() {
	region, id := m.random.IntN(3), fmt.Sprint(m.random.IntN(12))
	if !m.mayWrite(region) {
		return
	}
	var token string
	var err error
	k := m.key(id)
	v := &lwwVersion{region: region, ts: m.now.Unix(), seen: map[*lwwVersion]bool{}}
	if m.random.IntN(4) == 0 {
		token, err = m.delete(region, id)
		if exists := m.visible(region, id) != ""; exists != (err == nil) {
			m.t.Fatalf("the deletion of %s in %s: %v", id, world3[region], err)
		}
		if err != nil {
			return
		}
	} else {
		m.values++
		v.n = int64(m.random.IntN(5)*1000 + m.values%1000)
		v.value = fmt.Sprint(v.n)
		token = m.mustPut(region, id, int(v.n))
	}
	for seen := range m.known[region][id] {
		v.seen[seen] = true
		maps.Copy(v.seen, seen.seen)
	}
	w := lwwWrite{id, k.EPK, m.now, v}
	m.learn(region, w)
	m.logs[region] = append(m.logs[region], w)
	for _, r := range m.ranges {
		if r.holds(k.EPK) {
			has := r.has[region]
			has[region] = len(m.logs[region])
			m.tokens = append(m.tokens, lwwToken{token, k.EPK, has})
		}
	}
}

func (m *lwwModel) step() {
	m.wait(time.Duration(m.random.IntN(1000)) * time.Millisecond)
	m.advance(false)
	region := m.random.IntN(3)
	switch n := m.random.IntN(100); {
	case n < 75:
		m.write()
	case n < 79 && len(m.ranges) < 6:
		i := m.random.IntN(len(m.ranges))
		old := m.ranges[i]
		m.must(m.c.In(region).SplitRange(old.id))
		var halves []*lwwRange
		for _, r := range m.c.Ranges[i : i+2] {
			half := *old
			half.id, half.min, half.max = r.ID, r.Min, r.Max
			halves = append(halves, &half)
			for i := range 3 {
				m.continuation[i][half.id] = m.continuation[i][old.id]
			}
		}
		m.ranges = slices.Replace(m.ranges, i, i+1, halves...)
	case n < 80 && len(m.ranges) > 2:
		m.merge()
	case n < 90:
		in := Replication{Region: world3[region], Lag: time.Duration(m.random.IntN(10)) * time.Second, Paused: m.random.IntN(3) == 0}
		m.must(m.a.SetReplication(in, m.now))
		for _, r := range m.ranges {
			r.lag[region], r.paused[region] = in.Lag, in.Paused
		}
	case n < 96:
		m.must(m.a.SetOnline(world3[region], !m.online[region], m.now))
		m.online[region] = !m.online[region]
	case n < 97 && m.multi:
		was := m.a.Regions()[0].Number
		if m.a.Failover(world3[region], true, m.now) == nil && was != region {
			m.online[was] = false
		}
	case n < 98:
		was := m.a.Regions()[0].Number
		if m.a.Failover(world3[region], false, m.now) == nil && was != region {
			m.advance(true)
		}
	default:
		if err := m.a.SetMultiWrite(!m.multi, m.now); err == nil {
			m.advance(true)
			m.multi = !m.multi
		} else if m.online == [3]bool{true, true, true} {
			m.t.Fatal(err)
		}
	}
	m.advance(false)
}

func (m *lwwModel) merge() {
	i := m.random.IntN(len(m.ranges) - 1)
	if err := m.c.MergeRanges([]string{m.ranges[i].id, m.ranges[i+1].id}); err != nil {
		return // a region is offline
	}
	m.advance(true)
	r, a, b := m.c.Ranges[i], m.ranges[i], m.ranges[i+1]
	both := &lwwRange{id: r.ID, min: r.Min, max: r.Max, has: a.has}
	for region := range 3 {
		m.continuation[region][r.ID] = min(m.continuation[region][a.id], m.continuation[region][b.id])
		both.lag[region], both.paused[region] = max(a.lag[region], b.lag[region]), a.paused[region] || b.paused[region]
	}
	m.ranges = slices.Replace(m.ranges, i, i+2, both)
}

// checkRegion compares the change feed of a region and what session tokens mean there.
func (m *lwwModel) checkRegion(region int) {
	m.t.Helper()
	c := m.c.In(region)
	m.must(c.Read(m.now, func() error {
		for i, r := range m.ranges {
			in := c.Ranges[i]
			for d := range in.Snapshot().Docs.All() {
				if d.LSN > m.continuation[region][in.ID] {
					m.fed[region][d.ID()] = numberOf(d)
				}
				if got := m.fed[region][d.ID()]; got != numberOf(d) {
					m.t.Fatalf("the change feed of %s has %q for %s, which is %s", world3[region], got, d.ID(), d.Raw)
				}
			}
			m.continuation[region][in.ID] = in.LSN
			for _, token := range m.tokens[max(0, len(m.tokens)-10):] {
				if covers, err := in.Covers(token.text); err != nil || covers && r.holds(token.epk) && !m.has(region, r, token) {
					m.t.Fatalf("%s covers the token %s in the range %s: %v", world3[region], token.text, r.id, err)
				}
			}
		}
		return nil
	}))
}

// has reports whether a region has all writes in a range that the region of a token had.
func (m *lwwModel) has(region int, r *lwwRange, token lwwToken) bool {
	for writer, n := range token.has {
		for _, w := range m.logs[writer][:n] {
			if r.holds(w.epk) && !m.known[region][w.id][w.version] {
				return false
			}
		}
	}
	return true
}

func (m *lwwModel) check() {
	m.t.Helper()
	for region := range 3 {
		m.checkRegion(region)
	}
	for region := range 3 {
		want := items{}
		for id := range m.known[region] {
			if value := m.visible(region, id); value != "" {
				want[id] = value
			}
		}
		if got := m.read(region); !maps.Equal(got, want) {
			m.t.Fatalf("%s has %v, want %v", world3[region], got, want)
		}
	}
}

// TestWriteRegionsAgainstModel makes random changes to an account with several write regions,
// and compares what each region shows with the winners among the versions that have reached
// it. In the end all regions agree, on documents as a whole.
func TestWriteRegionsAgainstModel(t *testing.T) {
	for seed := range uint64(modelSeeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			policy, byTS := "", seed%2 == 0
			if !byTS {
				policy = `,"conflictResolutionPolicy":{"mode":"LastWriterWins","conflictResolutionPath":"/n"}`
			}
			m := &lwwModel{globe: newGlobe(t, Limits{Partitions: 2, MultiWrite: true}, policy), random: rand.New(rand.NewPCG(seed, 2)), byTS: byTS, online: [3]bool{true, true, true}, multi: true}
			for region := range m.known {
				m.known[region], m.fed[region], m.continuation[region] = map[string]map[*lwwVersion]bool{}, items{}, map[string]int64{}
			}
			for _, r := range m.c.Ranges {
				m.ranges = append(m.ranges, &lwwRange{id: r.ID, min: r.Min, max: r.Max})
			}
			m.run(m.random, m.step, m.check, &m.online)
			m.advance(true)
			m.check()
			for region := range 3 {
				for _, token := range m.tokens {
					if covers, err := m.c.In(region).Covers(token.text, m.now); err != nil || !covers {
						t.Fatalf("%s does not cover the token %s in the end: %v", world3[region], token.text, err)
					}
				}
			}
			texts := func(region int) (list []string) {
				c := m.c.In(region)
				m.must(c.Read(m.now, func() error {
					for _, r := range c.Ranges {
						for d := range r.Snapshot().Docs.All() {
							list = append(list, string(d.Raw))
						}
					}
					return nil
				}))
				return list
			}
			for region := range 3 {
				if a, b := texts(0), texts(region); !slices.Equal(a, b) {
					t.Errorf("the documents of %s differ:\n%s\n%s", world3[region], a, b)
				}
			}
			m.c.settleConflicts()
			for region := range 3 {
				if n := len(m.c.In(region).siblings); n > 0 {
					t.Errorf("%s remembers %d items of conflicts that are settled", world3[region], n)
				}
			}
		})
	}
}
