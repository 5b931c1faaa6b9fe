// Package documents has structs as they are found in services, without tags.
package documents

import (
	"net/netip"
	"time"
)

// Status is an enumeration.
type Status string

const (
	Open   Status = "open"
	Closed Status = "closed"
	Failed Status = "failed"
)

// Level is an enumeration of numbers.
type Level int

const (
	Info Level = iota
	Warning
)

type CustomerID string

// Order belongs to a tenant and a customer, and there are more every day.
type Order struct {
	ID         string      `json:"id"`
	CustomerID CustomerID  `json:"customerId"`
	TenantID   string      `json:"tenantId"`
	Status     Status      `json:"status"`
	Lines      []OrderLine `json:"lines"`
	CreatedAt  time.Time   `json:"createdAt"`
}

// OrderLine is a part of an Order.
type OrderLine struct {
	ID     string `json:"id"`
	SKU    string `json:"sku"`
	Amount int    `json:"amount"`
}

// User belongs to a tenant, and users do not pile up.
type User struct {
	ID       string `json:"id"`
	TenantID string `json:"tenant_id,omitempty"`
	Email    string `json:"email"`
	Role     string `json:"role"`
	Active   bool   `json:"active"`
}

// VehicleEvent has its date as text.
type VehicleEvent struct {
	ID    string    `json:"id"`
	VIN   string    `json:"vin"`
	Date  string    `json:"date"` // 2018-08-09
	At    time.Time `json:"at"`
	Speed float64   `json:"speed"`
}

// Reading has its time as one.
type Reading struct {
	ID       string    `json:"id"`
	DeviceID string    `json:"deviceId"`
	At       time.Time `json:"timestamp"`
	Value    float64   `json:"value"`
}

// Measurement has a time of which no day can be made.
type Measurement struct {
	ID        string `json:"id"`
	SensorID  string `json:"sensorId"`
	Timestamp int64  `json:"timestamp"`
}

// Telemetry belongs to a tenant and a device.
type Telemetry struct {
	ID         string    `json:"id"`
	DeviceID   string    `json:"deviceId"`
	TenantID   string    `json:"tenantId"`
	RecordedAt time.Time `json:"recordedAt"`
}

// Click has nothing but its date.
type Click struct {
	ID   string `json:"id"`
	Date string `json:"date"`
	Page string `json:"page"`
}

// AuditEntry has its time, a level, and a field for the key.
type AuditEntry struct {
	ID           string     `json:"id"`
	PartitionKey string     `json:"partitionKey"`
	OccurredAt   time.Time  `json:"occurredAt"`
	Level        Level      `json:"level"`
	From         netip.Addr `json:"from"`
}

// Product has an id, and a property whose name a method of pkgen has.
type Product struct {
	ID        string    `json:"id"`
	Key       string    `json:"key"`
	Name      string    `json:"name"`
	Category  string    `json:"category"`
	UpdatedAt time.Time `json:"updatedAt"`
}

// Session is found by its id, and written once.
type Session struct {
	Token string `json:"id"`
}

// Comment belongs to a post.
type Comment struct {
	ID       string  `json:"id"`
	PostID   string  `json:"postId"`
	ParentID *string `json:"parentId"`
	Text     string  `json:"text"`
}

// Invoice has a customer that JSON may leave out, and one that it cannot.
type Invoice struct {
	ID             string `json:"id"`
	CustomerNumber int    `json:"customerNumber,omitempty"`
	AccountNumber  int    `json:"accountNumber"`
	BillingDate    int    `json:"date"`
	Total          int64  `json:"total"`
}

// Message belongs to a person and a conversation.
type Message struct {
	ID             string    `json:"id" bson:"_id"`
	ConversationID string    `json:"conversationId"`
	AuthorID       string    `json:"authorId"`
	SentAt         time.Time `json:"sentAt"`
}

// Base is embedded.
type Base struct {
	ID        string    `json:"id"`
	ETag      string    `json:"_etag,omitempty"`
	CreatedAt time.Time `json:"createdAt"`
}

// Patient embeds its id.
type Patient struct {
	Base
	PatientID string    `json:"patientId"`
	BirthDate time.Time `json:"birthDate"`
}

// Setting embeds its id, and nothing else makes a key.
type Setting struct {
	Base
	Value string `json:"value"`
}

// Locked embeds its id, and has a field of the name of a generated method.
type Locked struct {
	Base
	Key string `json:"lock"`
}

// Envelope embeds what Job embeds of it.
type Envelope struct {
	*Base
	Kind string `json:"kind"`
}

// Job has its id from two structs further down.
type Job struct {
	Envelope
	Payload string `json:"payload"`
}

// Jobs is an answer, which no document is a part of, and ring a memory.
type Jobs struct {
	Jobs []Job  `json:"jobs"`
	Next string `json:"next,omitempty"`
}

type ring struct {
	*ring
	kept map[string]*Job
}

// Legacy has an id of another name.
type Legacy struct {
	ID   string `json:"legacyId"`
	Name string `json:"name"`
}

// Counter has an id that is no string.
type Counter struct {
	ID    int64 `json:"id"`
	Value int   `json:"value"`
}

// Tagged has tags already.
type Tagged struct {
	ID     string `json:"id"`
	UserID string `json:"userId" cosmos:"pk"`
}

// Options is no document.
type Options struct {
	Name  string `json:"name"`
	Limit int    `json:"limit"`
}

// page is what a server answers.
type page struct {
	ID    string   `json:"id"`
	Items []string `json:"items"`
}
