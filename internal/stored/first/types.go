// Package first has the types of the release that stored the recorded documents of rides and
// users. The release after it is package second.
package first

//go:generate go run ../../../cmd/pkgen

// A Ride is spread over two buckets, and the next release has five.
type Ride struct {
	_      struct{} `cosmos:"container=rides"`
	ID     string   `json:"id" cosmos:"note=hashedid"`
	Day    string   `json:"day" cosmos:"pk,hashsuffix=VIN,buckets=2,next=5"`
	VIN    string   `json:"vin"`
	Length int      `json:"length"`
	Stored string   `json:"partitionKey" cosmos:"synthetic"`
	ETag   string   `json:"_etag,omitempty"`
}

// A User is stored in form 1, which has one name.
type User struct {
	_      struct{} `cosmos:"container=users"`
	ID     string   `json:"id"`
	Region string   `json:"region" cosmos:"pk"`
	Email  string   `json:"email" cosmos:"unique"`
	Name   string   `json:"name"`
	City   string   `json:"city"`
	Form   int      `json:"form" cosmos:"schema=1"`
	ETag   string   `json:"_etag,omitempty"`
}
