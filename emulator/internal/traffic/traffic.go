package traffic

import (
	"slices"
	"sync"
	"time"
)

// Window is how many seconds are kept of each physical partition.
const Window = 300

// Second is the traffic of one physical partition within a second.
type Second struct {
	Charge    float64 `json:"charge"` // request units
	Requests  int     `json:"requests"`
	Throttled int     `json:"throttled"` // answers with 429
}

// add counts one request.
func (s *Second) add(charge float64, throttled bool) {
	s.Charge += charge
	s.Requests++
	if throttled {
		s.Throttled++
	}
}

// Counter counts requests. The zero value is ready, and safe for concurrent use. Its memory is
// bounded by the number of physical partitions that served a request within the window: 7 KB
// for each, and 26,000 keys of at most 2 KB for each container.
type Counter struct {
	mu     sync.Mutex
	ranges map[place]*ring
	keys   map[string]*hotKeys // by the resource id of the container
	swept  int64               // the second in which idle entries were last removed
}

// place is a physical partition: the resource id of its container, and its own id.
type place struct{ container, id string }

// ring holds the seconds of one physical partition, each at its number modulo Window.
type ring struct {
	last    int64 // the latest second that was counted
	seconds [Window]Second
}

// advance empties the seconds after last, up to now.
func (r *ring) advance(now int64) {
	if now-r.last >= Window {
		r.seconds = [Window]Second{}
	} else {
		for s := r.last + 1; s <= now; s++ {
			r.seconds[s%Window] = Second{}
		}
	}
	r.last = max(r.last, now)
}

// Add counts a request that a physical partition answered or refused. The key is the
// canonical text of its partition key, or empty for a request without one.
func (c *Counter) Add(container, rangeID, key string, charge float64, throttled bool, now time.Time) {
	second := now.Unix()
	c.mu.Lock()
	defer c.mu.Unlock()
	if second-c.swept >= Window {
		c.sweep(second)
	}
	at := place{container, rangeID}
	r := c.ranges[at]
	if r == nil {
		if c.ranges == nil {
			c.ranges, c.keys = map[place]*ring{}, map[string]*hotKeys{}
		}
		r = &ring{last: second}
		c.ranges[at] = r
	}
	if second > r.last {
		r.advance(second)
	}
	if second > r.last-Window {
		r.seconds[second%Window].add(charge, throttled)
	}
	k := c.keys[container]
	if k == nil {
		k = &hotKeys{}
		c.keys[container] = k
	}
	k.add(second, rangeID, key, charge, throttled)
}

// sweep removes entries that served nothing within the window, such as the parents of a split
// and deleted containers.
func (c *Counter) sweep(now int64) {
	c.swept = now
	busy := map[string]bool{}
	for at, r := range c.ranges {
		if now-r.last >= Window {
			delete(c.ranges, at)
			continue
		}
		busy[at.container] = true
	}
	for id := range c.keys {
		if !busy[id] {
			delete(c.keys, id)
		}
	}
}

// Seconds returns the last n seconds of a physical partition, the oldest first. The
// second in progress is the last one.
func (c *Counter) Seconds(container, rangeID string, n int, now time.Time) []Second {
	list := make([]Second, n)
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.ranges[place{container, rangeID}]
	if r == nil {
		return list
	}
	second := now.Unix()
	for i := range list {
		s := second - int64(n-1-i)
		if s <= r.last && s > r.last-Window {
			list[i] = r.seconds[s%Window]
		}
	}
	return list
}

// Hottest returns the n logical partitions of a container that were charged most within
// the last minute, and the charge of all of them together.
func (c *Counter) Hottest(container string, n int, now time.Time) (keys []Key, total float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.keys[container]
	if k == nil {
		return nil, 0
	}
	keys, total = k.hottest(now.Unix())
	slices.SortFunc(keys, hotterFirst)
	return keys[:min(n, len(keys))], total
}

// Reset forgets everything.
func (c *Counter) Reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ranges, c.keys = nil, nil
}
