// Package query plans queries and runs them: jobs for physical partitions, their
// pages, the merge of ordered streams, aggregates, pages with cursors, and reads of
// many documents. It returns each document once, also while physical partitions are
// split and merged, or an error.
package query
