// Package processor has the changes of a container handled by several processes,
// which share the work by leases.
package processor
