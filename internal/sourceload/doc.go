// Package sourceload type-checks some declarations of a package without those
// that they do not need: of the packages that it imports, it reads those that
// the declarations reach, and checks of them what is reached, without the
// bodies of functions.
//
// It knows Go's syntax and what package packages lists, and nothing of tags. It
// does not guess: what could differ from what the compiler sees is an error, and
// the caller loads that package as a whole.
package sourceload
