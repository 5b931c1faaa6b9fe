// Package moving has types whose documents move while programs read and write them.
package moving

//go:generate go run ../../../../cmd/pkgen

// Growing is spread over five buckets, and was over two.
type Growing struct {
	_      struct{} `cosmos:"container=growing"`
	ID     string   `json:"id"`
	Line   string   `json:"line" cosmos:"pk,hashsuffix=VIN,buckets=5,was=2"`
	VIN    string   `json:"vin"`
	Number int      `json:"number"`
	Value  int      `json:"value"`
	Tag    string   `json:"tag"`
	Stored string   `json:"partitionKey" cosmos:"synthetic"`
	ETag   string   `json:"_etag,omitempty"`
}
