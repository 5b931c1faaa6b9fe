// Package fleet declares documents; its repositories are generated.
package fleet

import (
	"encoding/json"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository"
)

// Base is part of other documents.
type Base struct {
	ID     string `json:"id" cosmos:"id"`
	Tenant string `json:"tenant"`
}

// Event has a key of several kinds of fields.
type Event struct { // want Event:"key of Base.ID, Meta.Region, VIN"
	_ struct{} `cosmos:"key={At|day}-{Meta.Region}.{VIN%4}"`
	Base
	At    time.Time                  `json:"at"`
	VIN   string                     `json:"vin"`
	Meta  Meta                       `json:"meta"`
	Speed int                        `json:"speed"`
	ETag  string                     `json:"_etag"`
	Rest  map[string]json.RawMessage `json:"-" cosmos:"rest"`
}

// Meta is a struct within a document.
type Meta struct {
	Region string `json:"region"`
}

// Region is the name of a region.
type Region string

// Home is one.
const Home = "eu"

// Account has a natural key.
type Account struct { // want Account:"key of ID, Owner"
	ID    string `json:"id"`
	Owner string `json:"owner" cosmos:"pk"`
	Name  string `json:"name"`
}

// Order has a container for each tenant and month.
type Order struct { // want Order:"key of Customer, ID, Tenant"
	_        struct{}  `cosmos:"container=orders-{Tenant}-{At|2006-01}"`
	ID       string    `json:"id"`
	Tenant   string    `json:"tenant"`
	Customer string    `json:"customer" cosmos:"pk"`
	At       time.Time `json:"at"`
}

// User has a unique property, and does not move.
type User struct { // want User:"key of ID, Region"
	ID     string `json:"id"`
	Region string `json:"region" cosmos:"pk"`
	Email  string `json:"email" cosmos:"unique"`
}

// Guest has one as well, and keeps its value while it is marked as deleted.
type Guest struct { // want Guest:"key of ID, Region"
	ID     string          `json:"id"`
	Region string          `json:"region" cosmos:"pk"`
	Email  string          `json:"email" cosmos:"unique"`
	Gone   repository.Time `json:"gone,omitzero" cosmos:"deleted"`
}
