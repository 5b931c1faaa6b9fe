// Package simulation has tests that run pkgen as a whole: programs read and write the
// documents of a generated type through an account in this process, in virtual time. A seed
// decides what they do, in which order their requests act, and which of them fail. One model
// says what each operation may return.
package simulation
