// Package watch shows the activity of a program's repositories: it logs slow or expensive
// requests, and serves a page about the last minutes.
//
//	recent := new(watch.Recent)
//	orders := NewOrderRepository(container,
//		repository.WithObserver(watch.Logger(slog.Default())),
//		repository.WithObserver(recent.Observe))
//	http.Handle("/debug/cosmos", recent) // restrict access to this path
//
// Both are observers, see [repository.WithObserver], and send no requests. Several repositories
// may share one. By default, neither shows the id, the partition key or the tenant of a
// document. Both show the names of containers: that of a tenant's own container contains the
// tenant's name.
//
// Physical partitions, retries, throttled attempts, rows and status codes are known only with
// clients made with [repository.Configure].
package watch
