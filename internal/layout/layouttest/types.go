package layouttest

import (
	"log/slog"
	"net/netip"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository"
)

// A Region is a string with a name of its own.
type Region string

// A Live is a boolean with a name of its own.
type Live bool

// A Line is an integer with a name of its own.
type Line int8

// A Batch has a text that a method of its pointer makes.
type Batch struct{ N int }

// MarshalText writes the batch as text.
func (b *Batch) MarshalText() ([]byte, error) { return strconvBatch(b.N), nil }

// UnmarshalText reads the batch.
func (b *Batch) UnmarshalText(text []byte) (err error) {
	b.N, err = parseBatch(text)
	return err
}

// Meta is an object within a document.
type Meta struct {
	Device string `json:"device"`
	Long   int64  `json:"long" cosmos:"note=int64"`
}

// A Sample has a key of every kind of component.
type Sample struct {
	_      struct{}   `cosmos:"key=r:{Region}::{Line}/{Slot}/{Live}/{At|day}/{Owner}/{Batch}/{Level}/{Meta.Long},note=ambiguous+synthetic"`
	ID     string     `json:"id"`
	Region Region     `json:"region"`
	Line   Line       `json:"line"`
	Slot   uint64     `json:"slot" cosmos:"note=int64"`
	Live   Live       `json:"live"`
	At     time.Time  `json:"at"`
	Owner  netip.Addr `json:"owner"`
	Batch  Batch      `json:"batch"`
	Level  slog.Level `json:"level"`
	Meta   Meta       `json:"meta"`
}

// A Trip has a bucket of every kind of component.
type Trip struct {
	_      struct{}        `cosmos:"key={At|month}.{VIN+Leg+Seq+Urgent+Driver+Batch+Done|day%31},note=synthetic+hashedtime"`
	ID     string          `json:"id" cosmos:"note=hashedid"`
	At     repository.Time `json:"at"`
	VIN    string          `json:"vin"`
	Leg    int64           `json:"leg" cosmos:"note=int64"`
	Seq    uint8           `json:"seq"`
	Urgent bool            `json:"urgent"`
	Driver netip.Addr      `json:"driver"`
	Batch  Batch           `json:"batch"`
	Done   time.Time       `json:"done"`
}

// A Car has texts in lower case, some of which are hashed next to one that keeps its
// case, and an object within it.
type Car struct {
	_     struct{}   `cosmos:"key={VIN|lower}/{Maker|lower}.{Meta.Device+VIN+Owner|lower%400},note=ambiguous+synthetic"`
	ID    string     `json:"id" cosmos:"note=hashedid"`
	VIN   string     `json:"vin"`
	Maker Region     `json:"maker"`
	Owner netip.Addr `json:"owner"`
	Meta  *Meta      `json:"meta"`
}

// A Letter is escaped, with components of every kind.
type Letter struct {
	_      struct{}   `cosmos:"key=l:{Region}-{Line}:{Slot}-{Live}-{At|2006-01-02T15:04:05.000}-{Owner}-{Batch}::{Host|lower},escape,note=synthetic"`
	ID     string     `json:"id"`
	Region Region     `json:"region"`
	Line   Line       `json:"line"`
	Slot   uint64     `json:"slot" cosmos:"note=int64"`
	Live   Live       `json:"live"`
	At     time.Time  `json:"at"`
	Owner  netip.Addr `json:"owner"`
	Batch  Batch      `json:"batch"`
	Host   string     `json:"host"`
}

// A Stamp is escaped, and has a random suffix.
type Stamp struct {
	_       struct{} `cosmos:"escape"`
	ID      string   `json:"id"`
	Country string   `json:"country" cosmos:"pk,randomsuffix,buckets=9"`
	Stored  string   `json:"stamped" cosmos:"synthetic"`
}

// An Order has a natural key, and ids with a prefix.
type Order struct {
	ID     string `json:"id" cosmos:"id,prefix=order-"`
	Tenant Region `json:"tenant" cosmos:"pk"`
}

// An Invoice has a number for its key.
type Invoice struct {
	ID     string `json:"id"`
	Number int64  `json:"number" cosmos:"pk"`
}

// A Gauge has a number with a fraction for its key.
type Gauge struct {
	ID    string  `json:"id"`
	Level float64 `json:"level" cosmos:"pk"`
}

// A Flag has a boolean for its key.
type Flag struct {
	ID     string `json:"id"`
	Active Live   `json:"active" cosmos:"pk"`
}

// A Serial has a number for its key, as text.
type Serial struct {
	_      struct{} `cosmos:"key=s{Number},note=synthetic"`
	ID     string   `json:"id"`
	Number uint32   `json:"number"`
}

// A Session has its id for its key.
type Session struct {
	ID string `json:"id" cosmos:"id,pk"`
}

// A Lease has an address for its id and key.
type Lease struct {
	ID netip.Addr `json:"id" cosmos:"id,pk"`
}

// A Task has levels of every JSON type.
type Task struct {
	ID     string     `json:"id"`
	Number int        `json:"number" cosmos:"pk,level=1"`
	Open   bool       `json:"open" cosmos:"pk,level=2"`
	Owner  netip.Addr `json:"owner" cosmos:"pk,level=3"`
}

// A Metric has levels that are made, and its id for the last.
type Metric struct {
	Day  time.Time `json:"day" cosmos:"pk,level=1,format=day,hashsuffix=VIN,buckets=16"`
	VIN  string    `json:"vin"`
	Host string    `json:"host" cosmos:"pk,level=2,lower"`
	ID   string    `json:"id" cosmos:"id,pk,level=3,note=hashedid"`
}

// A Hit has a random suffix on its first level.
type Hit struct {
	ID     string `json:"id"`
	Date   string `json:"date" cosmos:"pk,level=1,randomsuffix,buckets=9"`
	User   int    `json:"user" cosmos:"pk,level=2"`
	Stored string `json:"base" cosmos:"synthetic"`
}
