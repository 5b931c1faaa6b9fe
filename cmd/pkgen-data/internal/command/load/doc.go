// Package load is pkgen-data load: it loads the documents of a file into a container.
package load
