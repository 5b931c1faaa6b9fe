// Package telemetry keeps what devices say.
package telemetry

import (
	"net/netip"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository"
)

// Identity is who speaks.
type Identity struct {
	DeviceID string `json:"deviceId" cosmos:"pk,concat"`
	Firmware string `json:"firmware,omitempty"`
}

// Sample is of a device and an hour.
type Sample struct {
	ID string `json:"id"`
	Identity
	At     time.Time       `json:"at" cosmos:"pk,concat,format=hour"`
	Stamp  repository.Time `json:"stamp"`
	Values []float64       `json:"values"`
	Axis   [3]int          `json:"axis"`
}

// Heartbeat has a random bucket.
type Heartbeat struct {
	ID       string        `json:"id"`
	Day      string        `json:"day" cosmos:"pk,randomsuffix,buckets=400"`
	Stored   string        `json:"_pk" cosmos:"synthetic"`
	Interval time.Duration `json:"interval"`
}

// Flow is of two addresses, in the order that the key had before.
type Flow struct {
	ID          string         `json:"id"`
	Source      netip.Addr     `json:"source" cosmos:"pk,concat,order=2"`
	Destination netip.AddrPort `json:"destination" cosmos:"pk,concat,order=1"`
	Bytes       int64          `json:"bytes"`
	_           struct{}       `cosmos:"sep=|"`
	Protocol    string         `json:"protocol,omitzero"`
}

// Alarm is spread by what its position says.
type Alarm struct {
	ID       string   `json:"id" cosmos:"note=hashedid"`
	Site     SiteID   `json:"site" cosmos:"pk,hashsuffix=Position.Floor+Position.Room.Number,buckets=4"`
	Position Position `json:"position"`
	Raised   bool     `json:"raised"`
}

// SiteID is a text of its own.
type SiteID string

// Position is within a site.
type Position struct {
	Floor int8 `json:"floor"`
	Room  struct {
		Number string `json:"number"`
	} `json:"room"`
	Lat, Lon float64
}

// Firmware is kept by its id.
type Firmware struct {
	ID       string            `json:"id" cosmos:"id,pk"`
	Data     []byte            `json:"data"`
	Checksum [4]byte           `json:"checksum"`
	Channels map[int]time.Time `json:"channels"`
}
