package store

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// world3 are the names of the regions in these tests.
var world3 = []string{"A", "B", "C"}

// globe is an account with several regions and one container, and the time there.
type globe struct {
	t   testing.TB
	a   *Account
	c   *Container
	now time.Time
}

func newGlobe(t testing.TB, l Limits, more string) *globe {
	t.Helper()
	l.Partitions = max(l.Partitions, 1)
	l.MaxDocument, l.MaxLogicalPartition = 2<<20, 20<<30
	if l.Regions == nil {
		l.Regions = world3
	}
	if err := l.CheckRegions(); err != nil {
		t.Fatal(err)
	}
	g := &globe{t: t, a: New(l), now: time.Unix(1000, 0)}
	if _, err := g.a.CreateDatabase("d", nil, g.now); err != nil {
		t.Fatal(err)
	}
	c, err := g.create("c", more)
	if err != nil {
		t.Fatal(err)
	}
	g.c = c
	return g
}

// create creates a container.
func (g *globe) create(id, more string) (*Container, error) {
	_, sent, err := ResourceID(fmt.Appendf(nil, `{"id":%q,"partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}%s}`, id, more))
	if err != nil {
		g.t.Fatal(err)
	}
	definition, err := ParseKeyDefinition(sent["partitionKey"], false)
	if err != nil {
		g.t.Fatal(err)
	}
	return g.a.CreateContainer("d", id, definition, sent, nil, g.now)
}

// wait lets time pass.
func (g *globe) wait(d time.Duration) { g.now = g.now.Add(d) }

// key is the partition key of an item: there is one for each id.
func (g *globe) key(id string) *Key {
	k, err := g.c.ParseKey(fmt.Sprintf(`[%q]`, id))
	if err != nil {
		g.t.Fatal(err)
	}
	return k
}

// put upserts an item in a region and returns the session token.
func (g *globe) put(region int, id string, n int) (string, error) {
	return g.perform(region, &Action{Kind: Upsert, ID: id}, fmt.Sprintf(`{"id":%q,"pk":%q,"n":%d}`, id, id, n))
}

func (g *globe) delete(region int, id string) (string, error) {
	return g.perform(region, &Action{Kind: Delete, ID: id}, "")
}

func (g *globe) perform(region int, action *Action, body string) (token string, err error) {
	c, k := g.c.In(region), g.key(action.ID)
	action.Key = k
	err = c.Transact(k, g.now, false, func(tx *Transaction) error {
		if body != "" {
			if action.Incoming, err = c.Incoming([]byte(body), k); err != nil {
				return err
			}
		}
		_, err := tx.Perform(action)
		token = tx.Range.SessionToken()
		return err
	})
	return token, err
}

// must fails the test for an error.
func (g *globe) must(err error) {
	g.t.Helper()
	if err != nil {
		g.t.Fatal(err)
	}
}

// read returns the value of each item of a region.
func (g *globe) read(region int) map[string]string {
	found := map[string]string{}
	c := g.c.In(region)
	g.must(c.Read(g.now, func() error {
		for _, r := range c.Ranges {
			for d := range r.Snapshot().Docs.All() {
				found[d.ID()] = numberOf(d)
				if !r.Holds(d.Key.EPK) {
					g.t.Errorf("the range %s of %s has the item %s of another one", r.ID, world3[region], d.ID())
				}
			}
		}
		return nil
	}))
	return found
}

// numberOf is the property n of a document.
func numberOf(d *Document) string {
	var n int
	text := string(d.Raw)
	for i := range text {
		if _, err := fmt.Sscanf(text[i:], `"n":%d`, &n); err == nil {
			return fmt.Sprint(n)
		}
	}
	return text
}

// expect compares the items of each region.
func (g *globe) expect(when string, want ...map[string]string) {
	g.t.Helper()
	for region, items := range want {
		if got := g.read(region); !maps.Equal(got, items) {
			g.t.Errorf("%s: %s has %v, want %v", when, world3[region], got, items)
		}
	}
}

type items = map[string]string

