// Package tenancy keeps what tenants own.
package tenancy

import (
	"time"

	"example.com/platform"
)

// Membership is of a user in a tenant.
type Membership struct {
	platform.Document

	TenantID string         `json:"tenantId" cosmos:"pk,level=1"`
	UserID   string         `json:"userId" cosmos:"pk,level=2"`
	Roles    []Role         `json:"roles"`
	Stage    platform.Stage `json:"stage"`
	Since    *time.Time     `json:"since,omitempty"`
}

// Role is what a member may do.
type Role string

// Session is kept by tenant, day and shard.
type Session struct {
	_        struct{}  `cosmos:"container=sessions,ttl=3600"`
	ID       string    `json:"id"`
	TenantID string    `json:"tenantId" cosmos:"pk,level=1"`
	Opened   time.Time `json:"opened" cosmos:"pk,level=2,format=day"`
	Shard    int       `json:"shard" cosmos:"pk,level=3"`
	Agent    *Agent    `json:"agent"`
}

// Agent is a browser.
type Agent struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

// Quota is kept by a number.
type Quota struct {
	ID      string  `json:"id"`
	Plan    Plan    `json:"plan" cosmos:"pk"`
	Used    float32 `json:"used"`
	Blocked bool    `json:"blocked,omitempty"`
}

// Plan is an enumeration of numbers.
type Plan uint8

// Flag is kept by what it is.
type Flag struct {
	ID      string          `json:"id"`
	Enabled bool            `json:"enabled" cosmos:"pk"`
	Rules   map[string]bool `json:"rules"`
}

// Workspace is of a tenant whose documents are too many for one key.
type Workspace struct {
	platform.Document

	_        struct{}  `cosmos:"container=workspaces"`
	TenantID string    `json:"tenantId" cosmos:"pk,level=1,hashsuffix=Name,buckets=8"`
	Name     string    `json:"name" cosmos:"pk,level=2,lower"`
	Deleted  *Deletion `json:"deleted,omitempty"`
}

// Deletion says that a document is only there to be seen.
type Deletion struct {
	At time.Time `json:"at"`
	By string    `json:"by"`
}
