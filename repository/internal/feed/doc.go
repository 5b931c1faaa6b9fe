// Package feed reads the change feeds of containers: by workers, one for each part of the
// key space, from positions that a program can store and resume.
package feed
