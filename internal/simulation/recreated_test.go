package simulation

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/simulation/transport"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// recreate deletes the container, and makes it anew some time later. What was acknowledged is
// gone. Operations that are under way meanwhile may fail, and none gives a document of the one as
// one of the other.
func (r *run) recreate(lane int, by *running) {
	drops := map[int]*operation{}
	for slot := range r.slots {
		drops[slot] = &operation{kind: "drop"}
	}
	r.begin(lane, by, drops)
	db, err := r.Database() // of a program that does nothing else
	if err == nil {
		r.interrupt()
		c, _ := db.NewContainer(r.shape.Containers[0].ID)
		for range 100 { // the write region may be away
			if _, err = c.Delete(context.Background(), nil); err == nil || r.weather.regions == 0 {
				break
			}
			time.Sleep(time.Second)
		}
		r.lacks(time.Now())
	}
	if err == nil {
		time.Sleep(time.Duration(by.random.Int64N(int64(2 * time.Second))))
		err = r.load()
		r.lacks(time.Time{})
		r.interrupt()
	}
	if err != nil {
		r.mu.Lock()
		r.fail(-1, "the container is not made anew: %v", err)
		r.mu.Unlock()
	}
	for slot := range r.slots {
		r.end(lane, by, slot, drops[slot], nil)
	}
}

// misses checks an error: while there is no container, no document is said to be missing.
func (r *run) misses(by *running, slot int, err error) {
	r.world.mu.Lock()
	absent := r.absent
	r.world.mu.Unlock()
	if errors.Is(err, repository.ErrNotFound) && !absent.IsZero() && by.began.After(absent) {
		r.fail(slot, "op %d, %s: there is no container, and not only no document: %v", by.index, by.name, err)
	}
}

// interrupt tells the operations under way that they may fail.
func (r *run) interrupt() {
	r.world.mu.Lock()
	r.meta++
	under := slices.Collect(maps.Values(r.world.running))
	r.world.mu.Unlock()
	for _, by := range under {
		r.mu.Lock()
		broken := by.broken
		r.mu.Unlock()
		if broken != nil {
			broken(transport.Dropped)
		}
	}
}

// lacks notes since when there is no container, the zero time if there is one.
func (w *world) lacks(since time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.absent = since
}
