// Package shop has a struct of 30 fields.
package shop

import "time"

type Order struct {
	ID        string            `json:"id"`
	Customer  string            `json:"customer" cosmos:"pk,concat"`
	Placed    time.Time         `json:"placed" cosmos:"pk,concat,format=month"`
	Stored    string            `json:"partitionKey" cosmos:"synthetic"`
	ETag      string            `json:"_etag,omitempty"`
	Status    string            `json:"status"`
	Currency  string            `json:"currency"`
	Total     float64           `json:"total"`
	Tax       float64           `json:"tax"`
	Discount  float64           `json:"discount,omitempty"`
	Lines     []Line            `json:"lines"`
	Count     int               `json:"count"`
	Weight    int               `json:"weight"`
	Express   bool              `json:"express"`
	Gift      bool              `json:"gift,omitempty"`
	Note      string            `json:"note,omitempty"`
	Ship      Address           `json:"ship"`
	Bill      *Address          `json:"bill,omitempty"`
	Carrier   string            `json:"carrier"`
	Tracking  string            `json:"tracking,omitempty"`
	Paid      *time.Time        `json:"paid,omitempty"`
	Shipped   *time.Time        `json:"shipped,omitempty"`
	Delivered *time.Time        `json:"delivered,omitempty"`
	Returned  bool              `json:"returned,omitempty"`
	Labels    map[string]string `json:"labels,omitempty"`
	Tags      []string          `json:"tags,omitempty"`
	Channel   string            `json:"channel"`
	Agent     string            `json:"agent,omitempty"`
	Score     float32           `json:"score"`
	Attempts  int               `json:"attempts"`
}

type Line struct {
	SKU   string  `json:"sku"`
	Count int     `json:"count"`
	Price float64 `json:"price"`
}

type Address struct {
	Name    string `json:"name"`
	Street  string `json:"street"`
	City    string `json:"city"`
	Country string `json:"country"`
}
