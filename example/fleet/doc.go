// Package fleet keeps the signals of a fleet of vehicles, under a partition key
// whose suffix is computed from the VIN: a day's writes spread over 400 logical
// partitions, and one vehicle's day is still in one of them.
package fleet

//go:generate go run ../../cmd/pkgen
