// Package migrate copies a container into another one, under another layout, while programs keep
// writing to the first.
//
// The copy follows the change feed of latest versions from its beginning, which has each document
// once, and again after each change. There is no second stream that could race with it. Deletions
// are not in that feed: the feed of all versions and deletions has them, if the account has that
// feed, and in any account a comparison at the end finds them.
//
// # Invariants
//
// Each write to the destination is conditional. A document of the first pass is created, which
// fails if one exists. Every other write is a step of [settle]: read the destination and its ETag,
// then read the source, then write with the ETag as the condition. So the version that a write
// stores was read after every version that was written before: the destination never goes back to
// an older version, however many processes work on the same document, suspended or not. Leases
// divide the work, and correctness does not depend on them.
//
// The ledger lists the places of documents before they are written there. The comparison removes
// documents that are listed, and no others.
//
// The position of each part of the key space is saved after all of its documents are in the
// destination. A run that resumes after a crash repeats some pages, which changes nothing.
package migrate
