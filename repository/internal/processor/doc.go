// Package processor handles the changes of a container in several processes, which share
// the work by leases.
package processor
