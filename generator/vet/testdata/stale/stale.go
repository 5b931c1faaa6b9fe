// Package stale has types whose tags change after they are generated.
package stale

type Layout struct {
	ID  string `json:"id"`
	Day string `json:"day" cosmos:"pk,hashsuffix=VIN,buckets=4"`
	VIN string `json:"vin"`
}

type Role struct {
	ID      string `json:"id" cosmos:"id"`
	Owner   string `json:"owner" cosmos:"pk,concat"`
	Month   string `json:"month" cosmos:"pk,concat"`
	Version string `json:"version"`
}

type Same struct { // want Same:"key of ID"
	ID string `json:"id" cosmos:"id,pk"`
}

type Expires struct {
	_  struct{} `cosmos:"ttl=60"`
	ID string   `json:"id" cosmos:"id,pk"`
}

type Plain struct {
	ID   string `json:"id" cosmos:"id,pk"`
	Name string `json:"name"`
}

type Tagged struct {
	ID   string `json:"id" cosmos:"id,pk"`
	Name string `json:"name" validate:"min=1"`
}

type Edited struct {
	ID string `json:"id" cosmos:"id,pk"`
}

// Lines has a generated file with other ends of lines, which git may make.
type Lines struct { // want Lines:"key of ID"
	ID string `json:"id" cosmos:"id,pk"`
}

// Bound has been sealed since it was generated.
type Bound struct {
	ID string `json:"id" cosmos:"id,pk"`
}

// Unbound has lost its seal since it was generated.
type Unbound struct {
	ID string `json:"id" cosmos:"id,pk"`
}
