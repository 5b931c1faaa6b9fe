// Package folder keeps the databases of an emulator in a folder, in one file of
// go.etcd.io/bbolt.
//
// Writes are queued and stored in groups: while one group is synchronized with the disk, the
// next one gathers. A group is one transaction of the file, so a kill at any moment leaves a
// file with whole groups. The server responds to a request only after everything that the
// response may show is on disk.
//
// The file detects damage. Each record has a checksum of its table, key and value, and each
// table has the number of its records and the sum of their checksums. Making a server with a
// damaged file is an error; [Dump] saves the undamaged records.
package folder
