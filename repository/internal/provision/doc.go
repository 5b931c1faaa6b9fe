// Package provision creates containers, compares them with what is wanted, and
// removes differences where that is safe.
package provision
