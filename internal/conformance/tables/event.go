// Package tables runs the conformance suite on package table. The caller starts a server, and
// passes a service to [Face].
package tables

import "time"

//go:generate go test -run TestGenerated github.com/cosmos-pkgen/pkgen/internal/conformance -update

// Event is conformance.Event in the Table API.
type Event struct {
	_        struct{}  `cosmos:"api=table,container=events"`
	ID       string    `json:"id" cosmos:"note=hashedid"`
	Device   string    `json:"device"`
	At       time.Time `json:"at" cosmos:"pk,format=day,hashsuffix=Device,buckets=400"`
	Text     string    `json:"text"`
	Number   int64     `json:"number"`
	Ratio    float64   `json:"ratio"`
	Flag     bool      `json:"flag"`
	Optional *string   `json:"optional"`
	Stored   string    `json:"partitionKey" cosmos:"synthetic"`
	ETag     string    `json:"_etag"`
}

// Pair is conformance.Pair in the Table API: its keys can collide.
type Pair struct {
	_     struct{} `cosmos:"api=table,container=pairs,note=ambiguous+synthetic"`
	ID    string   `json:"id"`
	Left  string   `json:"left" cosmos:"pk,concat"`
	Right string   `json:"right" cosmos:"pk,concat"`
	Text  string   `json:"text"`
	ETag  string   `json:"_etag"`
}
