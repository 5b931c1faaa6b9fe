// Package analyze makes the figures of a sample of documents under layouts: how many
// logical partitions there are and how large, how they spread over physical partitions,
// what write rate a layout sustains, and what is wrong with it.
//
// It needs bounded memory for any number of documents: counts are exact up to a bound,
// and sketches with a stated error beyond it. The figures depend on the documents alone,
// and are the same on every machine.
//
// It reads no files, sends no requests, and draws nothing.
package analyze
