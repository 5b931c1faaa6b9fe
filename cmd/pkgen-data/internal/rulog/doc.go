// Package rulog reads Azure's log of the request units of logical partitions: the table
// CDBPartitionKeyRUConsumption of Log Analytics, in several export formats. It finds hot keys and
// physical partitions, and estimates the effect of another layout.
//
// The log has keys, but no documents. Another layout can be judged if a logged key contains all
// that it needs, such as {date} from keys {date}.{vin%400}, or by the documents of a sample under
// the logged keys: see [Others].
//
// It reads its input, and sends nothing.
package rulog
