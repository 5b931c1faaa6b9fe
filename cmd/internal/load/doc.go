// Package load runs the generator with the flags that select packages, and prints its findings: as
// text, as JSON, or for GitHub.
package load
