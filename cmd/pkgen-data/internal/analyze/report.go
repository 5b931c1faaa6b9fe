package analyze

import "time"

// Report is the result for a sample. pkgen-data analyze -format json prints it.
type Report struct {
	// Type is the Go name of the type of the documents, or "".
	Type string `json:"type,omitempty"`
	// Documents is the number of JSON objects in the sample.
	Documents int64 `json:"documents"`
	// Bytes is their size, as the sample writes them.
	Bytes   int64 `json:"bytes"`
	Average int64 `json:"averageBytes"`
	Largest int64 `json:"largestBytes"`
	// Invalid is the number of lines or elements that are not JSON objects. No other figure
	// includes them.
	Invalid int64 `json:"invalid"`
	// Others is the number of documents of another type, by their property "type". No other
	// figure includes them.
	Others int64 `json:"others,omitempty"`
	// InvalidLines are the first of the invalid ones.
	InvalidLines []Line `json:"invalidLines,omitempty"`

	Sample Sample `json:"sample"`
	// Times are the times of the documents; nil if they have none.
	Times *Times `json:"times,omitempty"`
	// Layouts are the type's own layout, if there is one, and the candidates.
	Layouts []*Layout `json:"layouts"`
	// Indexes are the considered global secondary indexes; nil if there are none.
	Indexes []*Index `json:"indexes,omitempty"`
	// Logged is the content of Azure's log of request units; nil if there is no log.
	Logged *Logged `json:"logged,omitempty"`
	// Usage is the usage of tenants; nil if no file of meters was read.
	Usage *Used `json:"usage,omitempty"`
	// Recommendation is nil if there is only one layout.
	Recommendation *Recommendation `json:"recommendation,omitempty"`

	named named
}

// Line is an invalid line.
type Line struct {
	Line   int64  `json:"line"` // counts from 1
	Reason string `json:"reason"`
}

// Sample is the source of the documents.
type Sample struct {
	// Source is the name of a file, "-" for standard input, or the id of a container.
	Source string `json:"source"`
	// Container reports that Source is a container.
	Container bool `json:"container"`
	// Share is the part of the source that was read, from 0 to 1: 1 is all of it.
	Share float64 `json:"share"`
	// RequestUnits is the cost of reading.
	RequestUnits float64 `json:"requestUnits,omitempty"`
	// Windows is the number of windows of effective partition keys that were read; 0 if the
	// source is not a container, or was read as a whole.
	Windows int `json:"windows,omitempty"`
	// Of is the number of all windows.
	Of int `json:"of,omitempty"`
	// Missed is the probability that a logical partition is missing from the sample, whatever
	// its size: a window has all of it or nothing.
	Missed float64 `json:"missed,omitempty"`
	// Estimate is the probable number of documents in the source; nil if all of it was read,
	// or too little to estimate.
	Estimate *Estimate `json:"estimate,omitempty"`
	// Stopped reports that the budget ended the reading early.
	Stopped bool `json:"stopped,omitempty"`
	// Error describes how far the figures can differ from the source: "a logical partition of
	// 1% of the documents is missed in 95 of 100 samples". "" if all of it was read.
	Error string `json:"error,omitempty"`
	// Partitions are the service's own statistics of physical partitions, if it provides them.
	Partitions []StoredPartition `json:"partitions,omitempty"`
}

// Estimate is a figure of the whole source, estimated from the sample.
type Estimate struct {
	Documents float64 `json:"documents"`
	// Error is the half-width of the 95% confidence interval, unless few keys have most of the
	// documents.
	Error float64 `json:"error"`
}

// StoredPartition is a physical partition of a container, as the service describes it.
type StoredPartition struct {
	ID        string `json:"id"`
	Documents int64  `json:"documents"`
	Bytes     int64  `json:"bytes"`
	// Keys are the logical partitions with the most data.
	Keys []StoredKey `json:"keys,omitempty"`
}

// StoredKey is a logical partition, as the service describes it.
type StoredKey struct {
	Key   string `json:"key"` // a JSON array
	Bytes int64  `json:"bytes"`
}

// Times are the times at which documents were written, or the times in a property.
type Times struct {
	// Property is the JSON pointer of the time: "/at". "/_ts" is the last write.
	Property string    `json:"property"`
	From     time.Time `json:"from"`
	To       time.Time `json:"to"`
	// Seconds is the width of an interval of the series: a minute, or more if the sample
	// has more than 1,440 minutes.
	Seconds int64 `json:"seconds"`
	// Start is the beginning of interval 0.
	Start time.Time `json:"start"`
	// Intervals is the length of each series.
	Intervals int `json:"intervals"`
	// Documents is the number of documents in each interval.
	Documents []int64 `json:"documents"`
	// Untimed is the number of documents that lack the time, or have another value there. No
	// series includes them.
	Untimed int64 `json:"untimed"`
}

// Width returns the width of an interval.
func (t *Times) Width() time.Duration { return time.Duration(t.Seconds) * time.Second }

// Recommendation is the layout with the best figures.
type Recommendation struct {
	Layout string `json:"layout"`
	Reason string `json:"reason"` // sentences for people
	// Reads describes the cost of reads under the layout.
	Reads string `json:"reads"`
}
