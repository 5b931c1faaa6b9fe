// Package billing keeps customers' budgets, prices and usage.
package billing

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"example.com/platform"
)

// Item is what the documents of the container have in common. Which of them one
// is, its key says.
type Item struct {
	ID           string `json:"id"`
	PartitionKey string `json:"partitionKey"`
}

// Budget limits what a customer spends. Its key has been there before pkgen.
type Budget struct {
	_          struct{}          `cosmos:"container=items,type=budget,key=customer:{CustomerID}:budgets"`
	ID         string            `json:"id"`
	Stored     string            `json:"partitionKey" cosmos:"synthetic"`
	CustomerID string            `json:"customerId"`
	Limit      json.Number       `json:"limit"`
	Alerts     map[string]*Alert `json:"alerts"`
}

// Alert tells somebody.
type Alert struct {
	Percent float64  `json:"percent"`
	Mail    []string `json:"mail"`
}

// Discount is for a month.
type Discount struct {
	_          struct{}  `cosmos:"container=items,type=discount,key=customer:{CustomerID}:discounts:{Offer|lower}:{Month|2006:01},escape"`
	ID         string    `json:"id"`
	CustomerID string    `json:"customerId"`
	Offer      string    `json:"offer"`
	Month      time.Time `json:"month"`
	Rate       Cents     `json:"rate"`
}

// LineItem is what one meter counted in an hour.
type LineItem struct {
	_     struct{} `cosmos:"container=items,type=lineItem,key={Usage.Year}:{Usage.Month}:{Usage.Day}:{Customer}"`
	ID    string   `json:"id"`
	Usage struct {
		Year  int        `json:"year"`
		Month time.Month `json:"month"`
		Day   int        `json:"day"`
	} `json:"usage"`
	Customer uuid.UUID `json:"customer"`
	Amount   *Cents    `json:"amount"`
}

// Cents are written as euros.
type Cents int64

// MarshalJSON writes euros.
func (c Cents) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, `"%d.%02d"`, c/100, c%100), nil }

// UnmarshalJSON reads euros.
func (c *Cents) UnmarshalJSON(text []byte) error {
	n, err := strconv.ParseInt(strings.ReplaceAll(strings.Trim(string(text), `"`), ".", ""), 10, 64)
	*c = Cents(n)
	return err
}

// Ledger is spread by a hash of the account.
type Ledger struct {
	platform.Expiring

	_       struct{}      `cosmos:"suffixsep=#,note=hashedid"`
	Booked  time.Time     `json:"booked" cosmos:"pk,format=month,hashsuffix=Account,buckets=16"`
	Account platform.UUID `json:"account"`
	Amount  Cents         `json:"amount"`
	Tags    []string      `json:"tags"`
}

// Invoice writes itself in another form than its fields.
type Invoice struct {
	ID       string `json:"id"`
	Customer string `json:"customer" cosmos:"pk"`
	Lines    []Line `json:"-"`
}

// Line is one of an invoice.
type Line struct {
	Text  string `json:"text"`
	Total int    `json:"total"`
}

// MarshalJSON adds the lines and their sum.
func (i Invoice) MarshalJSON() ([]byte, error) {
	sum := 0
	for _, l := range i.Lines {
		sum += l.Total
	}
	return json.Marshal(map[string]any{"id": i.ID, "customer": i.Customer, "lines": i.Lines, "sum": sum})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (i *Invoice) UnmarshalJSON(text []byte) error {
	var stored struct {
		ID       string `json:"id"`
		Customer string `json:"customer"`
		Lines    []Line `json:"lines"`
	}
	err := json.Unmarshal(text, &stored)
	i.ID, i.Customer, i.Lines = stored.ID, stored.Customer, stored.Lines
	return err
}
