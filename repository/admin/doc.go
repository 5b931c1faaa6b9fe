// Package admin is for operators of containers, not for request handlers. It creates containers
// and compares them with their types, sets throughput, makes containers for periods of time,
// and runs passes over all documents of a type: [Rekey] after its number of buckets has grown,
// [Upgrade] after its form has changed, and [MoveAll] to another container.
//
//	container, err := EnsureVehicleEventContainer(ctx, db, admin.Autoscale(4000))
//	…
//	done, err := admin.Rekey(ctx, events.Documents, admin.Run{Budget: 500})
package admin
