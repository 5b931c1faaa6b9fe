// Package admin has what operators of containers need, and request handlers do not: creating
// containers and comparing them with their types, throughput, containers for periods of time,
// and passes over all documents of a type: [Rekey] after its number of buckets has grown,
// [Upgrade] after its form has changed, and [MoveAll] to another container.
//
//	container, err := EnsureVehicleEventContainer(ctx, db, admin.Autoscale(4000))
//	…
//	done, err := admin.Rekey(ctx, events.Documents, admin.Run{Budget: 500})
package admin
