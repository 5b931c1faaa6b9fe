// Package analyze is pkgen-data analyze, calls, rulog and usage: what layouts do with a
// sample of documents, by what programs and the service have measured.
package analyze