// substatus is the status and the substatus of an error.
// Covers reports whether all physical partitions of a container cover a session token.
func (c *Container) Covers(token string, now time.Time) (covers bool, err error) {
	err = c.Read(now, func() error {
		for _, r := range c.Ranges {
			if covers, err = r.Covers(token); err != nil || !covers {
				return err
			}
		}
		return nil
	})
	return covers, err
}

func substatus(err error) [2]int {
	var e *status.Error
	if errors.As(err, &e) {
		return [2]int{e.Status, e.Substatus}
	}
	return [2]int{}
}

// TestReplication follows a write to the other regions: by its lag, after a pause, and after the
// region is online again.
func TestReplication(t *testing.T) {
	g := newGlobe(t, Limits{ReplicationLag: time.Second}, "")
	g.must(g.a.SetReplication(Replication{Region: "C", Lag: 3 * time.Second}, g.now))
	token, err := g.put(0, "x", 1)
	g.must(err)
	g.expect("at once", items{"x": "1"}, items{}, items{})
	for region, want := range []bool{true, false, false} {
		if got, err := g.c.In(region).Covers(token, g.now); err != nil || got != want {
			t.Errorf("%s covers %s: %t, %v", world3[region], token, got, err)
		}
	}
	g.wait(time.Second)
	g.expect("after a second", items{"x": "1"}, items{"x": "1"}, items{})
	g.must(g.a.SetReplication(Replication{Region: "C", Paused: true}, g.now))
	g.must(g.a.SetOnline("B", false, g.now))
	_, err = g.delete(0, "x")
	g.must(err)
	g.wait(time.Hour)
	g.expect("after a pause", items{}, items{"x": "1"}, items{})
	if list := g.a.Regions(); list[1].Online || list[1].Lag != time.Second || !list[2].Paused {
		t.Errorf("the regions are %+v", list)
	}
	g.must(g.a.SetOnline("B", true, g.now))
	g.must(g.a.SetReplication(Replication{}, g.now))
	g.expect("in the end", items{}, items{}, items{})
	if got, err := g.c.In(2).Covers(token+",17:-1#99", g.now); err != nil || !got {
		t.Errorf("C does not cover %s: %v", token, err)
	}
	_, err = g.put(1, "y", 1)
	if substatus(err) != [2]int{status.Forbidden, status.WriteForbidden} {
		t.Errorf("a write in a region that reads: %v", err)
	}
}

// TestReplicasAreEqual has all that a client sees of a document, a container and its ranges
// equal in all regions.
func TestReplicasAreEqual(t *testing.T) {
	g := newGlobe(t, Limits{Partitions: 3}, `,"defaultTtl":-1`)
	for i := range 20 {
		_, err := g.put(0, fmt.Sprint(i%15), i)
		g.must(err)
	}
	g.must(g.c.SplitRange("1"))
	g.must(g.c.In(2).SplitRange("0"))
	_, err := g.delete(0, "3")
	g.must(err)
	see := func(region int) (seen []string) {
		c := g.c.In(region)
		raw, etag := c.Text(g.now)
		seen = append(seen, string(raw), etag, c.RID())
		list, etag, _ := c.RangeFeed("", g.now)
		seen = append(seen, fmt.Sprint(list), etag)
		g.must(c.Read(g.now, func() error {
			for _, r := range c.Ranges {
				seen = append(seen, r.SessionToken())
				for d := range r.Snapshot().Docs.All() {
					seen = append(seen, fmt.Sprint(d.Seq, d.LSN, d.TS), string(d.Raw))
				}
			}
			return nil
		}))
		return seen
	}
	g.read(1) // a feed of ranges does not wait for writes
	g.read(2)
	for region := range 3 {
		if a, b := see(0), see(region); !slices.Equal(a, b) {
			t.Errorf("%s differs:\n%q\n%q", world3[region], b, a)
		}
	}
}

