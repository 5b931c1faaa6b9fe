// Package documents has what the booking service stores.
package documents

import (
	"encoding/json"

	"github.com/cosmos-pkgen/pkgen/repository"
)

// A Booking is of a room for one night. No two bookings have the same reference. A
// cancelled booking is marked as deleted, and keeps its reference until it is purged.
type Booking struct {
	_         struct{}        `cosmos:"container=bookings,type=booking,leases=leases"`
	ID        string          `json:"id" cosmos:"id,prefix=b-"`
	Tenant    string          `json:"tenant" cosmos:"pk,level=1,tenant"`
	House     string          `json:"house" cosmos:"pk,level=2"`
	Reference string          `json:"reference" cosmos:"unique"`
	Guest     string          `json:"guestName" cosmos:"next=guest"`
	Room      int             `json:"room"`
	Euros     int             `json:"euros"`
	Form      int             `json:"form" cosmos:"schema=1,next=2"`
	Created   repository.Time `json:"created" cosmos:"created"`
	Updated   repository.Time `json:"updated" cosmos:"updated"`
	Version   int             `json:"version" cosmos:"version"`
	Deleted   repository.Time `json:"deleted,omitzero" cosmos:"deleted"`
	ETag      string          `json:"_etag,omitempty"`
}

// Cents returns the price.
func (b *Booking) Cents() int { return b.Euros * 100 }

// SetCents sets the price.
func (b *Booking) SetCents(cents int) { b.Euros = cents / 100 }

// Downgrade is the opposite of Upgrade in the next release.
func (b *Booking) Downgrade(_ int, doc json.RawMessage) error {
	var next struct {
		Price struct {
			Cents int `json:"cents"`
		} `json:"price"`
	}
	err := json.Unmarshal(doc, &next)
	b.Euros = next.Price.Cents / 100
	return err
}

// A Message is one that a guest has sent to a tenant. Small tenants share a container, and
// a large one has a container of its own.
type Message struct {
	_       struct{}        `cosmos:"container=messages,own=messages-{Tenant},directory=tenants"`
	ID      string          `json:"id"`
	Tenant  string          `json:"tenant" cosmos:"pk,tenant"`
	Guest   string          `json:"guestName" cosmos:"next=guest"`
	Text    string          `json:"text"`
	Form    int             `json:"form" cosmos:"schema=1,next=2"`
	Created repository.Time `json:"created" cosmos:"created"`
	Updated repository.Time `json:"updated" cosmos:"updated"`
	Version int             `json:"version" cosmos:"version"`
	Deleted repository.Time `json:"deleted,omitzero" cosmos:"deleted"`
	ETag    string          `json:"_etag,omitempty"`
}

// Words returns the text.
func (m *Message) Words() string { return m.Text }

// SetWords sets the text.
func (m *Message) SetWords(words string) { m.Text = words }

// Downgrade is the opposite of Upgrade in the next release.
func (m *Message) Downgrade(_ int, doc json.RawMessage) error {
	var next struct {
		Body struct {
			Text string `json:"text"`
		} `json:"body"`
	}
	err := json.Unmarshal(doc, &next)
	m.Text = next.Body.Text
	return err
}
