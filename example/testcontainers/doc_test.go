// Package testcontainers_test runs a repository on the emulator in a container, by
// Testcontainers. It is for programs whose tests start other services in the same way. A test that
// needs nothing but Cosmos DB is faster with package emulator, in its own process.
package testcontainers_test
