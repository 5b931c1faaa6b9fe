// Package analyze is pkgen-data analyze, calls, rulog and usage: it applies layouts to a sample of
// documents, with measurements by programs and the service.
package analyze
