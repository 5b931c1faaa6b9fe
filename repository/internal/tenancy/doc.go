// Package tenancy is where tenants live: the shared container of a type, or one of their
// own. It has the documents of the directory, of a fence and of tombstones, a cache of
// the directory, and the rule by which requests of a tenant are sent while it may move.
//
// # What a tenant's documents are promised
//
// A write that was acknowledged is at the place where the tenant lives from then on, and a
// read finds what was acknowledged before the read began. This holds while the tenant
// moves, with any number of processes whose memory of the directory is out of date, and
// with processes that stop for any time and then go on.
//
// # Places
//
// The directory has one place for each tenant, and counts the changes of its document
// (Version) and of the place (Switches). A process that looks a tenant up at the time b
// acts on the answer until b + TTL (Until), and by nothing older. What it has sent before
// counts if its answer comes before Until + Grace. The times are those of the directory,
// so that all processes have the same. A process looks at two clocks: the monotonic one,
// and the one of the wall, which goes on while a machine sleeps.
//
// A move changes the directory, and then waits for TTL + Grace + Lag after the change was
// acknowledged. A lookup that did not see the change began before it, or Lag after it at
// most. So once the move has waited, no request counts any more that was sent by what the
// directory said before.
//
// # Writes
//
// Settled: the write is sent as it is. If its answer comes before Until + Grace, it counts,
// and took effect before the move had waited for its first mark, "moving". The move reads
// the change feed of the old place from its beginning after that, so that it finds what was
// stored, and does not find what was deleted. If the answer comes later, the write counts
// if the directory has the same Version still, looked up Lag after the answer. Otherwise
// its outcome is unclear: nobody was told that it was stored.
//
// Moving, where the tenant is the whole partition key: the write is a batch that also
// writes the fence, a document of the same logical partition, on condition that it is open,
// and a tombstone for each document that it deletes. All of it takes effect or none. The
// move closes the fence, so that a batch that took effect did so before, and is in the
// change feed before the fence's last version. The move copies the feed up to there. So the
// batch counts whenever its answer comes. If the fence is closed or gone, nothing was
// written: the writer looks the tenant up and begins anew. This is so too for a batch that
// a process sends much later. A fence is open only where the tenant lives and a move follows
// the feed, so that a batch which meets the open fence of a later move is in the right
// place.
//
// Moving, where the tenant is the first of several levels: the write is sent as it is, and
// counts as in a settled place. The move closes the place in the directory, waits, and then
// copies what is left.
//
// Closed: nothing is sent. The writer looks the tenant up again and again.
//
// A failure that tells what is stored, such as that of a document that is not found, counts
// like an answer to a read: a writer that may have been at an old place looks the tenant
// up, and begins anew if it has moved.
//
// # Reads
//
// A read may be sent where the tenant lived at some time after the read began: all that
// was acknowledged before is there. Settled in the memory of a process says this until
// Until, because a move waits between its mark "moving" and the switch. Moving and closed
// do not say it: such a read looks the tenant up when it begins. Readers at one time share
// the lookup.
//
// The old documents are removed when the move has waited after the switch. So an answer is
// complete that comes before Until + Grace of a lookup that still saw the old place. A
// query of many pages looks up again when Until has come. If the tenant has moved, the
// query goes on where it is until Until + Grace, and then ends with ErrMoved, or begins
// anew if it has given nothing yet. It gives each document once: one that is changed at the
// new place meanwhile may come as it was when the query began.
//
// # Several regions
//
// All reads go to the write region. A forced failover loses the last writes of each physical
// partition by itself, so that a move takes a step only when all regions have what the step
// relies on: package move has the list. A tenant is closed at the destination until all regions
// have the switch. So the directory never goes back to the old place after the tenant was
// written at the destination.
//
// # What is assumed
//
// A lookup sees each change of the directory that was acknowledged Lag before it began.
// The clocks of a process go at the speed of time, or one of them does. The documents of a
// tenant are written by this package and by moves alone, and documents of the directory are
// not removed. A user's own Directory whose answers have no end never changes.
package tenancy
