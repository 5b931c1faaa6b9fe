// Package moving has types whose documents move while programs read and write them.
package moving

import (
	"encoding/json"

	"github.com/cosmos-pkgen/pkgen/repository"
)

//go:generate go run ../../../../cmd/pkgen

// Growing is spread over five buckets, and was over two.
type Growing struct {
	_      struct{} `cosmos:"container=growing"`
	ID     string   `json:"id" cosmos:"note=hashedid"`
	Line   string   `json:"line" cosmos:"pk,hashsuffix=VIN,buckets=5,was=2"`
	VIN    string   `json:"vin"`
	Number int      `json:"number"`
	Value  int      `json:"value"`
	Tag    string   `json:"tag"`
	Stored string   `json:"partitionKey" cosmos:"synthetic"`
	ETag   string   `json:"_etag,omitempty"`
}

// GrowingAlone has a key that ends in the id, and is spread over five buckets, before over two.
type GrowingAlone struct {
	_      struct{} `cosmos:"container=growing-alone"`
	ID     string   `json:"id" cosmos:"id,pk,level=2,note=hashedid"`
	Line   string   `json:"line" cosmos:"pk,level=1,hashsuffix=VIN,buckets=5,was=2"`
	VIN    string   `json:"vin"`
	Number int      `json:"number"`
	Value  int      `json:"value"`
	Tag    string   `json:"tag"`
	Stored string   `json:"partitionKey" cosmos:"synthetic"`
	ETag   string   `json:"_etag,omitempty"`
}

// Grown has all features that go with a number of buckets that grows.
type Grown struct {
	_       struct{}                   `cosmos:"container=grown,type=grown"`
	_       struct{}                   `cosmos:"index=ByTag,key=tag-{Tag}"`
	ID      string                     `json:"id" cosmos:"note=hashedid"`
	Line    string                     `json:"line" cosmos:"pk,hashsuffix=VIN,buckets=5,was=2"`
	VIN     string                     `json:"vin"`
	Number  int                        `json:"number"`
	Value   int                        `json:"value"`
	Tag     string                     `json:"tag"`
	Created repository.Time            `json:"created" cosmos:"created"`
	Updated repository.Time            `json:"updated" cosmos:"updated"`
	Version int                        `json:"version" cosmos:"version"`
	Form    int                        `json:"form" cosmos:"schema=2"`
	Title   string                     `json:"title" cosmos:"was=caption"`
	Closed  bool                       `json:"closed" cosmos:"later"`
	Rest    map[string]json.RawMessage `json:"-" cosmos:"rest"`
	ByTag   string                     `json:"byTag" cosmos:"synthetic=ByTag"`
	Stored  string                     `json:"partitionKey" cosmos:"synthetic"`
	ETag    string                     `json:"_etag,omitempty"`
}

// Upgrade brings a document of form 1, which had half the value, to form 2.
func (d *Grown) Upgrade(_ int, _ json.RawMessage) error {
	d.Value *= 2
	return nil
}
