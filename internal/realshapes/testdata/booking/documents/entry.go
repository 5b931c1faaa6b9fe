package documents

import "github.com/cosmos-pkgen/pkgen/repository"

// An Entry says what was done to a booking. It has the key of its booking, so that one
// transaction writes both.
type Entry struct {
	_       struct{}        `cosmos:"container=bookings,type=entry"`
	ID      string          `json:"id" cosmos:"id,prefix=e-"`
	Tenant  string          `json:"tenant" cosmos:"pk,level=1,tenant"`
	House   string          `json:"house" cosmos:"pk,level=2"`
	Booking string          `json:"booking"`
	Did     string          `json:"did"`
	At      repository.Time `json:"at" cosmos:"created"`
}
