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

// chooseSuffix gives doc a random suffix if its type has one and doc has none. If
// the key is valid, it stores the suffix in doc's synthetic field, because a
// document must not change its logical partition between two attempts.
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
			Err: errors.New("a nil pointer leads to the synthetic field, which must remember the random suffix: set the pointer first"),
		}
	}
	*suffix = 1 + rand.IntN(random.Buckets)
	if err := key.Validate(); err != nil {
		return err
	}
	*field = place(d, key).Text
	return nil
}

// renewSuffix is chooseSuffix, but also replaces a suffix that belongs to another
// document. It keeps a suffix that was chosen for this document, so that a second
// attempt finds what the first has stored.
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

// isOutdated reports whether the fields of doc give another text before the
// suffix than doc remembers.
func isOutdated[T any, K generated.Key](d *Documents[T, K], doc *T, remembered string) bool {
	return remembered != place(d, d.model.Key(doc)).Text
}

// isUsedAgain reports whether the suffix that doc remembers certainly belongs to
// another document: the struct was stored under another id before, or its fields
// give another text before the suffix. Create then chooses a new suffix.
//
// A struct that was read, or copied from another, has no last use. Create leaves
// it in its bucket, since it may be the document there.
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

// use is the document that a struct was stored as, and the key that the struct
// remembered.
type use struct {
	wire.Identity
	remembered string
}

// lastUses has the last use of each struct of a type with a random suffix, by a
// weak pointer to it, as long as it lives. Create needs to know for which
// document a suffix was chosen: a second attempt must keep the suffix, and
// another document must get a new one. The struct has no field for that.
var lastUses sync.Map

// remember makes w the last use of doc.
func remember[T any, K generated.Key](d *Documents[T, K], doc *T, w write.Document) {
	if d.model.Random == nil {
		return
	}
	p := weak.Make(doc)
	if _, known := lastUses.Swap(p, use{wire.Identity{ID: w.ID, Partition: w.Name}, w.Text}); !known {
		runtime.AddCleanup(doc, func(p weak.Pointer[T]) { lastUses.Delete(p) }, p)
	}
}
