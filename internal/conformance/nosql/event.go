// Package nosql runs the conformance suite on package repository, over the emulator.
package nosql

import "github.com/cosmos-pkgen/pkgen/repository"

//go:generate go test -run TestGenerated github.com/cosmos-pkgen/pkgen/internal/conformance -update

// Event is conformance.Event in the NoSQL API.
type Event struct {
	_        struct{}        `cosmos:"container=events"`
	ID       string          `json:"id" cosmos:"note=hashedid"`
	Device   string          `json:"device"`
	At       repository.Time `json:"at" cosmos:"pk,format=day,hashsuffix=Device,buckets=400"`
	Text     string          `json:"text"`
	Number   int64           `json:"number" cosmos:"note=int64"`
	Ratio    float64         `json:"ratio"`
	Flag     bool            `json:"flag"`
	Optional *string         `json:"optional"`
	Stored   string          `json:"partitionKey" cosmos:"synthetic"`
	ETag     string          `json:"_etag,omitempty"`
}

// Pair is conformance.Pair in the NoSQL API: its keys can collide.
type Pair struct {
	_     struct{} `cosmos:"container=pairs,note=ambiguous"`
	ID    string   `json:"id"`
	Left  string   `json:"left" cosmos:"pk,concat"`
	Right string   `json:"right" cosmos:"pk,concat"`
	Text  string   `json:"text"`
	ETag  string   `json:"_etag,omitempty"`
}
