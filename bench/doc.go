// Package bench measures the generator: by benchmarks within a process, and by
// compare.sh as a command beside other generators.
package bench
