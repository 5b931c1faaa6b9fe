// Package documents has what programs see of documents in every API of Cosmos DB: the
// errors and their sentinels, the meter, pages, bulk operations and their summaries, and
// for Table, MongoDB and Gremlin also the collection, its queries, fields and conditions.
// The run times have these types under the same names, so that code which handles an error
// or reads a summary serves all APIs.
//
//	summary, err := events.CreateAll(documents.Items(list...)).Collect(ctx)
//	if errors.Is(err, documents.ErrAlreadyExists) {
//		log.Printf("%d were there already", summary.AlreadyExists)
//	}
//
// Generated code and the packages repository, table, mongo and gremlin import it.
package documents
