package watch

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"time"
)

// errFailed is in place of the error of a request that is kept.
var errFailed = errors.New("failed")

// Summary is what the requests of the last minutes cost.
type Summary struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`

	// StepSeconds is the length of a step of time, of which
	// [PartitionSummary.RequestUnitsByStep] has one number each. The last step is not
	// over.
	StepSeconds float64 `json:"stepSeconds"`

	Totals Totals `json:"totals"`

	// Retries and Throttled are by step.
	RetriesByStep   []int `json:"retriesByStep"`
	ThrottledByStep []int `json:"throttledByStep"`

	// Each of these has those that used most request units first.
	Partitions []PartitionSummary `json:"physicalPartitions"`
	Operations []OperationSummary `json:"operations"`
	Dearest    []RequestSummary   `json:"dearest"`

	// Keys has the 20 hottest partition keys if [Recent.Keys] is set, and is nil
	// otherwise.
	Keys []KeySummary `json:"keys,omitempty"`
}

// Totals are sums over requests.
type Totals struct {
	Requests     int     `json:"requests"`
	RequestUnits float64 `json:"requestUnits"`

	// Retries are attempts beyond the first, Throttled attempts with status 429, and
	// Failed requests that ended with an error, such as a document that does not exist.
	Retries   int `json:"retries"`
	Throttled int `json:"throttled"`
	Failed    int `json:"failed"`

	// Rows are the rows of pages.
	Rows int `json:"rows"`

	// MeanSeconds and LongestSeconds are of the durations of requests.
	MeanSeconds    float64 `json:"meanSeconds"`
	LongestSeconds float64 `json:"longestSeconds"`
}

// PartitionSummary is of a physical partition.
type PartitionSummary struct {
	Container string `json:"container"`

	// Partition is the id, "" for requests whose physical partition is not known or that
	// went to several: see [repository.Event.Range].
	Partition string `json:"physicalPartition"`
	Totals

	RequestUnitsByStep []float64 `json:"requestUnitsByStep"`
}

// OperationSummary is of the requests of an operation on the documents of a type.
type OperationSummary struct {
	Op        string `json:"op"`
	Type      string `json:"type"`
	Container string `json:"container"`
	Totals
}

// RequestSummary is one request. ID, PartitionKey and Tenant are "" unless
// [Recent.Keys] is set.
type RequestSummary struct {
	Time         time.Time `json:"time"`
	Op           string    `json:"op"`
	Type         string    `json:"type"`
	Container    string    `json:"container"`
	Partition    string    `json:"physicalPartition"`
	RequestUnits float64   `json:"requestUnits"`
	Seconds      float64   `json:"seconds"`
	Attempts     int       `json:"attempts"`
	Status       int       `json:"status"`
	Rows         int       `json:"rows"`
	Failed       bool      `json:"failed"`
	ID           string    `json:"id,omitempty"`
	PartitionKey string    `json:"partitionKey,omitempty"`
	Tenant       string    `json:"tenant,omitempty"`
}

// KeySummary is of a logical partition.
type KeySummary struct {
	Container    string  `json:"container"`
	PartitionKey string  `json:"partitionKey"` // as JSON; those over 200 bytes are cut
	RequestUnits float64 `json:"requestUnits"`

	// Error is by how much RequestUnits may be too high, where there were more keys in a step
	// of time than are told apart, 100. What a key used in a step in which it was not among
	// these is not in RequestUnits.
	Error float64 `json:"error,omitempty"`
}

// shownKeys is how many logical partitions a summary has.
const shownKeys = 20

// Summary returns what the requests of the last minutes cost. It takes some
// milliseconds, in which requests wait.
func (r *Recent) Summary() Summary {
	now, step := r.time(), r.step()
	last := now.UnixNano() / int64(step)
	s := Summary{
		From: time.Unix(0, (last-steps+1)*int64(step)).UTC(), To: now.UTC(), StepSeconds: step.Seconds(),
		RetriesByStep: make([]int, steps), ThrottledByStep: make([]int, steps),
		Dearest: []RequestSummary{},
	}
	all := newSlot(last)
	units := map[place][]float64{}
	r.mu.Lock()
	for _, from := range r.slots {
		if from == nil || from.number <= last-steps || from.number > last {
			continue
		}
		column := int(from.number - (last - steps + 1))
		for p, c := range from.places {
			mergeInto(all.places, p, c)
			if units[p] == nil {
				units[p] = make([]float64, steps)
			}
			units[p][column] = c.units
			s.RetriesByStep[column] += c.retries
			s.ThrottledByStep[column] += c.throttled
		}
		for k, c := range from.calls {
			mergeInto(all.calls, k, c)
		}
		all.mergeKeys(from.keys)
		all.dearest = append(all.dearest, from.dearest...)
	}
	r.mu.Unlock()
	s.fill(all, units)
	if r.Keys {
		s.Keys = hottest(all.keys)
	}
	return s
}

func mergeInto[K comparable](all map[K]*count, k K, c *count) {
	if all[k] == nil {
		all[k] = &count{}
	}
	all[k].merge(c)
}

// mergeKeys adds the logical partitions of another slot.
func (s *slot) mergeKeys(keys map[logical]*heat) {
	if s.keys == nil {
		s.keys = map[logical]*heat{}
	}
	for k, h := range keys {
		sum := s.keys[k]
		if sum == nil {
			sum = &heat{}
			s.keys[k] = sum
		}
		sum.units, sum.excess, sum.requests = sum.units+h.units, sum.excess+h.excess, sum.requests+h.requests
	}
}

// fill makes lists of what all slots have.
func (s *Summary) fill(all *slot, units map[place][]float64) {
	sum := &count{}
	s.Partitions, s.Operations = []PartitionSummary{}, []OperationSummary{}
	for p, c := range all.places {
		sum.merge(c)
		s.Partitions = append(s.Partitions, PartitionSummary{p.container, p.partition, c.totals(), units[p]})
	}
	for k, c := range all.calls {
		s.Operations = append(s.Operations, OperationSummary{k.op, k.typeName, k.container, c.totals()})
	}
	s.Totals = sum.totals()
	slices.SortFunc(s.Partitions, func(a, b PartitionSummary) int {
		return cmp.Or(cmp.Compare(b.RequestUnits, a.RequestUnits), cmp.Compare(a.Container, b.Container), cmp.Compare(a.Partition, b.Partition))
	})
	slices.SortFunc(s.Operations, func(a, b OperationSummary) int {
		return cmp.Or(cmp.Compare(b.RequestUnits, a.RequestUnits), cmp.Compare(a.Op, b.Op), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Container, b.Container))
	})
	slices.SortFunc(all.dearest, func(a, b request) int { return a.at.Compare(b.at) })
	for _, d := range dearestOf(all.dearest) {
		s.Dearest = append(s.Dearest, d.summary())
	}
}

func (d request) summary() RequestSummary {
	e := d.e
	return RequestSummary{
		Time: d.at.UTC(), Op: e.Op, Type: e.Type, Container: e.Container, Partition: e.Range, RequestUnits: e.RequestUnits,
		Seconds: e.Duration.Seconds(), Attempts: e.Attempts, Status: e.Status, Rows: e.Rows, Failed: e.Err != nil,
		ID: e.ID, PartitionKey: e.PartitionKey, Tenant: e.Tenant,
	}
}

func (c *count) totals() Totals {
	t := Totals{
		Requests: c.requests, RequestUnits: c.units, Retries: c.retries, Throttled: c.throttled, Failed: c.failed,
		Rows: c.rows, LongestSeconds: c.longest.Seconds(),
	}
	if c.requests > 0 {
		t.MeanSeconds = c.duration.Seconds() / float64(c.requests)
	}
	return t
}

// hottest returns the logical partitions that used most.
func hottest(keys map[logical]*heat) []KeySummary {
	found := []KeySummary{}
	for _, k := range slices.SortedFunc(maps.Keys(keys), func(a, b logical) int {
		return cmp.Or(cmp.Compare(keys[b].units, keys[a].units), cmp.Compare(a.container, b.container), cmp.Compare(a.key, b.key))
	}) {
		if len(found) == shownKeys {
			break
		}
		found = append(found, KeySummary{k.container, k.key, keys[k].units, keys[k].excess})
	}
	return found
}