// TestPlannedFailover changes the write region and loses nothing.
func TestPlannedFailover(t *testing.T) {
	g := newGlobe(t, Limits{ReplicationLag: time.Hour}, "")
	_, err := g.put(0, "x", 1)
	g.must(err)
	g.must(g.a.Failover("B", false, g.now))
	g.expect("after it", items{"x": "1"}, items{"x": "1"}, items{"x": "1"})
	if got := fmt.Sprint(g.a.Regions()); got != "[{1 B true true 1h0m0s false} {0 A false true 1h0m0s false} {2 C false true 1h0m0s false}]" {
		t.Errorf("the regions are %s", got)
	}
	_, err = g.put(0, "x", 2)
	if substatus(err) != [2]int{status.Forbidden, status.WriteForbidden} {
		t.Errorf("a write in the old write region: %v", err)
	}
	_, err = g.put(1, "x", 3)
	g.must(err)
	g.expect("after a write", items{"x": "1"}, items{"x": "3"}, items{"x": "1"})
	g.wait(time.Hour)
	g.expect("in the end", items{"x": "3"}, items{"x": "3"}, items{"x": "3"})
}

// TestForcedFailover loses what had not reached the new write region, and nothing else.
func TestForcedFailover(t *testing.T) {
	g := newGlobe(t, Limits{ReplicationLag: time.Minute}, "")
	g.must(g.a.SetReplication(Replication{Region: "C", Lag: time.Second}, g.now))
	for i, id := range []string{"kept", "changed", "deleted"} {
		_, err := g.put(0, id, i)
		g.must(err)
	}
	g.wait(time.Minute)
	g.expect("before", g.read(0), g.read(0), g.read(0))
	_, err := g.put(0, "changed", 10)
	g.must(err)
	_, err = g.put(0, "new", 11)
	g.must(err)
	lost, err := g.delete(0, "deleted")
	g.must(err)
	g.wait(10 * time.Second)
	g.expect("the lead of C", items{"kept": "0", "changed": "10", "new": "11"}, items{"kept": "0", "changed": "1", "deleted": "2"}, items{"kept": "0", "changed": "10", "new": "11"})
	g.must(g.a.Failover("B", true, g.now))
	want := items{"kept": "0", "changed": "1", "deleted": "2"}
	g.expect("after it", want, want, want)
	if got := fmt.Sprint(g.a.Regions()); got != "[{1 B true true 1m0s false} {0 A false false 1m0s false} {2 C false true 1s false}]" {
		t.Errorf("the regions are %s", got)
	}
	token, err := g.put(1, "new", 12)
	g.must(err)
	if token != "0:0#7" {
		t.Errorf("the token after a forced failover is %s", token)
	}
	g.wait(time.Hour)
	g.must(g.a.SetOnline("A", true, g.now))
	want["new"] = "12"
	g.expect("in the end", want, want, want)
	for region := range 3 {
		if covers, err := g.c.In(region).Covers(lost, g.now); err != nil || !covers {
			t.Errorf("%s does not cover the token %s of a lost write: %v", world3[region], lost, err)
		}
	}
}

// TestFailoverRefused refuses failovers that cannot be done.
func TestFailoverRefused(t *testing.T) {
	g := newGlobe(t, Limits{}, "")
	g.must(g.a.SetOnline("C", false, g.now))
	for _, err := range []error{
		g.a.Failover("X", true, g.now),
		g.a.Failover("C", true, g.now),
		g.a.SetMultiWrite(true, g.now),
		g.a.SetReplication(Replication{Lag: -1}, g.now),
		g.a.SetReplication(Replication{Region: "X"}, g.now),
		g.a.SetReplication(Replication{Container: "c"}, g.now),
		g.a.SetReplication(Replication{Database: "x"}, g.now),
		g.a.SetReplication(Replication{Database: "d", Container: "x"}, g.now),
		g.a.SetReplication(Replication{Database: "d", Container: "c", Range: "7"}, g.now),
		New(Limits{}).Failover(DefaultRegion, false, g.now),
		Limits{Regions: []string{"A", "A"}}.CheckRegions(),
		Limits{Regions: []string{""}}.CheckRegions(),
		Limits{Regions: world3, MultiWrite: true, Consistency: Strong}.CheckRegions(),
		Limits{MultiWrite: true}.CheckRegions(),
		Limits{Consistency: "strong"}.CheckRegions(),
	} {
		if err == nil {
			t.Error("there is no error")
		}
	}
	g.must(g.a.Failover("A", true, g.now))
	g.must(g.a.SetOnline("C", true, g.now))
	g.must(g.a.SetOnline("A", false, g.now))
	if err := g.a.Failover("B", false, g.now); err == nil {
		t.Error("a planned failover of a region that is offline has no error")
	}
	if _, err := Restore(Limits{Regions: world3}, &kills{}); err == nil {
		t.Error("records of several regions are not refused")
	}
}

