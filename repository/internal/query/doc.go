// Package query plans and runs queries: jobs for physical partitions, their pages, merges
// of ordered streams, aggregates, pages with cursors, and reads of many documents. It
// returns each document once, even while physical partitions are split and merged, or an
// error.
package query
