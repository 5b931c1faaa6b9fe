// Package sales keeps the orders of tenants, under a hierarchical partition key of
// tenant and customer: a tenant may have more than the 20 GB of a logical partition,
// and a query of one tenant still asks few physical partitions.
package sales

//go:generate go run ../../cmd/pkgen