// TestConsistencyOfRegions bounds lags and pauses by the consistency level of the account.
func TestConsistencyOfRegions(t *testing.T) {
	for _, test := range []struct {
		limits Limits
		writes int
		wait   time.Duration
		want   bool // whether the first write has arrived
	}{
		{Limits{}, 1, time.Hour, false},
		{Limits{Consistency: Strong}, 1, 0, true},
		{Limits{Consistency: BoundedStaleness}, 1, 299 * time.Second, false},
		{Limits{Consistency: BoundedStaleness}, 1, 300 * time.Second, true},
		{Limits{Consistency: BoundedStaleness, Staleness: Staleness{Time: time.Second}}, 1, time.Second, true},
		{Limits{Consistency: BoundedStaleness, Staleness: Staleness{Writes: 3}}, 3, 0, false},
		{Limits{Consistency: BoundedStaleness, Staleness: Staleness{Writes: 3}}, 4, 0, true},
	} {
		g := newGlobe(t, test.limits, "")
		g.must(g.a.SetReplication(Replication{Paused: true}, g.now))
		for i := range test.writes {
			_, err := g.put(0, fmt.Sprint(i), i)
			g.must(err)
		}
		g.wait(test.wait)
		if _, got := g.read(1)["0"]; got != test.want {
			t.Errorf("%+v: %d writes, %s later: the first has arrived: %t", test.limits, test.writes, test.wait, got)
		}
	}
}

// TestExpiryInRegions has a document expire in the write region alone, which tells the others.
func TestExpiryInRegions(t *testing.T) {
	for _, multi := range []bool{false, true} {
		g := newGlobe(t, Limits{ReplicationLag: 5 * time.Second, MultiWrite: multi, AllVersions: time.Hour}, `,"defaultTtl":10`)
		_, err := g.put(0, "x", 1)
		g.must(err)
		g.wait(10 * time.Second)
		late := items{"x": "1"}
		if multi { // each write region knows by itself
			late = items{}
		}
		g.expect("after the time to live", items{}, late)
		g.wait(5 * time.Second)
		g.expect("after the lag", items{}, items{}, items{})
		for region := range 3 {
			c := g.c.In(region)
			g.must(c.Read(g.now, func() error {
				list, err := c.Versions(c.Ranges[0], 0, g.now)
				if len(list) != 2 || !list[1].Expired {
					t.Errorf("multi %t, %s: the versions are %+v", multi, world3[region], list)
				}
				return err
			}))
		}
	}
}

