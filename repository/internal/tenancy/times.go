package tenancy

import "time"

// The times of a directory. All processes that use one directory have to agree on them,
// so that a document of the directory has them: see [Times].
const (
	// DefaultTTL is how long a process takes a residence for true after it began to
	// look it up. An own process looks up each tenant that it serves 8 times a minute, at
	// 1 request unit each. A move waits as long before it copies anything, and again
	// before it removes the old documents.
	DefaultTTL = 10 * time.Second

	// DefaultGrace is how long after that a write may be under way which was sent before.
	// azcosmos sends a throttled request again for 30 seconds at most
	// (defaultResourceThrottleRetryPolicyMaxWaitInSeconds of the SDKs), a write whose
	// connection breaks is sent again within a second, and an operation that reads before
	// it writes takes one round trip more.
	DefaultGrace = 35 * time.Second

	// Lag is by how much an answer of the directory may be older than the last change that
	// was acknowledged: accounts with session consistency read from a replica of the
	// region, which lags by milliseconds. A process that was late waits as long
	// before it asks whether its tenant is still where it was.
	Lag = time.Second

	// MaxTTL bounds the time of a directory: a move waits for it twice.
	MaxTTL = time.Hour
)

// Times are those of a directory.
type Times struct {
	TTL   time.Duration // of a residence in a cache
	Grace time.Duration // of writes that were sent before it ended
}

// DefaultTimes are those of a directory that says nothing else.
func DefaultTimes() Times { return Times{DefaultTTL, DefaultGrace} }

// Wait is how long after a change of the directory was acknowledged no process acts any
// more as if it had not been made. Nothing that is sent later than this by the residence
// before is acknowledged.
func (t Times) Wait() time.Duration { return t.TTL + t.Grace + Lag }
