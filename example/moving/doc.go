// Package moving holds documents that move to another container, under a layout by which
// all events of a vehicle are found. It is the example of docs/migration.md.
package moving

//go:generate go run ../../cmd/pkgen
