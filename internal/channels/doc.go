// Package channels tests the ways to use pkgen other than Go: the GitHub action, the pre-commit
// hooks, the container of the emulator, and the JSON schemas. It has only tests.
package channels

//go:generate go run ./schemas ../..
