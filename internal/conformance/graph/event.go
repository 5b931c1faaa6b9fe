// Package graph runs the conformance suite on package gremlin. The caller starts a server, and
// passes a client to [Face].
package graph

import "time"

//go:generate go test -run TestGenerated github.com/cosmos-pkgen/pkgen/internal/conformance -update

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

// Site is the vertex to which edges lead.
type Site struct {
	_       struct{} `cosmos:"api=gremlin,note=synthetic"`
	ID      string   `json:"id"`
	Country string   `json:"country" cosmos:"pk,concat"`
}

// Installed is an edge.
type Installed struct {
	_     struct{}  `cosmos:"api=gremlin,edge,from=Event,to=Site"`
	ID    string    `json:"id"`
	Since time.Time `json:"since"`
}
