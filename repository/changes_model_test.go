package repository_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// feedModel writes things, and remembers which changes a feed may and must have.
// Each write has the next number, which is in the thing.
type feedModel struct {
	things
	t       *testing.T
	r       *rand.Rand
	written int
	latest  map[thingKey]int // 0 once it was deleted
	seen    map[string]int   // versions, and at which change
	last    map[string]int   // the number of the last change, by partition key
	known   map[thingKey]int // the number of the last change
	changes int
}

// write writes or deletes a random thing.
func (m *feedModel) write() {
	m.t.Helper()
	ctx := context.Background()
	key := thingKey{ID: fmt.Sprint("t", m.r.IntN(60)), Base: "x"}
	m.written++
	if m.latest[key] > 0 && m.r.IntN(6) == 0 {
		if err := m.Delete(ctx, key); err != nil {
			m.t.Fatal(err)
		}
		m.latest[key] = 0
		return
	}
	x := &thing{ID: key.ID, Base: key.Base, Properties: map[string]any{"n": float64(m.written)}}
	if err := m.Upsert(ctx, x); err != nil {
		m.t.Fatal(err)
	}
	m.latest[key] = m.written
}

// disturb splits physical partitions, several at once perhaps, and lets requests
// for changes fail in ways that can be survived.
func (m *feedModel) disturb() {
	fault := emulator.Fault{Operation: emulator.OpReadChangeFeed, Skip: m.r.IntN(4)}
	switch m.r.IntN(8) {
	case 0, 1, 2:
		for range 1 + m.r.IntN(3) {
			// Many numbers are of no physical partition.
			_ = m.server.Split("db", "things", strconv.Itoa(m.r.IntN(12)))
		}
		return
	case 3:
		fault.Status, fault.Substatus, fault.RetryAfter, fault.Count = http.StatusTooManyRequests, 3200, time.Millisecond, 1+m.r.IntN(3)
	case 4:
		fault.Status, fault.Substatus = http.StatusGone, 1002
	case 5:
		if m.r.IntN(20) > 0 { // the SDK waits a second
			return
		}
		fault.Drop, fault.After = true, true
	default:
		return
	}
	m.server.Inject(fault)
}

// take checks a change.
func (m *feedModel) take(c repository.Change[thing]) {
	m.t.Helper()
	m.changes++
	key := thingKey{c.Doc.ID, c.Doc.Base}
	number, _ := c.Doc.Properties["n"].(float64)
	n := int(number)
	version := fmt.Sprint(key.ID, " ", n)
	if before, ok := m.seen[version]; ok {
		m.t.Fatalf("change %d: version %s came before, as change %d", m.changes, version, before)
	}
	m.seen[version] = m.changes
	if n < m.last[key.text()] {
		m.t.Fatalf("change %d: write %d of %s comes after write %d", m.changes, n, key.text(), m.last[key.text()])
	}
	m.last[key.text()] = n
	m.known[key] = n
}

// TestChangesAgainstModel reads in parts, each from a cursor of the part before,
// while things are written, physical partitions split and requests fail.
func TestChangesAgainstModel(t *testing.T) {
	t.Parallel()
	for seed := range seeds.Of(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 7))
			var client *azcosmos.ClientOptions
			if seed%3 > 0 {
				client = repository.Configure(nil)
			}
			m := feedModel{
				things: newThings(t, emulator.Options{Partitions: 1 + r.IntN(3)}, client, seed%2 == 0, repository.WithConcurrency(1+r.IntN(4))),
				t:      t, r: r, latest: map[thingKey]int{}, seen: map[string]int{}, last: map[string]int{}, known: map[thingKey]int{},
			}
			cursor := ""
			for range seeds.Few(40, 20) {
				for range r.IntN(25) {
					m.write()
				}
				m.disturb()
				cursor = m.read(cursor, 1+r.IntN(30), m.disturb)
			}
			m.server.ClearFaults()
			m.read(cursor, -1, m.disturb)
			for key, n := range m.latest {
				if n > 0 && m.known[key] != n {
					t.Errorf("thing %s: the last change was %d, and the last write %d", key.ID, m.known[key], n)
				}
			}
			if m.changes < 100 {
				t.Errorf("only %d changes", m.changes)
			}
		})
	}
}

// read reads so many changes, among writes and disturbances, or all that there are,
// and returns the cursor.
func (m *feedModel) read(cursor string, most int, disturb func()) string {
	m.t.Helper()
	caughtUp := repository.OnCaughtUp(func(c string) { cursor = c })
	size := repository.ChangesPageSize(int32(1 + m.r.IntN(7)))
	for c, err := range m.Changes(context.Background(), repository.FromCursor(cursor), repository.UntilCaughtUp(), caughtUp, size) {
		if err != nil {
			m.t.Fatal(err)
		}
		m.take(c)
		cursor = c.Cursor()
		if most--; most == 0 {
			break
		}
		if most < 0 {
			continue
		}
		switch m.r.IntN(10) {
		case 0:
			m.write()
		case 1:
			disturb()
		}
	}
	return cursor
}
