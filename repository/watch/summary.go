package watch

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"time"
)

// errFailed replaces the error of a kept request.
var errFailed = errors.New("failed")

// Summary is the cost of the last minutes' requests.
type Summary struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to"`

	// StepSeconds is the length of a step of time. [PartitionSummary.RequestUnitsByStep] has
	// one number per step. The last step has not ended.
	StepSeconds float64 `json:"stepSeconds"`

	Totals Totals `json:"totals"`

	// The numbers of retries and throttled attempts in each step.
	RetriesByStep   []int `json:"retriesByStep"`
	ThrottledByStep []int `json:"throttledByStep"`

	// The lists are sorted by request units, the highest first.
	Partitions []PartitionSummary `json:"physicalPartitions"`
	Operations []OperationSummary `json:"operations"`
	Dearest    []RequestSummary   `json:"dearest"`

	// Keys has the 20 hottest partition keys if [Recent.Keys] is set; otherwise it is nil.
	Keys []KeySummary `json:"keys,omitempty"`
}

// Totals are sums over requests.
type Totals struct {
	Requests     int     `json:"requests"`
	RequestUnits float64 `json:"requestUnits"`

	// Retries are attempts after the first, Throttled attempts with status 429, and Failed
	// requests that ended with an error, such as a missing document.
	Retries   int `json:"retries"`
	Throttled int `json:"throttled"`
	Failed    int `json:"failed"`

	// Rows are the rows of pages.
	Rows int `json:"rows"`

	// MeanSeconds and LongestSeconds are the mean and the longest duration of a request.
	MeanSeconds    float64 `json:"meanSeconds"`
	LongestSeconds float64 `json:"longestSeconds"`
}

// PartitionSummary is the summary of a physical partition.
type PartitionSummary struct {
	Container string `json:"container"`

	// Partition is the id, "" for requests whose physical partition is unknown or that went to
	// several: see [repository.Event.Range].
	Partition string `json:"physicalPartition"`
	Totals

	RequestUnitsByStep []float64 `json:"requestUnitsByStep"`
}

// OperationSummary is the summary of an operation on the documents of a type.
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

// KeySummary is the summary of a logical partition.
type KeySummary struct {
	Container    string  `json:"container"`
	PartitionKey string  `json:"partitionKey"` // as JSON, cut at 200 bytes
	RequestUnits float64 `json:"requestUnits"`

	// Error is the most by which RequestUnits may be too high, if a step of time had more than
	// 100 keys, the limit. RequestUnits leaves out a key's usage in steps in which it was not
	// among them.
	Error float64 `json:"error,omitempty"`
}

// shownKeys is the number of logical partitions in a summary.
const shownKeys = 20

// Summary returns the cost of the last minutes' requests. It takes some milliseconds, during
// which requests wait.
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

// fill sets the lists from the sum of all slots.
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