// TestConflicts has all regions agree on the winner of a conflict.
func TestConflicts(t *testing.T) {
	const byN = `,"conflictResolutionPolicy":{"mode":"LastWriterWins","conflictResolutionPath":"/n"}`
	for _, test := range []struct {
		name, policy string
		write        func(g *globe)
		want         items
	}{
		{"a later write by _ts", "", func(g *globe) {
			g.mustPut(0, "x", 9)
			g.wait(time.Second)
			g.mustPut(1, "x", 1)
		}, items{"x": "1"}},
		{"the same second: the first region", "", func(g *globe) {
			g.mustPut(2, "x", 2)
			g.mustPut(1, "x", 1)
		}, items{"x": "1"}},
		{"a higher number", byN, func(g *globe) {
			g.mustPut(0, "x", 9)
			g.wait(time.Second)
			g.mustPut(1, "x", 1)
		}, items{"x": "9"}},
		{"no number", byN, func(g *globe) {
			g.mustPut(1, "x", -5)
			g.wait(time.Second)
			_, err := g.perform(0, &Action{Kind: Upsert, ID: "x"}, `{"id":"x","pk":"x","n":"text"}`)
			g.must(err)
		}, items{"x": "-5"}},
		{"a deletion", byN, func(g *globe) {
			g.mustPut(0, "x", 1)
			g.wait(time.Minute)
			_, err := g.delete(1, "x")
			g.must(err)
			g.wait(time.Second)
			g.mustPut(0, "x", 9)
		}, items{}},
		{"a write that has seen the other", byN, func(g *globe) {
			g.mustPut(0, "x", 9)
			g.wait(time.Minute)
			g.mustPut(1, "x", 1)
		}, items{"x": "1"}},
		{"a write after a deletion", byN, func(g *globe) {
			g.mustPut(0, "x", 9)
			g.wait(time.Minute)
			_, err := g.delete(1, "x")
			g.must(err)
			g.mustPut(1, "x", 1)
		}, items{"x": "1"}},
		// B's second write is lower than A's, which its first one beats.
		{"a successor of a winner", byN, func(g *globe) {
			g.mustPut(0, "x", 10)
			g.mustPut(1, "x", 20)
			g.mustPut(1, "x", 5)
		}, items{"x": "10"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := newGlobe(t, Limits{ReplicationLag: 5 * time.Second, MultiWrite: true}, test.policy)
			test.write(g)
			g.wait(time.Minute)
			g.expect("in the end", test.want, test.want, test.want)
			rids := map[string]bool{}
			for region := range 3 {
				c := g.c.In(region)
				g.must(c.Read(g.now, func() error {
					for d := range c.Ranges[0].Snapshot().Docs.All() {
						rids[string(d.Raw)] = true
					}
					return nil
				}))
			}
			if len(rids) != len(test.want) {
				t.Errorf("the regions have different documents: %v", rids)
			}
		})
	}
}

func (g *globe) mustPut(region int, id string, n int) string {
	g.t.Helper()
	token, err := g.put(region, id, n)
	g.must(err)
	return token
}

// TestBatchesOfWriteRegions has the last write of a batch be the version that other regions
// know, and forgets a batch that is rolled back.
func TestBatchesOfWriteRegions(t *testing.T) {
	g := newGlobe(t, Limits{ReplicationLag: 5 * time.Second, MultiWrite: true}, "")
	k := g.key("x")
	batch := func(region int, fails bool, values ...int) (token string) {
		c := g.c.In(region)
		g.must(c.Transact(k, g.now, false, func(tx *Transaction) error {
			for _, n := range values {
				action := &Action{Kind: Delete, Key: k, ID: "x"}
				if n > 0 {
					in, err := c.Incoming(fmt.Appendf(nil, `{"id":"x","pk":"x","n":%d}`, n), k)
					if err != nil {
						return err
					}
					action = &Action{Kind: Upsert, Key: k, ID: "x", Incoming: in}
				}
				if _, err := tx.Perform(action); err != nil {
					return err
				}
			}
			if fails {
				tx.Rollback()
			}
			token = tx.Range.SessionToken()
			return nil
		}))
		return token
	}
	before := batch(0, false, 1, 0, 2)
	if after := batch(0, true, 3, 0); after != before {
		t.Errorf("the token is %s after a batch that is rolled back, and %s before", after, before)
	}
	batch(1, true, 4)
	g.wait(5 * time.Second)
	g.expect("after the lag", items{"x": "2"}, items{"x": "2"}, items{"x": "2"})
	batch(1, false, 0, 5)
	g.wait(5 * time.Second)
	g.expect("after a successor", items{"x": "5"}, items{"x": "5"}, items{"x": "5"})
}

