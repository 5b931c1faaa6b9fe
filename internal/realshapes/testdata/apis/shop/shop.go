// Package shop keeps nested documents in collections, as programs with MongoDB's driver do.
package shop

import "time"

// Document has what all documents have.
type Document struct {
	ID      string    `json:"id"`
	Version string    `json:"_etag"`
	Updated time.Time `json:"updated" bson:"updated"`
}

// Order has its lines within it.
type Order struct {
	_        struct{} `cosmos:"api=mongo,container=orders,orders=Customer+Placed:desc"`
	Document `bson:",inline"`
	Customer string    `json:"customer" bson:"customerId" cosmos:"pk"`
	Placed   time.Time `json:"placed" bson:"placed"`
	Lines    []Line    `json:"lines" bson:"lines"`
	Ship     *Address  `json:"ship" bson:"ship,omitempty"`
	Status   Status    `json:"status" bson:"status"`
}

// Status is where an order is.
type Status string

// Line is a position of an order.
type Line struct {
	SKU   string  `bson:"sku"`
	Count int     `bson:"n"`
	Price float64 `bson:"price"`
}

// Address is where an order goes.
type Address struct {
	City string `json:"city" bson:"city"`
	Zip  string `json:"zip" bson:"zip"`
}

// Review is spread, since some products have millions.
type Review struct {
	_       struct{}       `cosmos:"api=mongo,container=reviews"`
	ID      string         `json:"id"`
	Product string         `json:"product" bson:"product" cosmos:"pk,hashsuffix=ID,buckets=32"`
	Stored  string         `json:"shardKey" bson:"shardKey" cosmos:"synthetic"`
	Stars   int8           `json:"stars" bson:"stars"`
	Tags    map[string]int `json:"tags" bson:"tags"`
}

// Visit is written without being looked for.
type Visit struct {
	_      struct{} `cosmos:"api=mongo,container=visits"`
	ID     string   `json:"id"`
	Day    string   `json:"day" bson:"day" cosmos:"pk,randomsuffix,buckets=16"`
	Stored string   `json:"shardKey" bson:"shardKey" cosmos:"synthetic"`
	Agent  string   `json:"agent" bson:"agent"`
}

// Product is found by its id.
type Product struct {
	_     struct{}          `cosmos:"api=mongo,container=products"`
	ID    string            `json:"id" cosmos:"id,pk"`
	Names map[string]string `json:"names" bson:"names"`
	Price float64           `json:"price" bson:"price"`
}
