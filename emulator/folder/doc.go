// Package folder keeps the databases of an emulator in a folder, in one file of
// go.etcd.io/bbolt.
//
// Writes are queued and stored in groups: while one group is being synchronized with the
// disk, the next one gathers. A group is one transaction of the file, so that a kill at any
// moment leaves a file with whole groups. The server answers a request only after
// everything that the answer may show is on disk.
//
// The file notices damage. Each record has a checksum of its table, key and value, and each
// table has the number of its records and the sum of their checksums. A file with damage is
// an error when a server is made, and [Dump] saves what is whole.
package folder
