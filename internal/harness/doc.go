// Package harness has what tests of requests need: an emulator with a database and containers,
// clients with policies, faults of one operation, counts of requests, and connections to an
// account of the same process. It does not import the run time, so that the tests inside the
// run time use it, too.
package harness
