// Package documents has what all APIs of Cosmos DB share: errors and their sentinels, the
// meter, fields and conditions, pages, bulk operations and their summaries. Code that handles
// an error or reads a summary works for all APIs. Table, MongoDB and Gremlin also get their
// collection and its queries from here; those of NoSQL are in package repository.
//
//	summary, err := events.CreateAll(documents.Items(list...)).Collect(ctx)
//	if errors.Is(err, documents.ErrAlreadyExists) {
//		log.Printf("%d were there already", summary.AlreadyExists)
//	}
//
// Generated code and the packages repository, table, mongo and gremlin import it.
package documents
