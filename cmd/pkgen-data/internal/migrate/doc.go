// Package migrate copies a container into another one, under another layout, while
// programs go on writing to the first.
//
// The copy is the change feed of latest versions, read from its beginning: it gives each
// document once, and then each that changes. There is no second stream that could race
// with it. What was deleted is not in that feed: where the account has the feed of all
// versions and deletions, that tells of it, and in any account a comparison at the end
// finds it.
//
// # What holds at any moment
//
// Each write to the destination is on a condition. A document of the first pass is
// created, which fails where there is one. Every other write is a step of [settle]: read
// the destination and its ETag, then read the source, then write on the ETag. So a write
// that takes effect has a version that was read after every version that was written
// before: the destination never goes back from a newer version to an older one,
// whatever number of processes work on the same document, stopped or not. Leases divide
// the work, and nothing depends on them.
//
// The ledger lists the places of documents before they are written there. The
// comparison removes documents that are listed, and no others.
//
// The position of each part of the key space is saved after all of its documents are in
// the destination. Whoever goes on after a crash repeats some pages, which changes
// nothing.
package migrate
