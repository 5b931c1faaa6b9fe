// Package doctor examines an account and the containers of packages, and reports what is wrong and
// what to do about it.
//
// It only reads. It knows the containers that generated code wants, and queries the account for the
// rest: the connection, the clock, consistency and regions, throughput, physical partitions, and
// indexes. Package probe checks pkgen's assumptions about the service.
package doctor
