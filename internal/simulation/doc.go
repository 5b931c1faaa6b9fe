// Package simulation tests pkgen as a whole: programs read and write the documents of a generated
// type through an account in this process, in virtual time. A seed decides their operations, the
// order of their requests, and which of them fail. A model decides what each operation may return.
package simulation
