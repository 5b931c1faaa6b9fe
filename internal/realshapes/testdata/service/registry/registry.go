// Package registry knows devices by ids that are no strings.
package registry

import (
	"encoding/hex"
	"errors"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository"
)

type (
	// Device is of a tenant.
	Device struct {
		ID       UUID            `json:"id"`
		TenantID ObjectID        `json:"tenantId" cosmos:"pk"`
		Owner    UUID            `json:"owner,omitzero"`
		Seen     repository.Time `json:"seen"`
	}

	// Report is of a device, which makes one now and then.
	Report struct {
		ID       UUID            `json:"id"`
		DeviceID UUID            `json:"deviceId" cosmos:"pk,concat"`
		At       repository.Time `json:"at" cosmos:"pk,concat,format=month"`
		Level    int             `json:"level"`
	}

	// Batch is found by its id alone.
	Batch struct {
		ID   ObjectID `json:"id" cosmos:"id,pk"`
		Size int      `json:"size"`
	}

	// Shift is of a tenant and a site.
	Shift struct {
		ID       string   `json:"id"`
		TenantID ObjectID `json:"tenantId" cosmos:"pk,level=1"`
		Site     UUID     `json:"site" cosmos:"pk,level=2"`
		Crew     int      `json:"crew"`
	}

	// Delivery is to a city and a street, which its address has.
	Delivery struct {
		ID       string  `json:"id"`
		TenantID string  `json:"tenantId" cosmos:"pk,level=1"`
		To       Address `json:"to" cosmos:"pk,level=2,field=Place.City"`
		Street   `json:"street" cosmos:"pk,level=3,field=Name,lower"`
		Weight   int `json:"weight"`
	}

	// Address is nested.
	Address struct {
		Name  string `json:"name"`
		Place Place  `json:"place"`
	}

	// Place is nested deeper.
	Place struct {
		City string `json:"city"`
	}

	// Street is embedded, with a JSON name.
	Street struct {
		Name string `json:"name"`
	}

	// Discount is under keys that another program has made, without padding.
	Discount struct {
		_          struct{}        `cosmos:"key={CustomerID}:{Date|2006:1:2},escape,note=unpadded"`
		ID         string          `json:"id"`
		CustomerID string          `json:"customerId"`
		Date       repository.Time `json:"date"`
		Percent    int             `json:"percent"`
	}

	// Odd writes other JSON than its text.
	Odd struct {
		ID   Twofold `json:"id"`
		Name string  `json:"name" cosmos:"pk"`
	}
)

// UUID is written in groups of hexadecimal digits.
type UUID [16]byte

// MarshalText writes 36 bytes.
func (u UUID) MarshalText() ([]byte, error) {
	digits := hex.EncodeToString(u[:])
	return []byte(digits[:8] + "-" + digits[8:12] + "-" + digits[12:16] + "-" + digits[16:20] + "-" + digits[20:]), nil
}

// UnmarshalText reads what MarshalText writes.
func (u *UUID) UnmarshalText(text []byte) error {
	return decode(u[:], strings.ReplaceAll(string(text), "-", ""))
}

// ObjectID is written in hexadecimal digits, by a MarshalJSON of its own.
type ObjectID [12]byte

// MarshalText writes 24 bytes.
func (o ObjectID) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(o[:])), nil }

// MarshalJSON writes the text in quotes.
func (o ObjectID) MarshalJSON() ([]byte, error) {
	return []byte(`"` + hex.EncodeToString(o[:]) + `"`), nil
}

// UnmarshalText reads what MarshalText writes.
func (o *ObjectID) UnmarshalText(text []byte) error { return decode(o[:], string(text)) }

// Twofold has a text and a JSON that differ.
type Twofold [2]byte

// MarshalText writes 4 bytes.
func (w Twofold) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(w[:])), nil }

// MarshalJSON writes them in upper case.
func (w Twofold) MarshalJSON() ([]byte, error) {
	return []byte(`"` + strings.ToUpper(hex.EncodeToString(w[:])) + `"`), nil
}

func decode(to []byte, digits string) error {
	n, err := hex.Decode(to, []byte(digits))
	if err == nil && n != len(to) {
		err = errors.New("not the length of an id")
	}
	return err
}
