package api

import (
	"runtime"
	"sync"
	"weak"
)

// use is the document that a struct was given to Create as: its id, and the key that it
// remembered then.
type use struct{ id, stored string }

// lastUses has the last use of each struct of a type with a random suffix, by a weak pointer
// to it, as long as it lives. Create needs to know for which document a suffix was chosen: a
// second attempt must keep the suffix, and another document must get a new one. The struct
// has no field for that.
var lastUses sync.Map

// noteUse makes u the last use of doc.
func noteUse[T any](doc *T, u use) {
	p := weak.Make(doc)
	if _, known := lastUses.Swap(p, u); !known {
		runtime.AddCleanup(doc, func(p weak.Pointer[T]) { lastUses.Delete(p) }, p)
	}
}

// isReused reports whether the suffix that doc remembers belongs to another document: the
// struct was given to Create under another id before. A struct that was read, or copied from
// another, has no last use, and keeps its suffix: it may be the document there.
func isReused[T any](doc *T, id, stored string) bool {
	last, known := lastUses.Load(weak.Make(doc))
	return known && last.(use).stored == stored && last.(use).id != id
}