// TestExpiryOfConflicts has regions agree on an item whose versions were in conflict, when the
// winner has expired in one of them before the loser arrives.
func TestExpiryOfConflicts(t *testing.T) {
	for _, first := range []int{0, 1} {
		g := newGlobe(t, Limits{MultiWrite: true}, `,"defaultTtl":-1,"conflictResolutionPolicy":{"mode":"LastWriterWins","conflictResolutionPath":"/n"}`)
		g.must(g.a.SetReplication(Replication{Paused: true}, g.now))
		for region, body := range []string{`{"id":"x","pk":"x","n":9,"ttl":5}`, `{"id":"x","pk":"x","n":1}`} {
			_, err := g.perform((first+region)%2, &Action{Kind: Create, ID: "x"}, body)
			g.must(err)
		}
		g.wait(10 * time.Second)
		g.expect("on the way", map[bool]items{true: {}, false: {"x": "1"}}[first == 0])
		g.must(g.a.SetReplication(Replication{}, g.now))
		g.expect("in the end", items{}, items{}, items{})
	}
}

// TestImportInRegions has a file arrive in all regions at once.
func TestImportInRegions(t *testing.T) {
	g := newGlobe(t, Limits{ReplicationLag: time.Hour, AllVersions: time.Hour}, "")
	text := `{"database":"d","container":{"id":"file","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2}}}
{"id":"x","pk":"x","n":1}
`
	_, err := g.a.Import(strings.NewReader(text), g.now)
	g.must(err)
	_, g.c = g.a.Find("d", "file")
	g.expect("at once", items{"x": "1"}, items{"x": "1"}, items{"x": "1"})
}

// TestStrongFailover loses nothing, even if it is forced.
func TestStrongFailover(t *testing.T) {
	g := newGlobe(t, Limits{ReplicationLag: time.Hour, Consistency: Strong}, "")
	g.mustPut(0, "x", 1)
	g.must(g.a.Failover("B", true, g.now))
	g.expect("after it", items{"x": "1"}, items{"x": "1"}, items{"x": "1"})
	if err := g.a.SetMultiWrite(true, g.now); err == nil {
		t.Error("several write regions with Strong consistency are accepted")
	}
}

// TestSessionTokensOfWriteRegions has a region cover a token when it has what the region of
// the token had.
func TestSessionTokensOfWriteRegions(t *testing.T) {
	g := newGlobe(t, Limits{ReplicationLag: 5 * time.Second, MultiWrite: true}, "")
	first := g.mustPut(0, "x", 1)
	if first != "0:-1#1#1=1#2=0#3=0" {
		t.Errorf("the first token is %s", first)
	}
	g.wait(time.Second)
	second := g.mustPut(1, "y", 1)
	covers := func(region int, token string, want bool) {
		t.Helper()
		if got, err := g.c.In(region).Covers(token, g.now); err != nil || got != want {
			t.Errorf("%s covers %s: %t, %v", world3[region], token, got, err)
		}
	}
	covers(1, first, false)
	covers(0, second, false)
	g.wait(4 * time.Second)
	covers(1, first, true)
	covers(0, second, false)
	covers(2, second, false)
	g.wait(time.Second)
	covers(0, second, true)
	covers(2, second, true)
	if _, err := g.c.Covers("nothing", g.now); substatus(err)[0] != status.CodeBadRequest {
		t.Errorf("a token without a form: %v", err)
	}
}

