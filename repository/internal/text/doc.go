// Package text reads and writes the texts that a request is made of: JSON, the SQL of
// Cosmos DB, and the order in which it sorts values.
//
// The package knows nothing of requests, of azcosmos, or of document types, and
// imports none of the other packages here.
package text
