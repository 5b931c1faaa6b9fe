// Package docs keeps the pages of sites, which are found by the words of their texts and by
// vectors of what the texts mean.
package docs

//go:generate go run ../../cmd/pkgen
