// Package doctor examines an account and the containers of packages, and says what is
// wrong and what to do about it.
//
// It reads. It knows what generated code wants of a container, and asks the account for
// the rest: the connection, the clock, consistency and regions, throughput, physical
// partitions, and indexes. What pkgen assumes of the service is in package probe.
package doctor
