// Package reads computes the cost of a program's calls under a layout: request units, requests, and
// the number of physical partitions that a call touches.
//
// Calls come from a small file, see [Parse]: methods and how often they are called per second. The
// properties that a method knows follow from its name, such as ByDateAndVIN, or are in the file.
// Under another layout the same call may read one logical partition or all of them.
//
// # The model
//
// A point read costs 1 RU for 1 KB and 10 RU for 100 KB, a write 5 times as much
// (https://learn.microsoft.com/azure/cosmos-db/request-units,
// https://learn.microsoft.com/azure/cosmos-db/optimize-cost-reads-writes). A query costs 2.5 RU for
// each request, from the range of 2.3 to 2.8 RU, and 0.55 RU for each KB that it returns, as in the
// example of https://learn.microsoft.com/azure/cosmos-db/nosql/query-metrics: 604.42 RU for 2,000
// documents of 1,125,600 bytes. It sends one request to each physical partition with some of its
// logical partitions, and one more for each 4 MB. Indexing, filters on other properties and
// consistency levels are not modelled. A scan with an unknown number of documents costs only its
// requests.
//
// A global secondary index costs the same as a container: each write of a document costs a write of
// the index, and a call that reads the index is a query there.
//
// k logical partitions are expected on P(1-(1-1/P)^k) of P physical partitions.
package reads
