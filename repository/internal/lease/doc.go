// Package lease has the leases by which processes share the change feed of a container.
// They are stored as the change feed processors of Microsoft's SDKs store them, in three
// dialects. The package decides which worker takes which lease, when a lease has expired,
// and what happens to a lease whose physical partition was split or merged. It does not
// handle changes.
package lease
