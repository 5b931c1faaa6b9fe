// Package earlier has the release before that of package moving.
package earlier

//go:generate go run ../../../../cmd/pkgen

// Growing is spread over two buckets, and the next release has five.
type Growing struct {
	_      struct{} `cosmos:"container=growing"`
	ID     string   `json:"id"`
	Line   string   `json:"line" cosmos:"pk,hashsuffix=VIN,buckets=2,next=5"`
	VIN    string   `json:"vin"`
	Number int      `json:"number"`
	Value  int      `json:"value"`
	Tag    string   `json:"tag"`
	Stored string   `json:"partitionKey" cosmos:"synthetic"`
	ETag   string   `json:"_etag,omitempty"`
}