// TestSetMultiWrite changes the number of write regions while programs work: documents stay,
// regions serve the session tokens from before, and change feeds miss no document.
func TestSetMultiWrite(t *testing.T) {
	g := newGlobe(t, Limits{ReplicationLag: 5 * time.Second}, "")
	one := g.mustPut(0, "x", 1)
	g.must(g.a.SetMultiWrite(true, g.now))
	g.expect("with several", items{"x": "1"}, items{"x": "1"}, items{"x": "1"})
	several := g.mustPut(1, "y", 2)
	g.mustPut(2, "x", 3)
	read := map[string]string{}
	feed := func(after int64) (last int64) {
		c := g.c.In(2)
		g.must(c.Read(g.now, func() error {
			for d := range c.Ranges[0].Snapshot().Docs.All() {
				if d.LSN > after {
					read[d.ID()] = numberOf(d)
				}
			}
			last = c.Ranges[0].LSN
			return nil
		}))
		return last
	}
	at := feed(0)
	g.mustPut(0, "z", 4)
	g.must(g.a.Failover("C", false, g.now))
	g.must(g.a.SetMultiWrite(false, g.now))
	want := items{"x": "3", "y": "2", "z": "4"}
	g.expect("with one again", want, want, want)
	feed(at)
	if !maps.Equal(read, want) {
		t.Errorf("the change feed has %v", read)
	}
	if _, err := g.put(0, "x", 5); substatus(err) != [2]int{status.Forbidden, status.WriteForbidden} {
		t.Errorf("a write in a region that reads: %v", err)
	}
	g.mustPut(2, "x", 5)
	for region := range 3 {
		for _, token := range []string{one, several} {
			if covers, err := g.c.In(region).Covers(token, g.now); err != nil || !covers {
				t.Errorf("%s does not cover %s: %v", world3[region], token, err)
			}
		}
	}
}

// TestPoliciesOfWriteRegions refuses containers whose conflicts the emulator does not resolve.
func TestPoliciesOfWriteRegions(t *testing.T) {
	const custom = `,"conflictResolutionPolicy":{"mode":"Custom"}`
	const unique = `,"uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/n"]}]}`
	g := newGlobe(t, Limits{MultiWrite: true}, "")
	for _, more := range []string{custom, unique, `,"conflictResolutionPolicy":{"mode":"other"}`, `,"conflictResolutionPolicy":{"mode":"LastWriterWins","conflictResolutionPath":"n"}`} {
		if _, err := g.create("x", more); err == nil {
			t.Errorf("%s is accepted", more)
		}
	}
	for _, more := range []string{custom, unique} {
		g := newGlobe(t, Limits{}, more)
		if err := g.a.SetMultiWrite(true, g.now); err == nil {
			t.Errorf("several write regions with %s are accepted", more)
		}
	}
}

