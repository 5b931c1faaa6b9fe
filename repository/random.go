package repository

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"weak"

	"github.com/cosmos-pkgen/pkgen/repository/generated"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// chooseSuffix gives doc a random suffix if its type has one and doc has none.
// It keeps the suffix in doc's synthetic field, once the key is known to be
// sound: a document must not change its logical partition between two attempts.
func chooseSuffix[T any, K generated.Key](d *Documents[T, K], op string, doc *T) error {
	random := d.model.Random
	if random == nil || doc == nil {
		return nil
	}
	key := d.model.Key(doc)
	suffix := random.Suffix(&key)
	if *suffix != 0 {
		return nil
	}
	field := remembered(d, doc)
	if field == nil {
		return &wire.OperationError{
			Op: op, Type: d.store.Type, ID: d.model.ID(key),
			Err: errors.New("a nil pointer stands before the synthetic field, which must remember the random suffix: set it first"),
		}
	}
	*suffix = 1 + rand.IntN(random.Buckets)
	if err := key.Validate(); err != nil {
		return err
	}
	*field = place(d, key).Text
	return nil
}

// renewSuffix is chooseSuffix also for a doc that has a suffix, if that belongs to
// another document. It leaves alone what it has chosen itself for this one, so that
// a second attempt meets what the first has stored.
func renewSuffix[T any, K generated.Key](d *Documents[T, K], op string, doc *T, another func(d *Documents[T, K], doc *T, remembered string) bool) error {
	if d.model.Random == nil || doc == nil {
		return nil
	}
	old := ""
	field := remembered(d, doc)
	if field != nil && *field != "" && another(d, doc, *field) {
		old, *field = *field, ""
	}
	err := chooseSuffix(d, op, doc)
	if err != nil && old != "" {
		*field = old
	}
	return err
}

// isOutdated reports whether doc remembers a key with another text before the
// suffix than its fields give.
func isOutdated[T any, K generated.Key](d *Documents[T, K], doc *T, remembered string) bool {
	return remembered != place(d, d.model.Key(doc)).Text
}

// isUsedAgain reports whether the suffix that doc remembers is for certain that of
// another document, so that Create chooses a new one: doc is a struct that was
// stored under another id before, or its fields give another text before the
// suffix.
//
// A struct that was read, or copied from another one, is not known here. Create
// leaves it in its bucket, since it may be the document there.
func isUsedAgain[T any, K generated.Key](d *Documents[T, K], doc *T, remembered string) bool {
	if isOutdated(d, doc, remembered) {
		return true
	}
	last, known := lastUses.Load(weak.Make(doc))
	if !known {
		return false
	}
	use, p := last.(use), place(d, d.model.Key(doc))
	return use.remembered == remembered && use.Identity != wire.Identity{ID: p.ID, Partition: p.Name}
}

// use is a document that a struct was to be stored as, and what it remembered.
type use struct {
	wire.Identity
	remembered string
}

// lastUses has the last use of each struct of a type with a random suffix, by its
// weak pointer and as long as it lives. The struct itself cannot remember for which
// document its suffix was chosen, and without that, neither could Create: a second
// attempt has to keep the suffix, and another document has to get a new one.
var lastUses sync.Map

// remember notes that doc is to be stored as w.
func remember[T any, K generated.Key](d *Documents[T, K], doc *T, w write.Document) {
	if d.model.Random == nil {
		return
	}
	p := weak.Make(doc)
	if _, known := lastUses.Swap(p, use{wire.Identity{ID: w.ID, Partition: w.Name}, w.Text}); !known {
		runtime.AddCleanup(doc, func(p weak.Pointer[T]) { lastUses.Delete(p) }, p)
	}
}
