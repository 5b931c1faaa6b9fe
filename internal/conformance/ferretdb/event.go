package ferretdb

import "time"

//go:generate go run github.com/cosmos-pkgen/pkgen/cmd/pkgen

// Event is conformance.Event in the MongoDB API.
type Event struct {
	_        struct{}  `cosmos:"api=mongo,container=events"`
	ID       string    `json:"id"`
	Device   string    `json:"device"`
	At       time.Time `json:"at" cosmos:"pk,format=day,hashsuffix=Device,buckets=400"`
	Text     string    `json:"text"`
	Number   int64     `json:"number"`
	Ratio    float64   `json:"ratio"`
	Flag     bool      `json:"flag"`
	Optional *string   `json:"optional"`
	Stored   string    `json:"partitionKey" cosmos:"synthetic"`
	ETag     string    `json:"_etag,omitempty"`
}

// Pair is conformance.Pair in the MongoDB API: its keys can collide.
type Pair struct {
	_     struct{} `cosmos:"api=mongo,container=pairs,note=ambiguous"`
	ID    string   `json:"id"`
	Left  string   `json:"left" cosmos:"pk,concat"`
	Right string   `json:"right" cosmos:"pk,concat"`
	Text  string   `json:"text"`
	ETag  string   `json:"_etag,omitempty"`
}
