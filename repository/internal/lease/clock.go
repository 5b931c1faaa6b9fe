package lease

import (
	"net/http"
	"sync/atomic"
	"time"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// clock is that of the service, as far as its answers tell: to about a second. Other
// SDKs judge by the time in a lease whether it has expired.
type clock struct {
	ahead atomic.Int64 // of this machine's, in nanoseconds
}

// now returns what the time is for the service.
func (c *clock) now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())).UTC() }

// read notes the date of an answer. After an answer without a date, the clock goes on as
// before: as that of this machine, if there was none yet.
func (c *clock) read(response *http.Response) {
	if at, err := wire.DateOf(response); err == nil {
		const half = time.Second / 2 // it has whole seconds
		c.ahead.Store(int64(time.Until(at.Add(half))))
	}
}

// Now is the time of the service.
func (c *Container) Now() time.Time { return c.time().now() }
