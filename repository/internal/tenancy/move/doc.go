// Package move moves a tenant from one container to another while it is read and written.
// As a rule the tenant is the whole partition key, so that its documents are one logical
// partition on either side, which has a fence: see package tenancy. What follows is about
// such tenants; levels.go says what holds where the tenant is the first of several levels.
//
// The steps of a move are in the directory's document of the tenant, whose ETag all of its
// writes are conditional on. Each step may be done again. Whoever goes on after a crash
// takes a later epoch, and puts it into both fences. All that a move writes to either
// side is in batches with the fence, under the condition that its epoch is the fence's. So
// a process that was stopped, and goes on when another one has taken over, writes nothing,
// however late its requests arrive: neither an old version of a document, nor one that was
// deleted meanwhile.
//
// Order comes from the change feed of the logical partition. Every write of a tenant that
// moves is in one batch with a new version of the fence, and closing the fence makes one
// more. So all writes that took effect come before the closed fence in the feed.
package move
