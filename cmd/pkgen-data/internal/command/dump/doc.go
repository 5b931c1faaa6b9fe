// Package dump is pkgen-data dump: the documents of a container as a file.
package dump
