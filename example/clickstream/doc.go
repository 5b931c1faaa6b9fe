// Package clickstream keeps the clicks of a busy site, under a partition key
// with a random suffix: a day's writes spread over 400 logical partitions
// although nothing about a click is known when it is read again but its date.
package clickstream

//go:generate go run ../../cmd/pkgen
