// Package provision creates containers, compares them with the wanted properties, and
// removes differences if that is safe.
package provision
