package repository_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness/seeds"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// windowsModel writes readings to windows, and remembers which changes a feed may and must
// have. Each write has the next number, which is the reading's value.
type windowsModel struct {
	kit.Readings
	t       *testing.T
	r       *rand.Rand
	windows map[int]int // which life of the window of a month it is; 0 if there is none
	lives   int
	written int
	latest  map[string]int // the number of the last write, by life and id; 0 once it was deleted
	seen    map[int]bool   // numbers of writes that came
	last    map[string]int // the number of the last change, by life and partition key
	known   map[string]int // the number of the last change, by life and id
	changes int
	lists   int // faults of requests for the list of containers, since calm
}

// write writes or deletes a random reading in a window that exists.
func (m *windowsModel) write() {
	m.t.Helper()
	month := 1 + m.r.IntN(6)
	life := m.windows[month]
	if life == 0 {
		if m.r.IntN(6) == 0 {
			m.lives++
			m.windows[month] = m.lives
			m.Make(m.t, kit.Window(month))
		}
		return
	}
	x := kit.ReadingAt(fmt.Sprint("r", m.r.IntN(12)), month, 1)
	m.written++
	x.Value = m.written
	of := fmt.Sprint(life, " ", x.ID)
	if m.latest[of] > 0 && m.r.IntN(6) == 0 {
		if err := m.Delete(context.Background(), x.Key()); err != nil {
			m.t.Fatal(err)
		}
		m.latest[of] = 0
		return
	}
	m.Put(m.t, x)
	m.latest[of] = m.written
}

// take checks a change.
func (m *windowsModel) take(c feed.Change[fixtures.Reading]) {
	m.t.Helper()
	m.changes++
	n := c.Doc.Value
	if m.seen[n] {
		m.t.Fatalf("change %d: write %d came before", m.changes, n)
	}
	m.seen[n] = true
	life := m.windows[int(c.Doc.At.Time().Month())]
	of := fmt.Sprint(life, " ", c.Doc.Key().PartitionKey())
	if n < m.last[of] {
		m.t.Fatalf("change %d: write %d of %s comes after write %d", m.changes, n, of, m.last[of])
	}
	m.last[of] = n
	m.known[fmt.Sprint(life, " ", c.Doc.ID)] = n
}

// disturb splits physical partitions, and has requests fail in ways that can be survived.
func (m *windowsModel) disturb() {
	fault := emulator.Fault{Operation: emulator.OpReadChangeFeed, Skip: m.r.IntN(6)}
	switch m.r.IntN(7) {
	case 0, 1:
		_ = m.Server.Split("db", kit.Window(1+m.r.IntN(6)), strconv.Itoa(m.r.IntN(6))) // which may not be
		return
	case 2:
		fault.Status, fault.Substatus, fault.RetryAfter, fault.Count = http.StatusTooManyRequests, 3200, time.Millisecond, 1+m.r.IntN(3)
	case 3:
		fault.Status, fault.Substatus = http.StatusGone, 1002
	case 4:
		if m.lists++; m.lists > 3 { // the SDK asks four times, and takes the next fault each time
			return
		}
		fault.Operation, fault.Status, fault.Substatus, fault.RetryAfter = emulator.OpQueryContainers, http.StatusTooManyRequests, 3200, time.Millisecond
	default:
		return
	}
	m.Server.Inject(fault)
}

// calm ends the faults that no request has met.
func (m *windowsModel) calm() {
	m.Server.ClearFaults()
	m.lists = 0
}

// retire drops a window of the past after all of it was read, and makes it again perhaps.
func (m *windowsModel) retire() {
	m.t.Helper()
	month := 1 + m.r.IntN(5)
	if m.windows[month] == 0 {
		return
	}
	life := fmt.Sprint(m.windows[month], " ")
	for of := range m.latest {
		if len(of) > len(life) && of[:len(life)] == life {
			delete(m.latest, of)
		}
	}
	m.Drop(m.t, kit.Window(month))
	m.windows[month] = 0
	if m.r.IntN(2) == 0 {
		m.lives++
		m.windows[month] = m.lives
		m.Make(m.t, kit.Window(month))
	}
}

// read reads most changes, among writes and disturbances, or all changes if most is 0. It
// returns the cursor.
func (m *windowsModel) read(cursor string, most int) string {
	m.t.Helper()
	caughtUp := feed.OnCaughtUp(func(c string) { cursor = c })
	size := feed.PageSize(int32(1 + m.r.IntN(7)))
	for c, err := range feed.Changes(context.Background(), m.Documents, feed.FromCursor(cursor), feed.UntilCaughtUp(), caughtUp, size) {
		if err != nil {
			m.t.Fatal(err)
		}
		m.take(c)
		cursor = c.Cursor()
		if most--; most == 0 {
			break
		}
		if most > 0 && m.r.IntN(5) == 0 {
			m.write()
			m.disturb()
		}
	}
	return cursor
}

// TestChangesOverWindowsModel reads in parts, each from a cursor of the part before and by
// another client perhaps, while windows appear, are written, split and dropped, and
// requests fail.
func TestChangesOverWindowsModel(t *testing.T) {
	t.Parallel()
	for seed := range seeds.Of(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 16))
			clock := &testClock{}
			opts := []repository.Option{withNow(clock.now), repository.WithConcurrency(1 + r.IntN(4))}
			m := windowsModel{
				Readings: kit.NewReadings(t, 1+r.IntN(2), opts...), t: t, r: r, windows: map[int]int{},
				latest: map[string]int{}, seen: map[int]bool{}, last: map[string]int{}, known: map[string]int{},
			}
			cursor := ""
			for range seeds.Few(25, 12) {
				for range 10 + r.IntN(30) {
					m.write()
				}
				m.disturb()
				if r.IntN(4) == 0 {
					m.Readings = m.Elsewhere(t, r.IntN(2) == 0, opts...)
				}
				cursor = m.read(cursor, 1+r.IntN(30))
				if r.IntN(3) == 0 {
					m.calm()
					cursor = m.read(cursor, -1)
					m.retire()
				}
			}
			m.calm()
			m.read(cursor, -1)
			for of, n := range m.latest {
				if n > 0 && m.known[of] != n {
					t.Errorf("reading %s: the last change was %d, and the last write %d", of, m.known[of], n)
				}
			}
			if m.changes < 60 {
				t.Errorf("only %d changes", m.changes)
			}
		})
	}
}
