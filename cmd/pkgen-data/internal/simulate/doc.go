// Package simulate runs the operations of a scenario against physical partitions that
// exist in its arithmetic only, under several layouts, in virtual time.
//
//	scenario, err := simulate.Read("rush-hour.json")
//	report, err := scenario.Run(ctx, 1)
//
// # What is modelled
//
// A request takes the latency of the scenario: half of it to its physical partition and
// half of it back. The physical partition answers at once: it is never slow, and refuses
// requests instead. In every second it has an equal share of the container's throughput
// ([charge.Budget]). When that is spent, it answers with 429 and the milliseconds until
// it has request units again, as the emulator does. The client waits for as long, and
// sends the request again, as often as azcosmos does under repository.Configure. What
// charges are is the model of package charge.
//
// Requests that arrive at one instant do so in an order that the seed draws: those that
// have waited for the beginning of a second are not served by age, in the service neither.
//
// An index of the scenario has physical partitions and budgets of its own. Each write that the
// container has done is a change of each index. A physical partition of an index applies its
// changes in their order, while it has request units, and the container does not wait for it.
// Queries whose key the index has, and the container has not, go to the index, and spend the
// same budget.
//
// # Why the figures are the same everywhere
//
// Time is a number of nanoseconds, and no clock is read. Random numbers come from PCG,
// by a seed. Every layout gets the same operations on the same documents. What the
// package computes in floating point, it adds in one order, and with operations that
// IEEE 754 rounds alike on every machine: no logarithms, no powers, and no products that
// a compiler may fuse with a sum.
//
// # What it does not know
//
// It knows no queues within a physical partition, no burst capacity, no autoscale, no
// splits, and no limits of a client's own, such as connections. It draws
// nothing.
package simulate
