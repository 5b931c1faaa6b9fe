// Package load runs the generator by the flags that choose packages, and prints what it
// finds: as text, as JSON, or for GitHub.
package load
