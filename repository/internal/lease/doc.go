// Package lease has the leases with which processes share the change feed of a container, as
// the change feed processors of Microsoft's SDKs store them: their documents in three dialects,
// their distribution and expiry, and the leases after a split or merge of physical partitions.
// It does not handle changes.
package lease
