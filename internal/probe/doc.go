// Package probe checks pkgen's assumptions about the service that its documentation does not state,
// or only in an example.
//
// It sends the same REST requests as azcosmos, without the SDK, because the assumptions concern the
// service: queries scoped to a physical partition, effective partition keys, answers to failing
// requests, and changes of throughput. The tests check the emulator in every run, and an account if
// COSMOS_CONNECTION_STRING names one; pkgen-data doctor -probe checks the account of a user.
package probe
