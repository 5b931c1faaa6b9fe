package explorer

import (
	"context"
	"net/http"
	"time"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/cosmossql/work"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/traffic"
)

// Account is what the explorer needs of an account and its server.
type Account interface {
	Data
	Activity
	Control
}

// Data is the databases of an account.
type Data interface {
	// Store is the databases.
	Store() *store.Account
	// Now is the time of the account.
	Now() time.Time
	// Send serves a request of the REST protocol: an escaped path such as
	// /dbs/a/colls/b/docs. The request needs no signature. Faults, latency and budgets
	// do not act on it, and neither the journal nor the traffic counts it.
	Send(ctx context.Context, method, path string, h http.Header, body []byte) Answer
	// Meter bounds a query that the explorer evaluates itself, as it bounds those of
	// clients. The caller closes it.
	Meter(ctx context.Context) *work.Meter
	// Split splits a physical partition.
	Split(database, container, rangeID string) error
	// Merge merges neighbouring physical partitions. CanMerge reports whether the
	// account can do it.
	Merge(database, container string, rangeIDs ...string) error
	CanMerge() bool
}

// Activity is what clients send.
type Activity interface {
	// Traffic is what clients have sent within the last minutes, and TrafficTime the
	// time by which it is counted: that of the machine.
	Traffic() *traffic.Counter
	TrafficTime() time.Time
	// Journal returns at most so many requests after the one with a number, the latest
	// ones, and the number of the last request that there is.
	Journal(after uint64, most int) (lines []Line, last uint64)
	// ClearJournal forgets the requests so far.
	ClearJournal()
	// Stopping is closed when the server ends, so that streams end too.
	Stopping() <-chan struct{}
}

// Control is what the page changes in the server.
type Control interface {
	// Faults, AddFault and RemoveFault are the faults that wait for requests.
	Faults() []Fault
	AddFault(f Fault) error
	RemoveFault(id uint64)
	// Settings and Set are what can change while the server runs.
	Settings() Settings
	Set(s Settings) error
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
	Path      string  `json:"path"`      // a fragment of the path; empty: all
	Range     string  `json:"range"`     // the id of a physical partition; empty: all
	Share     float64 `json:"share"`     // from above 0 up to 1
	Status    int     `json:"status"`    // 0: the request is served
	Substatus int     `json:"substatus"`
	DelayMS   int     `json:"delayMs"`
	Drop      bool    `json:"drop"`  // closes the connection
	After     bool    `json:"after"` // fails after the request has taken effect
	Left      int     `json:"left"`  // how many requests it still acts on; negative: all
}

// Settings are what can change while the server runs.
type Settings struct {
	LatencyMS int `json:"latencyMs"` // of every request
	// Budgets is whether request units are limited by the throughput of containers.
	Budgets bool `json:"budgets"`
}
