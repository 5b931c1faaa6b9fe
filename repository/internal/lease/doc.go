// Package lease knows the leases by which processes share the change feed of a
// container, as the change feed processors of Microsoft's SDKs store them: their
// documents in three dialects, who takes which, when one has expired, and what
// becomes of one whose physical partition was split or merged. It knows nothing of
// what is done with the changes.
package lease
