// Package rulog reads Azure's log of the request units that logical partitions used: the
// table CDBPartitionKeyRUConsumption of Log Analytics, and what other ways of export
// make of it. It finds the keys and the physical partitions that are hot, and says what
// another layout would have done.
//
// The log has keys, and no documents. Another layout can be judged where a logged key
// holds all that it needs, such as {date} of keys {date}.{vin%400}, or by documents of a
// sample, which are under the logged keys: see [Others].
//
// It reads what it is given, and sends nothing.
package rulog
