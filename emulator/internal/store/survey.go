package store

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// DatabaseSurvey describes a database for an observer of the account.
type DatabaseSurvey struct {
	ID         string            `json:"id"`
	Offer      *OfferSurvey      `json:"offer"` // nil without throughput of its own
	Containers []ContainerSurvey `json:"containers"`
}

// ContainerSurvey is a container without its documents.
type ContainerSurvey struct {
	ID         string        `json:"id"`
	Key        KeyDefinition `json:"key"`
	Offer      *OfferSurvey  `json:"offer"` // nil without throughput of its own
	Partitions int           `json:"partitions"`
	Documents  int           `json:"documents"`
	TTL        int64         `json:"ttl"`   // seconds, -1, or 0 when nothing expires
	Index      *IndexSurvey  `json:"index"` // nil unless it is a global secondary index
}

// IndexSurvey describes the index of a container that is a global secondary index.
type IndexSurvey struct {
	Source     string  `json:"source"`
	Definition string  `json:"definition"`
	Status     string  `json:"status"`
	Charge     float64 `json:"charge"` // request units of its entries since the process started
}

// OfferSurvey is throughput in RU/s: manual or autoscale.
type OfferSurvey struct {
	ID        string `json:"id"`
	Manual    int    `json:"manual,omitempty"`
	Autoscale int    `json:"autoscale,omitempty"` // the maximum
	Least     int    `json:"least"`               // the lowest that the offer can be changed to
}

// RangeSurvey is a physical partition.
type RangeSurvey struct {
	ID        string   `json:"id"`
	Min       string   `json:"min"`
	Max       string   `json:"max"`
	Parents   []string `json:"parents"`
	Documents int      `json:"documents"`
	Logical   int      `json:"logical"` // logical partitions
	Bytes     int      `json:"bytes"`   // of the documents, system properties included
	Width     float64  `json:"width"`   // its share of the key space
}

// LogicalSurvey is a logical partition.
type LogicalSurvey struct {
	Key       string `json:"key"` // canonical JSON
	Range     string `json:"range"`
	Documents int    `json:"documents"`
	Bytes     int    `json:"bytes"`
}

// survey describes an offer. o may be nil. The caller holds the lock.
func (a *Account) survey(o *offer) *OfferSurvey {
	switch {
	case o == nil:
		return nil
	case o.settings.Autoscale != nil:
		return &OfferSurvey{ID: o.id, Autoscale: o.settings.Autoscale.Max, Least: o.least(a.stored(o))}
	}
	return &OfferSurvey{ID: o.id, Manual: o.settings.Manual, Least: o.least(a.stored(o))}
}

// Survey lists databases and containers in the order of their creation.
func (a *Account) Survey(now time.Time) []DatabaseSurvey {
	a.mu.RLock()
	defer a.mu.RUnlock()
	databases := []DatabaseSurvey{}
	for _, id := range a.databases.ids {
		d := a.databases.byID[id]
		s := DatabaseSurvey{ID: id, Offer: a.survey(d.offer), Containers: []ContainerSurvey{}}
		for _, c := range d.containers.all() {
			found := c.survey(now)
			found.Offer = a.survey(c.offer)
			s.Containers = append(s.Containers, found)
		}
		databases = append(databases, s)
	}
	return databases
}

// stored returns the size of the documents of a container in bytes.
func (c *Container) stored() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	bytes := 0
	for _, r := range c.Ranges {
		bytes += r.docs.now.Bytes()
	}
	return bytes
}

// survey describes a container without its offer. The caller holds the lock of the account.
func (c *Container) survey(now time.Time) ContainerSurvey {
	c.rlock(now)
	defer c.mu.RUnlock()
	s := ContainerSurvey{
		ID: c.id, Key: c.key,
		Partitions: len(c.Ranges), Documents: c.size(), TTL: c.defaultTTL,
	}
	if x := c.derived; x != nil {
		s.Index = &IndexSurvey{x.source.id, x.definition.Query, x.status(now), x.charge}
	}
	return s
}

// SurveyRanges lists the physical partitions of a container in the order of their bounds. rate
// is the share of each in the throughput, in RU/s; 0 means no limit.
func (c *Container) SurveyRanges(now time.Time) (list []RangeSurvey, rate float64) {
	c.rlock(now)
	defer c.mu.RUnlock()
	space := c.key.space()
	for _, r := range c.Ranges {
		list = append(list, RangeSurvey{
			ID: r.ID, Min: r.Min, Max: r.Max, Parents: slices.Clone(r.Parents), Width: space.share(r),
			Documents: r.docs.now.Len(), Bytes: r.docs.now.Bytes(), Logical: r.keys,
		})
	}
	return list, c.Rate()
}

// share returns the share of a range in the key space.
func (s *keySpace) share(r *Range) float64 {
	width, _ := s.width(r).Float64()
	all, _ := s.size.Float64()
	return width / all
}

// SurveyKeys lists the logical partitions whose key contains a text, the largest first and at
// most most of them. all is the number of matches. An empty range id means all ranges.
func (c *Container) SurveyKeys(rangeID, text string, most int, now time.Time) (list []LogicalSurvey, all int) {
	c.rlock(now)
	defer c.mu.RUnlock()
	list = []LogicalSurvey{}
	for _, p := range c.partitions {
		if !strings.Contains(p.key.Text, text) {
			continue
		}
		id := c.rangeOf(p.key.EPK).ID
		if rangeID == "" || rangeID == id {
			list = append(list, LogicalSurvey{Key: p.key.Text, Range: id, Documents: p.count(), Bytes: p.size()})
		}
	}
	all = len(list)
	slices.SortFunc(list, func(a, b LogicalSurvey) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Key, b.Key))
	})
	return list[:min(most, all)], all
}
