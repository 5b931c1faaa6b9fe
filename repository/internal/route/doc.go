// Package route knows the physical partitions of a container: it learns them from
// what azcosmos reads for itself, and scopes queries and change feeds to one of them.
//
// README.md, in this folder, shows how that works, why it is done so, and what would
// break it. With package wire, this is one of the two packages that rely on how
// azcosmos behaves.
//
// The package keeps what it knows for the whole process, by account and container,
// since azcosmos does so, too.
package route
