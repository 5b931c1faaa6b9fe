package main

import "time"

//go:generate go tool pkgen

// Reading is what a device has measured. The API for NoSQL stores it; types of the
// other APIs embed it, so that keys are made of the same fields in the same way.
type Reading struct {
	ID     string    `json:"id" cosmos:"note=hashedid"`
	Date   string    `json:"date" cosmos:"pk,hashsuffix=Device,buckets=20"`
	Device string    `json:"device"`
	At     time.Time `json:"at"`
	Value  float64   `json:"value"`
	Stored string    `json:"partitionKey" cosmos:"synthetic"`
}

// TableReading is a Reading in a table.
type TableReading struct {
	_ struct{} `cosmos:"api=table,container=Readings"`
	Reading
}

// MongoReading is a Reading in a collection of MongoDB.
type MongoReading struct {
	_       struct{} `cosmos:"api=mongo,container=readings"`
	Reading `bson:",inline"`
}

// GraphReading is a Reading in a graph.
type GraphReading struct {
	_ struct{} `cosmos:"api=gremlin"`
	Reading
}
