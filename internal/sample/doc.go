// Package sample reads documents from files and pipes: NDJSON, a JSON array, and gzip
// or Zstandard of either, which it tells apart by the first bytes.
//
// It finds where each document begins and ends, in bounded memory for input of any
// length. It does not check that a document is JSON, nor that it is an object: package
// layout does. A line that is broken costs that line alone.
package sample
