// Package feed reads a container's change feed: workers, one for each part of the
// key space, and positions that a program can keep and go on from.
package feed
