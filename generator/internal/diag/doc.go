// Package diag collects what is found in the source: the findings of a run, and
// those of one document, with the notes that its tags acknowledge.
//
// It knows positions, and nothing of what findings are about.
package diag
