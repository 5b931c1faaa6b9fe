// Package events shows the conformance suite to package gremlin, over a Gremlin Server.
package events

import "time"

//go:generate go run github.com/cosmos-pkgen/pkgen/cmd/pkgen

// Event is conformance.Event in the Gremlin API.
type Event struct {
	_        struct{}  `cosmos:"api=gremlin"`
	ID       string    `json:"id"`
	Device   string    `json:"device"`
	At       time.Time `json:"at" cosmos:"pk,format=day,hashsuffix=Device,buckets=400"`
	Text     string    `json:"text"`
	Number   int64     `json:"number"`
	Ratio    float64   `json:"ratio"`
	Flag     bool      `json:"flag"`
	Optional *string   `json:"optional"`
	Stored   string    `json:"partitionKey" cosmos:"synthetic"`
}
