// Package watch shows what the repositories of a program do: it logs requests that were
// slow or dear, and serves a page about the last minutes.
//
//	recent := new(watch.Recent)
//	orders := NewOrderRepository(container,
//		repository.WithObserver(watch.Logger(slog.Default())),
//		repository.WithObserver(recent.Observe))
//	http.Handle("/debug/cosmos", recent) // for those who may see it
//
// Both are observers, see [repository.WithObserver], and send no requests. Several
// repositories may have the same one. Neither shows the id, the partition key or the
// tenant of a document unless it is asked to. Both show the names of containers: that
// of a container of one tenant has the tenant's name in it.
//
// Physical partitions, retries, throttled attempts, rows and status codes are known of
// clients made with [repository.Configure].
package watch
