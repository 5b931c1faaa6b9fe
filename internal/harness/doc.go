// Package harness supports tests of requests: an emulator with a database and containers, clients
// with policies, faults of one operation, counts of requests, and connections to an account in the
// same process. It does not import the run time, so tests inside the run time can use it.
package harness
