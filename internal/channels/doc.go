// Package channels tests the ways to get and to use pkgen that are not Go: the action of
// GitHub, the hooks of pre-commit, the container of the emulator, and the schemas of JSON
// files. It has nothing but tests.
package channels

//go:generate go run ./schemas ../..
