package explorer

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/work"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/traffic"
)

// Account is the access of the explorer to an account and its server.
type Account struct {
	// Store is the databases, and Now their time. Ahead is how far their time is ahead of the
	// machine's, and Advance moves it forward.
	Store   *store.Account
	Now     func() time.Time
	Ahead   func() time.Duration
	Advance func(d time.Duration)
	// Send serves a request of the REST protocol with an escaped path such as
	// /dbs/a/colls/b/docs. The request needs no signature. Faults, latency and budgets do not
	// affect it, and neither the journal nor the traffic counts it.
	Send func(ctx context.Context, method, path string, h http.Header, body []byte) Answer
	// Limits bound a query that the explorer evaluates itself, like the queries of clients.
	Limits work.Limits
	// Traffic is the traffic of clients within the last minutes, by the time of the machine.
	Traffic *traffic.Counter
	// Journal returns the latest requests after a number, at most most, and the number of the
	// last request. ClearJournal deletes the requests so far.
	Journal      func(after uint64, most int) (lines []Line, last uint64)
	ClearJournal func()
	// Faults, AddFault and RemoveFault are the faults that wait for requests.
	Faults      func() []Fault
	AddFault    func(f Fault) error
	RemoveFault func(id uint64)
	// Regions are the regions of an account that has several. ChangeRegion changes one.
	Regions      func() []Region
	ChangeRegion func(c RegionChange) error
	// Latency is the minimum duration of every request in nanoseconds.
	Latency *atomic.Int64
	// Serverless accounts have no budgets of request units.
	Serverless bool
	// CanMerge reports whether the account can merge physical partitions.
	CanMerge bool
}

// Answer is the answer to a request of the REST protocol.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Line is a request in the journal.
type Line struct {
	Number    uint64  `json:"number"`
	Time      int64   `json:"time"` // milliseconds since 1970
	Operation string  `json:"operation"`
	Method    string  `json:"method"`
	Path      string  `json:"path"`
	Key       string  `json:"key"`
	Range     string  `json:"range"`
	Region    string  `json:"region,omitempty"`
	Query     string  `json:"query,omitempty"`
	Items     int     `json:"items"`
	Status    int     `json:"status"`
	Substatus int     `json:"substatus"`
	Charge    float64 `json:"charge"`
	Faulted   bool    `json:"faulted"`
	Millis    float64 `json:"ms"`
}

// Fault is a fault that acts on a share of the requests until it is removed.
type Fault struct {
	ID        uint64  `json:"id"`
	Operation string  `json:"operation"` // empty: all
	Path      string  `json:"path"`      // part of the path; empty: all
	Range     string  `json:"range"`     // the id of a physical partition; empty: all
	Region    string  `json:"region"`    // the name of a region; empty: all
	Share     float64 `json:"share"`     // above 0, at most 1
	Status    int     `json:"status"`    // 0: the request is served
	Substatus int     `json:"substatus"`
	DelayMS   int     `json:"delayMs"`
	Drop      bool    `json:"drop"`  // closes the connection
	After     bool    `json:"after"` // fails after the request has taken effect
	Left      int     `json:"left"`  // how many requests it still acts on; negative: all
}

// Region is a region of the account.
type Region struct {
	Name     string `json:"name"`
	Endpoint string `json:"endpoint"`
	Writable bool   `json:"writable"`
	Online   bool   `json:"online"`
	Removed  bool   `json:"removed"` // the account does not list it
	LagMS    int    `json:"lagMs"`   // until a write reaches it
	Paused   bool   `json:"paused"`  // no write reaches it
}

// RegionChange is one change of a region.
type RegionChange struct {
	Name     string `json:"name"`
	Online   *bool  `json:"online"`
	Failover string `json:"failover"` // planned or forced
	LagMS    *int   `json:"lagMs"`
	Paused   bool   `json:"paused"` // goes with LagMS
}

// Settings can be changed while the server runs.
type Settings struct {
	LatencyMS int `json:"latencyMs"` // of every request
	// Budgets reports whether the throughput of containers limits request units.
	Budgets bool `json:"budgets"`
}
