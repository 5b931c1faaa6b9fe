// Package stock declares documents of other APIs; their repositories are generated.
package stock

import "time"

// Reading is an entity, whose row key begins with the newest time.
type Reading struct { // want Reading:"key of At, Device, ID, Site"
	_      struct{}  `cosmos:"api=table,key={Site}.{Device%4},row={At|newest}-{ID}"`
	ID     string    `json:"id" cosmos:"id,prefix=reading_"`
	ETag   string    `json:"_etag"`
	Site   string    `json:"site"`
	Device string    `json:"device"`
	At     time.Time `json:"at"`
	Value  float64   `json:"value"`
}

// Part is a document of a collection.
type Part struct { // want Part:"key of ID, Tenant"
	_      struct{} `cosmos:"api=mongo"`
	ID     string   `json:"id" bson:"_id"`
	Tenant string   `bson:"tenant" cosmos:"pk"`
	Name   string   `bson:"name"`
}

// Device is a vertex.
type Device struct { // want Device:"key of ID, Region"
	_      struct{} `cosmos:"api=gremlin"`
	ID     string   `json:"id" cosmos:"id,prefix=device-"`
	Region string   `json:"region" cosmos:"pk"`
	Model  string   `json:"model"`
}

// Uses is an edge between devices.
type Uses struct { // want Uses:"key of ID"
	_     struct{} `cosmos:"api=gremlin,edge,from=Device,to=Device"`
	ID    string   `json:"id" cosmos:"id,prefix=uses-"`
	Share float64  `json:"share"`
}
