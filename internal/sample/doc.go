// Package sample reads documents from files and pipes: NDJSON or a JSON array, plain or compressed
// by gzip or Zstandard. It detects the format by the first bytes.
//
// It finds the bounds of each document, in bounded memory for input of any length. It does not
// check that a document is JSON or an object: package layout does. A broken line affects no other
// line.
package sample
