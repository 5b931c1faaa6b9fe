// Package simulate runs the operations of a scenario against simulated physical partitions, under
// several layouts, in virtual time.
//
//	scenario, err := simulate.Read("rush-hour.json")
//	report, err := scenario.Run(ctx, 1)
//
// # The model
//
// A request takes the latency of the scenario: half of it to its physical partition and half of it
// back. A physical partition answers at once: it is never slow, but refuses requests. In every
// second it has an equal share of the container's throughput ([charge.Budget]). When that is spent,
// it answers with 429 and the milliseconds until it has request units again, as the emulator does.
// The client waits for that time and repeats the request, as often as azcosmos does under
// repository.Configure. Charges follow package charge.
//
// The seed draws the order of requests that arrive at the same time: as in the service, requests
// that wait for the beginning of a second are not served by age.
//
// An index of the scenario has its own physical partitions and budgets. Each write of the container
// is a change of each index. A physical partition of an index applies its changes in order, while
// it has request units, and the container does not wait for it. Queries by the key of the index,
// but not of the container, go to the index, and spend the same budget.
//
// # Reproducibility
//
// Time is a number of nanoseconds, and no clock is read. Random numbers come from PCG, by a seed.
// Every layout gets the same operations on the same documents. Floating-point sums have a fixed
// order, and use only operations that IEEE 754 rounds alike on every machine: no logarithms, no
// powers, and no products that a compiler may fuse with a sum.
//
// # Limits
//
// The model has no queues within a physical partition, no burst capacity, no autoscale, no splits,
// and no limits of a client's own, such as connections. The package draws nothing.
package simulate
