// Package move moves a tenant from one container to another while it is read and written.
// Usually the tenant is the whole partition key, so that its documents are one logical
// partition on either side, which has a fence: see package tenancy. This page describes these
// tenants; levels.go describes tenants that are the first of several levels.
//
// The steps of a move are in the directory's document of the tenant. Every write of that
// document requires its ETag. Each step may be repeated. A process that continues a move after
// a crash takes a later epoch, and stores it in both fences. A move writes to either side only
// in batches with the fence, which require that its epoch is the fence's. So a process that
// was stopped, and continues after another one has taken over, writes nothing, however late
// its requests arrive: neither an old version of a document, nor a document that was deleted
// meanwhile.
//
// The change feed of the logical partition gives the order. While a tenant moves, every write
// is in one batch with a new version of the fence, and closing the fence makes one more
// version. So all writes that took effect come before the closed fence in the feed.
package move
