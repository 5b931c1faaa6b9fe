// Package apis has the names of the APIs and of their containers.
package apis
