// Package load is pkgen-data load: the documents of a file into a container.
package load
