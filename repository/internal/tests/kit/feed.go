package kit

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository/feed"
)

// FeedModel writes things, and remembers which changes a feed may and must have.
// Each write has the next number, which is in the thing.
type FeedModel struct {
	Things
	T       *testing.T
	R       *rand.Rand
	written int
	Latest  map[ThingKey]int // 0 once it was deleted
	Seen    map[string]int   // versions, and at which change
	Last    map[string]int   // the number of the last change, by partition key
	Known   map[ThingKey]int // the number of the last change
	Made    int
}

// Write writes or deletes a random thing.
func (m *FeedModel) Write() {
	m.T.Helper()
	ctx := context.Background()
	key := ThingKey{ID: fmt.Sprint("t", m.R.IntN(60)), Base: "x"}
	m.written++
	if m.Latest[key] > 0 && m.R.IntN(6) == 0 {
		if err := m.Delete(ctx, key); err != nil {
			m.T.Fatal(err)
		}
		m.Latest[key] = 0
		return
	}
	x := &Thing{ID: key.ID, Base: key.Base, Properties: map[string]any{"n": float64(m.written)}}
	if err := m.Upsert(ctx, x); err != nil {
		m.T.Fatal(err)
	}
	m.Latest[key] = m.written
}

// Disturb splits physical partitions, several at once perhaps, and lets requests
// for changes fail in ways that can be survived.
func (m *FeedModel) Disturb() {
	fault := emulator.Fault{Operation: emulator.OpReadChangeFeed, Skip: m.R.IntN(4)}
	switch m.R.IntN(8) {
	case 0, 1, 2:
		for range 1 + m.R.IntN(3) {
			// Many numbers are of no physical partition.
			_ = m.Server.Split("db", "things", strconv.Itoa(m.R.IntN(12)))
		}
		return
	case 3:
		fault.Status, fault.Substatus, fault.RetryAfter, fault.Count = http.StatusTooManyRequests, 3200, time.Millisecond, 1+m.R.IntN(3)
	case 4:
		fault.Status, fault.Substatus = http.StatusGone, 1002
	case 5:
		if m.R.IntN(20) > 0 { // the SDK waits a second
			return
		}
		fault.Drop, fault.After = true, true
	default:
		return
	}
	m.Server.Inject(fault)
}

// take checks a change.
func (m *FeedModel) take(c feed.Change[Thing]) {
	m.T.Helper()
	m.Made++
	key := ThingKey{c.Doc.ID, c.Doc.Base}
	number, _ := c.Doc.Properties["n"].(float64)
	n := int(number)
	version := fmt.Sprint(key.ID, " ", n)
	if before, ok := m.Seen[version]; ok {
		m.T.Fatalf("change %d: version %s came before, as change %d", m.Made, version, before)
	}
	m.Seen[version] = m.Made
	if n < m.Last[key.Text()] {
		m.T.Fatalf("change %d: write %d of %s comes after write %d", m.Made, n, key.Text(), m.Last[key.Text()])
	}
	m.Last[key.Text()] = n
	m.Known[key] = n
}

// Read reads so many changes, among writes and disturbances, or all that there are,
// and returns the cursor.
func (m *FeedModel) Read(cursor string, most int, disturb func()) string {
	m.T.Helper()
	caughtUp := feed.OnCaughtUp(func(c string) { cursor = c })
	size := feed.PageSize(int32(1 + m.R.IntN(7)))
	for c, err := range feed.Changes(context.Background(), m.Documents, feed.FromCursor(cursor), feed.UntilCaughtUp(), caughtUp, size) {
		if err != nil {
			m.T.Fatal(err)
		}
		m.take(c)
		cursor = c.Cursor()
		if most--; most == 0 {
			break
		}
		if most < 0 {
			continue
		}
		switch m.R.IntN(10) {
		case 0:
			m.Write()
		case 1:
			disturb()
		}
	}
	return cursor
}

// ChangedIDs are the ids that an iteration yields, sorted, and its last cursor.
func ChangedIDs(t *testing.T, changes iter.Seq2[feed.Change[Thing], error]) (ids []string, cursor string) {
	t.Helper()
	for c, err := range changes {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, c.Doc.ID)
		cursor = c.Cursor()
	}
	slices.Sort(ids)
	return ids, cursor
}

func ChangedThings(all []*Thing) []string {
	names := make([]string, len(all))
	for i, x := range all {
		names[i] = x.ID
	}
	slices.Sort(names)
	return names
}

// ThingContainer is a container of things without indexes of its own.
var ThingContainer = harness.Properties("things", "/pk")
