// Package shop keeps the orders of tenants, under a hierarchical partition key of
// tenant and customer: a tenant of any size spreads over physical partitions, and a
// query of one tenant still asks few of them.
package shop

//go:generate go run ../../cmd/pkgen
