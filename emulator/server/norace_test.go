//go:build !race

package server

// slower is how many times as long things may take under the race detector.
const slower = 1
