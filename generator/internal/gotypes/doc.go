// Package gotypes writes Go types as generated code does, and says which types it
// cannot write.
//
// It does not know documents: it takes a type, and the package of the file that
// writes it.
package gotypes
