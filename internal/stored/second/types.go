// Package second has the types of the release that ends the recorded operations.
package second

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository"
)

//go:generate go run ../../../cmd/pkgen

// A Ride is spread over five buckets, and was over two.
type Ride struct {
	_      struct{} `cosmos:"container=rides"`
	ID     string   `json:"id" cosmos:"note=hashedid"`
	Day    string   `json:"day" cosmos:"pk,hashsuffix=VIN,buckets=5,was=2"`
	VIN    string   `json:"vin"`
	Length int      `json:"length"`
	Stored string   `json:"partitionKey" cosmos:"synthetic"`
	ETag   string   `json:"_etag,omitempty"`
}

// A User has a unique address, and in form 2 a given and a family name. The release before
// has form 1, and calls the place a city.
type User struct {
	_      struct{}                   `cosmos:"container=users"`
	ID     string                     `json:"id"`
	Region string                     `json:"region" cosmos:"pk"`
	Email  string                     `json:"email" cosmos:"unique"`
	Given  string                     `json:"given"`
	Family string                     `json:"family"`
	Place  string                     `json:"place" cosmos:"was=city"`
	Form   int                        `json:"form" cosmos:"schema=2"`
	Rest   map[string]json.RawMessage `json:"-" cosmos:"rest"`
	ETag   string                     `json:"_etag,omitempty"`
}

// Upgrade divides the name of form 1.
func (u *User) Upgrade(_ int, doc json.RawMessage) error {
	var form1 struct {
		Name string `json:"name"`
	}
	if err := json.Unmarshal(doc, &form1); err != nil {
		return err
	}
	delete(u.Rest, "name")
	u.Given, u.Family, _ = strings.Cut(form1.Name, " ")
	return nil
}

// A Member is marked when it is deleted, keeps its address meanwhile, and is removed by the
// service an hour later.
type Member struct {
	_       struct{}        `cosmos:"container=members"`
	ID      string          `json:"id"`
	Club    string          `json:"club" cosmos:"pk"`
	Address string          `json:"address" cosmos:"unique"`
	Points  int             `json:"points"`
	Created repository.Time `json:"created" cosmos:"created"`
	Updated repository.Time `json:"updated" cosmos:"updated"`
	Version int             `json:"version" cosmos:"version"`
	Deleted repository.Time `json:"deleted,omitzero" cosmos:"deleted,purge=1h"`
	ETag    string          `json:"_etag,omitempty"`
}

// An OldTrip is a trip as it is stored until it moves.
type OldTrip struct {
	_     struct{} `cosmos:"container=old-trips,note=synthetic"`
	ID    string   `json:"id" cosmos:"note=hashedid"`
	Date  string   `json:"date" cosmos:"pk,hashsuffix=VIN,buckets=4"`
	VIN   string   `json:"vin"`
	Speed int      `json:"speed"`
	ETag  string   `json:"_etag,omitempty"`
}

// A Trip is a trip in its new container, under two levels.
type Trip struct {
	_     struct{} `cosmos:"container=trips,formerly=OldTrip"`
	ID    string   `json:"id"`
	Date  string   `json:"date" cosmos:"pk,level=2"`
	VIN   string   `json:"vin" cosmos:"pk,level=1"`
	Speed int      `json:"speed"`
	ETag  string   `json:"_etag,omitempty"`
}

// A Booking is a tenant's. Tenants share a container, and may have one of their own.
type Booking struct {
	_      struct{} `cosmos:"container=bookings,own=bookings-{Tenant}"`
	ID     string   `json:"id"`
	Tenant string   `json:"tenant" cosmos:"pk,tenant"`
	Nights int      `json:"nights"`
	ETag   string   `json:"_etag,omitempty"`
}

// A Parcel is a tenant's, too, and the tenant is the first of two levels of its key.
type Parcel struct {
	_      struct{} `cosmos:"container=parcels,own=parcels-{Tenant}"`
	ID     string   `json:"id"`
	Tenant string   `json:"tenant" cosmos:"pk,level=1,tenant"`
	Depot  string   `json:"depot" cosmos:"pk,level=2"`
	Weight int      `json:"weight"`
	ETag   string   `json:"_etag,omitempty"`
}

// A Visit is in the container of its month, and moves when its guest does.
type Visit struct {
	_      struct{}  `cosmos:"container=visits-{At|2006-01}"`
	ID     string    `json:"id"`
	Guest  string    `json:"guest" cosmos:"pk"`
	At     time.Time `json:"at"`
	Length int       `json:"length"`
	ETag   string    `json:"_etag,omitempty"`
}
