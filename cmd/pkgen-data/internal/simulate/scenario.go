package simulate

import "encoding/json"

// Scenario is a scenario file. docs/simulate.md describes each property.
type Scenario struct {
	Schema        string              `json:"$schema"` // for editors
	Title         string              `json:"title"`
	Seconds       int                 `json:"seconds"`
	Start         string              `json:"start"`
	Partitions    int                 `json:"partitions"`
	Throughput    float64             `json:"throughput"`
	Latency       *float64            `json:"latency"`
	DocumentBytes int                 `json:"documentBytes"`
	Layouts       []string            `json:"layouts"`
	Indexes       []Index             `json:"indexes"`
	Escape        bool                `json:"escape"`
	Properties    map[string]Property `json:"properties"`
	Operations    []Operation         `json:"operations"`
	Arrivals      string              `json:"arrivals"`
	Clients       int                 `json:"clients"`
	Retries       *Retries            `json:"retries"`

	folder string // of the file; names of samples are relative to it
}

// Index is a global secondary index of the container. It has a throughput and physical
// partitions of its own.
type Index struct {
	Layout     string  `json:"layout"`
	Throughput float64 `json:"throughput"`
	Partitions int     `json:"partitions"`
}

// Property says which values a property of documents has. It has one of Constant,
// Uniform, Zipf, Time and Sample.
type Property struct {
	Constant json.RawMessage `json:"constant"`
	Uniform  int             `json:"uniform"`
	Zipf     int             `json:"zipf"`
	Exponent *float64        `json:"exponent"`
	Time     string          `json:"time"`
	Sample   string          `json:"sample"`
	Property string          `json:"property"`
	Prefix   string          `json:"prefix"`
	Number   bool            `json:"number"`
}

// Operation is what clients do, again and again.
type Operation struct {
	Name       string              `json:"name"`
	Method     string              `json:"method"`
	Rate       float64             `json:"rate"`
	By         []string            `json:"by"`
	Results    int                 `json:"results"`
	Charge     float64             `json:"charge"`
	Properties map[string]Property `json:"properties"`
}

// Retries says how a client repeats a request that is answered with 429.
type Retries struct {
	// Most is how often; 9 by default.
	Most *int `json:"most"`
	// Longest is the longest wait in seconds that a client accepts; 30 by default.
	Longest *float64 `json:"longest"`
	// Total is how many seconds a client waits for one request in all; 0 is no limit.
	Total float64 `json:"total"`
}

// The methods of operations.
const (
	methodCreate  = "create"
	methodUpsert  = "upsert"
	methodReplace = "replace"
	methodPatch   = "patch"
	methodDelete  = "delete"
	methodGet     = "get"
	methodQuery   = "query"
)

var methods = []string{methodCreate, methodUpsert, methodReplace, methodPatch, methodDelete, methodGet, methodQuery}

// The arrivals of operations in a scenario without clients.
const (
	arrivalsRandom  = "random"
	arrivalsRegular = "regular"
)

// Defaults of a scenario, and its limits.
const (
	defaultBytes   = 1024
	defaultLatency = 5.0 // ms
	defaultStart   = "2018-08-09T12:00:00Z"
	defaultMost    = 9  // as in repository.Configure
	defaultLongest = 30 // seconds, as there

	mostSeconds     = 24 * 60 * 60
	mostPartitions  = 1000
	mostPerSecond   = 10_000 // maximum RU/s of a physical partition
	mostOperations  = 50_000_000
	mostFigures     = 2_000_000  // seconds × (physical partitions + indexes) × layouts
	mostValues      = 10_000_000 // of a property
	mostRequests    = 4_000_000  // in progress, per layout: about 500 MB
	mostWaiting     = 4_000_000  // changes waiting for the indexes of a layout: about 100 MB
	mostResultBytes = 1 << 30    // bytes returned by a query
	mostCharge      = 1_000_000  // RU of a request
)
