// Package traffic counts the requests of the last minutes by physical partition and
// second, and by logical partition. It knows neither HTTP nor documents.
package traffic
