package analyze

import "time"

// Report is what a sample shows. It is what pkgen-data analyze -format json prints.
type Report struct {
	// Type is the Go name of the type whose documents these are, or "".
	Type string `json:"type,omitempty"`
	// Documents is how many JSON objects the sample has.
	Documents int64 `json:"documents"`
	// Bytes is how large they are, as the sample writes them.
	Bytes   int64 `json:"bytes"`
	Average int64 `json:"averageBytes"`
	Largest int64 `json:"largestBytes"`
	// Invalid is how many lines or elements are no JSON object. They are in no other
	// figure.
	Invalid int64 `json:"invalid"`
	// Others is how many documents are of another type, by their property "type". They are
	// in no other figure.
	Others int64 `json:"others,omitempty"`
	// InvalidLines are the first of the invalid ones.
	InvalidLines []Line `json:"invalidLines,omitempty"`

	Sample Sample `json:"sample"`
	// Times are the times of the documents; nil if they have none.
	Times *Times `json:"times,omitempty"`
	// Layouts are the type's own layout, if there is one, and the candidates.
	Layouts []*Layout `json:"layouts"`
	// Indexes are global secondary indexes that are considered; nil if there are none.
	Indexes []*Index `json:"indexes,omitempty"`
	// Logged is what Azure's log of request units says; nil if there is no log.
	Logged *Logged `json:"logged,omitempty"`
	// Usage is what tenants used; nil if no file of meters was read.
	Usage *Used `json:"usage,omitempty"`
	// Recommendation is nil if there is one layout alone.
	Recommendation *Recommendation `json:"recommendation,omitempty"`

	named named
}

// Line is a document that is wrong.
type Line struct {
	Line   int64  `json:"line"` // counts from 1
	Reason string `json:"reason"`
}

// Sample says where the documents come from.
type Sample struct {
	// Source is the name of a file, "-" for standard input, or the id of a container.
	Source string `json:"source"`
	// Container says that Source is a container.
	Container bool `json:"container"`
	// Share is how much of the source was read, from 0 to 1: 1 is all of it.
	Share float64 `json:"share"`
	// RequestUnits is what reading cost.
	RequestUnits float64 `json:"requestUnits,omitempty"`
	// Windows is how many windows of effective partition keys were read; 0 if the source
	// is no container, or was read as a whole.
	Windows int `json:"windows,omitempty"`
	// Of is how many windows there are.
	Of int `json:"of,omitempty"`
	// Missed is the chance that a logical partition is not in the sample, however large it
	// is: a window has all of it or nothing.
	Missed float64 `json:"missed,omitempty"`
	// Estimate is how many documents the source probably has; nil if all of it was read, or
	// too little to tell.
	Estimate *Estimate `json:"estimate,omitempty"`
	// Stopped says that the budget ended the reading early.
	Stopped bool `json:"stopped,omitempty"`
	// Error says for people how far the figures can be from those of the source: "a
	// logical partition of 1% of the documents is missed in 95 of 100 samples". "" if all
	// of it was read.
	Error string `json:"error,omitempty"`
	// Partitions are the service's own statistics of physical partitions, where it gives
	// them.
	Partitions []StoredPartition `json:"partitions,omitempty"`
}

// Estimate is a figure of a whole, by a sample.
type Estimate struct {
	Documents float64 `json:"documents"`
	// Error is that of a confidence of 95%, unless few keys have most of the documents.
	Error float64 `json:"error"`
}

// StoredPartition is a physical partition of a container, as the service describes it.
type StoredPartition struct {
	ID        string `json:"id"`
	Documents int64  `json:"documents"`
	Bytes     int64  `json:"bytes"`
	// Keys are logical partitions that have more than others.
	Keys []StoredKey `json:"keys,omitempty"`
}

// StoredKey is a logical partition, as the service describes it.
type StoredKey struct {
	Key   string `json:"key"` // a JSON array
	Bytes int64  `json:"bytes"`
}

// Times says when documents were written, or what time is in them.
type Times struct {
	// Property is the JSON pointer of the time: "/at". "/_ts" is the last write.
	Property string    `json:"property"`
	From     time.Time `json:"from"`
	To       time.Time `json:"to"`
	// Seconds is the width of an interval of the series: a minute, or more if the sample
	// has more than 1,440 minutes.
	Seconds int64 `json:"seconds"`
	// Start is the begin of interval 0.
	Start time.Time `json:"start"`
	// Intervals is the length of each series.
	Intervals int `json:"intervals"`
	// Documents is how many documents each interval has.
	Documents []int64 `json:"documents"`
	// Untimed is how many documents lack the time, or have another value there. They are
	// in no series.
	Untimed int64 `json:"untimed"`
}

// Width returns the width of an interval.
func (t *Times) Width() time.Duration { return time.Duration(t.Seconds) * time.Second }

// Recommendation is the layout that the figures speak for.
type Recommendation struct {
	Layout string `json:"layout"`
	Reason string `json:"reason"` // sentences for people
	// Reads says for people what the layout costs to read.
	Reads string `json:"reads"`
}
