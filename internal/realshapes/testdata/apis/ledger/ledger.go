// Package ledger keeps flat rows in tables, as programs of Azure Table Storage do.
package ledger

import (
	"net/netip"
	"time"
)

// Entity has what all rows have.
type Entity struct {
	ID      string    `json:"id"`
	ETag    string    `json:"_etag"`
	Created time.Time `json:"created"`
}

// Audit is a line of a log that is read from its newest line on.
type Audit struct {
	_ struct{} `cosmos:"api=table,container=AuditLog,key={Tenant}_{Created|month},row={Created|newest}_{ID},escape"`
	Entity
	Tenant string     `json:"tenant"`
	Stored string     `json:"partitionKey" cosmos:"synthetic"`
	Actor  string     `json:"actor"`
	From   netip.Addr `json:"from"`
	Level  Level      `json:"level"`
	Detail []byte     `json:"detail"`
	Failed bool       `json:"failed"`
}

// Level is how much a line matters.
type Level int32

// Meter is a reading of a customer's meter, of which there are many in an hour.
type Meter struct {
	_        struct{}  `cosmos:"api=table"`
	ID       string    `json:"id" cosmos:"note=hashedid"`
	Stored   string    `json:"partitionKey" cosmos:"synthetic"`
	Hour     time.Time `json:"hour" cosmos:"pk,format=hour,hashsuffix=Customer,buckets=64"`
	Customer string    `json:"customer"`
	Watts    float64   `json:"watts"`
	Total    int64     `json:"total"`
}

// Setting is found by its name alone.
type Setting struct {
	_     struct{} `cosmos:"api=table,container=Settings"`
	ID    string   `json:"id" cosmos:"id,pk"`
	Value string   `json:"value"`
}

// Invoice is kept by the number of its customer.
type Invoice struct {
	_        struct{} `cosmos:"api=table,container=Invoices"`
	ID       string   `json:"id" cosmos:"id,prefix=inv_"`
	Customer int64    `json:"customer" cosmos:"pk,concat"`
	Stored   string   `json:"partitionKey" cosmos:"synthetic"`
	Cents    int64    `json:"cents"`
	Paid     *bool    `json:"paid,omitempty"`
}
