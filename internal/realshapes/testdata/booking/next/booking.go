// Package documents has what the next release of the booking service stores.
package documents

import (
	"encoding/json"

	"github.com/cosmos-pkgen/pkgen/repository"
)

// A Booking has a price in cents since form 2, and calls the guest's name guest.
type Booking struct {
	_         struct{}        `cosmos:"container=bookings,type=booking,leases=leases,gone=euros"`
	ID        string          `json:"id" cosmos:"id,prefix=b-"`
	Tenant    string          `json:"tenant" cosmos:"pk,level=1,tenant"`
	House     string          `json:"house" cosmos:"pk,level=2"`
	Reference string          `json:"reference" cosmos:"unique"`
	Guest     string          `json:"guest" cosmos:"was=guestName"`
	Room      int             `json:"room"`
	Price     Price           `json:"price"`
	Form      int             `json:"form" cosmos:"schema=2"`
	Created   repository.Time `json:"created" cosmos:"created"`
	Updated   repository.Time `json:"updated" cosmos:"updated"`
	Version   int             `json:"version" cosmos:"version"`
	Deleted   repository.Time `json:"deleted,omitzero" cosmos:"deleted"`
	ETag      string          `json:"_etag,omitempty"`
}

// A Price is what a night costs.
type Price struct {
	Cents int `json:"cents"`
}

// Cents returns the price.
func (b *Booking) Cents() int { return b.Price.Cents }

// SetCents sets the price.
func (b *Booking) SetCents(cents int) { b.Price.Cents = cents }

// Upgrade makes cents of the euros of form 1.
func (b *Booking) Upgrade(_ int, doc json.RawMessage) error {
	var form1 struct {
		Euros int `json:"euros"`
	}
	err := json.Unmarshal(doc, &form1)
	b.Price.Cents = form1.Euros * 100
	return err
}

// A Message has a body since form 2, and calls the guest's name guest.
type Message struct {
	_       struct{}        `cosmos:"container=messages,own=messages-{Tenant},directory=tenants,gone=text"`
	ID      string          `json:"id"`
	Tenant  string          `json:"tenant" cosmos:"pk,tenant"`
	Guest   string          `json:"guest" cosmos:"was=guestName"`
	Body    Body            `json:"body"`
	Form    int             `json:"form" cosmos:"schema=2"`
	Created repository.Time `json:"created" cosmos:"created"`
	Updated repository.Time `json:"updated" cosmos:"updated"`
	Version int             `json:"version" cosmos:"version"`
	Deleted repository.Time `json:"deleted,omitzero" cosmos:"deleted"`
	ETag    string          `json:"_etag,omitempty"`
}

// A Body is what a message says.
type Body struct {
	Text string `json:"text"`
}

// Words returns the text.
func (m *Message) Words() string { return m.Body.Text }

// SetWords sets the text.
func (m *Message) SetWords(words string) { m.Body.Text = words }

// Upgrade puts the text of form 1 into the body.
func (m *Message) Upgrade(_ int, doc json.RawMessage) error {
	return json.Unmarshal(doc, &m.Body)
}
