// Package probe checks what pkgen assumes of the service and its documentation does not
// say, or says in an example only.
//
// It asks over REST as azcosmos does, without the SDK, since what is assumed is of the
// service: queries that are scoped to a physical partition, effective partition keys,
// answers to requests that fail, and changes of throughput. The tests ask the emulator
// with every run, and an account when COSMOS_CONNECTION_STRING names one; pkgen-data doctor
// -probe asks the account of a user.
package probe
