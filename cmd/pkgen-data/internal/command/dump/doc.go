// Package dump is pkgen-data dump: it writes the documents of a container to a file.
package dump
