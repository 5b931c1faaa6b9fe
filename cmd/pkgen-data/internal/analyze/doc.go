// Package analyze computes the figures of a sample of documents under layouts: the number and size
// of logical partitions, their spread over physical partitions, the write rate that a layout
// sustains, and its faults.
//
// Its memory is bounded for any number of documents: counts are exact up to a bound, and sketches
// with a stated error beyond it. The figures depend only on the documents, and are the same on
// every machine.
//
// It reads no files, sends no requests, and draws nothing.
package analyze
