// Package bench measures the generator: with benchmarks within a process, and with
// compare.sh, which compares the command with other generators.
package bench
