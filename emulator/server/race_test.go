//go:build race

package server

// slower is how many times as long things may take on a busy machine, under the race detector.
const slower = 20
