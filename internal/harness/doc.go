// Package harness has what tests of requests need: an emulator with a database and containers,
// clients with policies, faults of one operation, counts of requests, and connections to an
// account of the same process. It does not import the run time, so that the tests inside the
// run time use it, too.
package harness

import "github.com/cosmos-pkgen/pkgen/internal/testgc"

// The emulator and its clients are in the process of the test, and most of what they allocate is
// garbage at once: a fifth of the time of tests was spent on collecting it.
func init() { testgc.Less() }
