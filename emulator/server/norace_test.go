//go:build !race

package server

// slower is how many times as long things may take on a busy machine.
const slower = 4