// TestIndexesInRegions has an index and its replicas follow a source through failovers.
func TestIndexesInRegions(t *testing.T) {
	a := New(Limits{Partitions: 1, MaxDocument: 2 << 20, MaxLogicalPartition: 20 << 30, Regions: world3, IndexLag: time.Second, ReplicationLag: 2 * time.Second})
	c, write, add := indexed(t, a)
	x := add("x")
	now := time.Unix(1000, 0)
	count := func(region int) (n int) {
		in := x.In(region)
		if err := in.Read(now, func() error { n = in.size(); return nil }); err != nil {
			t.Fatal(err)
		}
		return n
	}
	for i := range 300 {
		write(i)
	}
	now = now.Add(2 * time.Second)
	if n := count(0); n != 5 {
		t.Errorf("the index has %d entries", n)
	}
	if n := count(1); n != 0 {
		t.Errorf("a replica of the index has %d entries before its lag", n)
	}
	now = now.Add(2 * time.Second)
	if n := count(1); n != 5 {
		t.Errorf("a replica of the index has %d entries", n)
	}
	if n := len(x.Ranges[0].versions); n > 2*manyWritten {
		t.Errorf("the index keeps %d versions", n)
	}
	if err := a.SetReplication(Replication{Paused: true}, now); err != nil {
		t.Fatal(err)
	}
	for id := range 5 {
		k, _ := c.ParseKey(`["a"]`)
		if err := c.Transact(k, now, false, func(tx *Transaction) error {
			_, err := tx.Perform(&Action{Kind: Delete, Key: k, ID: fmt.Sprint(id)})
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	now = now.Add(time.Minute)
	if n := count(0); n != 0 {
		t.Errorf("the index has %d entries of deleted documents", n)
	}
	if err := a.Failover("B", true, now); err != nil {
		t.Fatal(err)
	}
	if n := count(1); n != 5 {
		t.Errorf("the index has %d entries after the deletions are lost", n)
	}
	if err := a.SetReplication(Replication{}, now); err != nil {
		t.Fatal(err)
	}
	if err := a.SetOnline("A", true, now); err != nil {
		t.Fatal(err)
	}
	for region := range 3 {
		if n := count(region); n != 5 {
			t.Errorf("%s has %d entries in the end", world3[region], n)
		}
	}
}

// TestRegionsAtOnce uses all regions at once, while they change. Each region ends up with the
// same documents, and no call waits for ever.
func TestRegionsAtOnce(t *testing.T) {
	a := New(Limits{Partitions: 2, MaxDocument: 2 << 20, MaxLogicalPartition: 20 << 30, Regions: world3, AllVersions: time.Hour})
	c, _, add := indexed(t, a)
	x := add("x")
	g := &globe{t: t, a: a, c: c, now: time.Unix(1000, 0)}
	keys := make([]*Key, 20)
	for i := range keys {
		keys[i] = g.key(fmt.Sprint(i))
	}
	var wait sync.WaitGroup
	each := func(f func(i int)) {
		wait.Go(func() {
			for i := range 150 {
				f(i)
			}
		})
	}
	for region := range 3 {
		each(func(i int) {
			k, id := keys[i%len(keys)], fmt.Sprint(i%len(keys))
			in := c.In(region)
			err := in.Transact(k, g.now, false, func(tx *Transaction) error {
				doc, err := in.Incoming(fmt.Appendf(nil, `{"id":%q,"pk":%q,"n":%d}`, id, id, i), k)
				if err == nil {
					_, err = tx.Perform(&Action{Kind: Upsert, Key: k, ID: id, Incoming: doc})
				}
				return err
			})
			if err != nil && substatus(err) != [2]int{status.Forbidden, status.WriteForbidden} {
				t.Error(err)
			}
		})
		each(func(int) {
			for _, container := range []*Container{c, x} {
				in := container.In(region)
				if err := in.Read(g.now, func() error {
					_, err := in.Ranges[0].Covers(in.Ranges[0].SessionToken())
					return err
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	each(func(i int) {
		_ = a.Failover(world3[i%3], i%2 == 0, g.now) // fails if the region is offline
		for _, name := range world3 {
			g.must(a.SetOnline(name, true, g.now))
		}
		g.must(a.SetReplication(Replication{Region: world3[i%3], Paused: i%2 == 0}, g.now))
		a.Regions()
		a.Survey(g.now)
	})
	each(func(i int) {
		switch {
		case i%10 == 0:
			_ = a.SetMultiWrite(i%20 == 0, g.now) // fails if a region is offline
		case i%40 == 5:
			g.must(c.SplitRange(c.In(1).RangeIDOf(keys[0])))
		}
	})
	wait.Wait()
	for _, name := range world3 {
		g.must(a.SetOnline(name, true, g.now))
	}
	g.must(a.SetReplication(Replication{}, g.now))
	g.expect("in the end", g.read(0), g.read(0), g.read(0))
}

// TestIndexesOfWriteRegions has an index take the writes of all regions.
func TestIndexesOfWriteRegions(t *testing.T) {
	a := New(Limits{Partitions: 1, MaxDocument: 2 << 20, MaxLogicalPartition: 20 << 30, Regions: world3, MultiWrite: true, ReplicationLag: time.Second, IndexLag: time.Second})
	c, _, add := indexed(t, a)
	x := add("x")
	g := &globe{t: t, a: a, c: c, now: time.Unix(2000, 0)}
	for region := range 3 {
		g.mustPut(region, fmt.Sprint(region), 1)
		g.mustPut(region, "same", region)
	}
	entries := func(region int) (n int) {
		in := x.In(region)
		g.must(in.Read(g.now, func() error { n = in.size(); return nil }))
		return n
	}
	for _, want := range []items{{"0": "2", "1": "0", "2": "0"}, {"0": "4", "1": "2", "2": "2"}, {"0": "4", "1": "4", "2": "4"}} {
		g.wait(time.Second)
		for region := range 3 {
			if got := fmt.Sprint(entries(region)); got != want[fmt.Sprint(region)] {
				t.Errorf("%s: %s has %s entries", g.now.UTC(), world3[region], got)
			}
		}
	}
}
