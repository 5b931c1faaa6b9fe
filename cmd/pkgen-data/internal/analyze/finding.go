package analyze

// Finding is something that is wrong with a layout, or to know about it.
type Finding struct {
	Name     string   `json:"name"`
	Severity Severity `json:"severity"`
	// Message describes the problem and the remedy. It may contain keys.
	Message string `json:"message"`
}

// Severity says how bad a finding is.
type Severity string

// The severities, as workflow commands of GitHub have them, but for note: notice.
const (
	Bad     Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// The names of findings. docs/analyze.md has their thresholds.
const (
	HotKeyFound    = "hot-key"
	HotRange       = "hot-range"
	MonotonicKey   = "monotonic-key"
	LowCardinality = "low-cardinality"
	Near20GB       = "near-20-GB"
	TooManyBuckets = "too-many-buckets"
	ScatterReads   = "scatter-reads"
	Colliding      = "colliding"
	NoKey          = "no-key"
	Approximate    = "approximate"
	NoisyTenant    = "noisy-tenant"
	LargeTenant    = "large-tenant"
	IdleContainer  = "idle-container"
)

// FindingNames are the names of all findings.
var FindingNames = []string{HotKeyFound, HotRange, MonotonicKey, LowCardinality, Near20GB, TooManyBuckets, ScatterReads, Colliding, NoKey, Approximate, NoisyTenant, LargeTenant, IdleContainer}
