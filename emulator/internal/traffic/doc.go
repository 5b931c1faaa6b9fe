// Package traffic counts the requests of the last minutes by physical partition and second,
// and by logical partition. It does not depend on HTTP or documents.
package traffic
