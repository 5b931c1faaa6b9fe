// Package route has the physical partitions of containers. It learns them from what
// azcosmos reads for itself, and scopes queries and change feeds to one of them.
//
// README.md in this folder explains how that works, why it is done this way, and what would
// break it. Only this package and package wire rely on the behaviour of azcosmos.
//
// The state is kept for the whole process, by account and container, as in azcosmos.
package route
