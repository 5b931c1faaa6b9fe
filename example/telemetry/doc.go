// Package telemetry keeps the readings of devices, under a partition key that
// joins the device and the year: no device's logical partition grows for ever.
package telemetry

//go:generate go run ../../cmd/pkgen
