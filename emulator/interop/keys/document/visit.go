package document

import "time"

// A Visit has a hierarchical partition key: two properties of different JSON
// types, and a text that is made of a time.
type Visit struct {
	_      struct{}  `cosmos:"container=visit"`
	ID     string    `json:"id"`
	Tenant string    `json:"tenant" cosmos:"pk,level=1"`
	User   int64     `json:"user" cosmos:"pk,level=2"`
	At     time.Time `json:"at" cosmos:"pk,level=3,format=month"`
	Stored string    `json:"partitionKey" cosmos:"synthetic"`
}
