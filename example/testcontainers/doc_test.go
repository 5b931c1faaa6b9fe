// Package testcontainers_test tests a repository on the emulator in a container, by
// Testcontainers, as tests of programs do that start other services so, too. A test that needs
// nothing but Cosmos DB is faster with package emulator, in its own process.
package testcontainers_test
