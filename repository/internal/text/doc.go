// Package text reads and writes the texts of requests: JSON, the SQL of Cosmos DB, and the
// order of values in ORDER BY.
//
// It does not depend on requests, azcosmos or document types, and imports no other package
// of this folder.
package text
