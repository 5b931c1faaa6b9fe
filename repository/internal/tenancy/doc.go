// Package tenancy finds the container of a tenant: the shared container of a type, or the
// tenant's own. It has the documents of the directory, fences and tombstones, a cache of the
// directory, and the rules for requests of a tenant that may move at the same time.
//
// # Guarantees
//
// An acknowledged write is from then on in the container where the tenant lives. A read finds
// every write that was acknowledged before the read began. This also holds while the tenant
// moves, with any number of processes whose copies of the directory are out of date, and with
// processes that stop for any time and then continue.
//
// # Places
//
// The directory has one place for each tenant, and counts the changes of its document
// (Version) and of the place (Switches). A process that looks a tenant up at time b uses the
// answer until b + TTL (Until), and uses nothing older. A request that it sent before Until
// counts if its answer arrives before Until + Grace. The times are part of the directory, so
// that all processes use the same ones. A process compares two clocks: the monotonic one, and
// the wall clock, which continues while a machine sleeps.
//
// A move changes the directory, and then waits for TTL + Grace + Lag after the change was
// acknowledged. A lookup that missed the change began at most Lag after it. So after the wait,
// requests that were sent by the directory's earlier answer no longer count.
//
// # Writes
//
// Settled: the write is sent without a fence. If its answer arrives before Until + Grace, the
// write counts, and it took effect before the end of the move's wait for its first mark,
// "moving". After that wait the move reads the change feed of the old place from the
// beginning, so it finds what was stored, and does not find what was deleted. If the answer
// arrives later, the writer looks the tenant up Lag after the answer. The write counts if the
// directory still has the same Version. Otherwise its outcome is unclear, and it is not
// acknowledged.
//
// Moving, if the tenant is the whole partition key: the write is a batch that also writes the
// fence, a document of the same logical partition, on condition that it is open, and a
// tombstone for each deleted document. All of the batch takes effect, or none. The move closes
// the fence, so a batch that took effect did so before, and precedes the fence's last version
// in the change feed. The move copies the feed up to that version. So the batch counts
// whenever its answer arrives. If the fence is closed or missing, nothing was written: the
// writer looks the tenant up and starts again. This also holds for a batch that a process
// sends much later. A fence is open only where the tenant lives and a move follows the feed,
// so a batch that finds the open fence of a later move is in the right place.
//
// Moving, if the tenant is the first of several levels: the write is sent without a fence, and
// counts as in a settled place. The move closes the place in the directory, waits, and then
// copies the rest.
//
// Closed: nothing is sent. The writer looks the tenant up repeatedly.
//
// A failure that depends on stored documents, such as a document that is not found, counts
// like the answer to a read: a writer that may have been at an old place looks the tenant up,
// and starts again if it has moved.
//
// # Reads
//
// A read may be sent to a place where the tenant lived at some time after the read began: all
// earlier acknowledged writes are there. If a process remembers the state "settled", the place
// is valid until Until, because a move waits between its mark "moving" and the switch. With
// the states "moving" and "closed" it is not: the read looks the tenant up when it begins.
// Concurrent readers share the lookup.
//
// A move waits after the switch, and then removes the old documents. So an answer from the old
// place is complete if it arrives before Until + Grace of a lookup that still named the old
// place. A query with many pages looks the tenant up again at Until. If the tenant has moved,
// the query continues at the old place until Until + Grace. Then it ends with ErrMoved, or
// starts again if it has returned nothing yet. It returns each document once. A document that
// is changed at the new place meanwhile may come in the version from the beginning of the
// query.
//
// # Several regions
//
// All reads go to the write region. A forced failover loses the last writes of each physical
// partition separately, so a move takes a step only when all regions have everything that the
// step relies on: package move has the list. At the destination a tenant is closed until all
// regions have the switch. So the directory never goes back to the old place after a write at
// the destination.
//
// # Assumptions
//
// A lookup sees each change of the directory that was acknowledged at least Lag before it
// began. At least one of the two clocks of a process runs at the right speed. Only this
// package and moves write the documents of a tenant, and documents of the directory are not
// removed. If the answers of a user's own Directory have no end, they never change.
package tenancy
