package api

import (
	"runtime"
	"sync"
	"weak"
)

// use is the id and the stored key that a struct had at a call of Create.
type use struct{ id, stored string }

// lastUses maps weak pointers to structs of types with a random suffix to their last use, while the
// struct lives. Create must know the document for which a suffix was chosen: a second attempt keeps
// the suffix, and another document gets a new one. The struct has no field for that.
var lastUses sync.Map

// noteUse records the last use of doc.
func noteUse[T any](doc *T, u use) {
	p := weak.Make(doc)
	if _, known := lastUses.Swap(p, u); !known {
		runtime.AddCleanup(doc, func(p weak.Pointer[T]) { lastUses.Delete(p) }, p)
	}
}

// isReused reports whether the stored suffix of doc was chosen for another document: the struct was
// passed to Create with another id before. A struct that was read or copied has no last use, and
// keeps its suffix, since it may be the stored document.
func isReused[T any](doc *T, id, stored string) bool {
	last, known := lastUses.Load(weak.Make(doc))
	return known && last.(use).stored == stored && last.(use).id != id
}
