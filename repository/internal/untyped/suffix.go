package untyped

import (
	"errors"
	"reflect"
	"runtime"
	"sync"
	"weak"

	"github.com/cosmos-pkgen/pkgen/internal/chance"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
	"github.com/cosmos-pkgen/pkgen/repository/internal/write"
)

// chooseSuffix gives doc a random suffix if its type has one and doc has none. If
// the key is valid, it stores the suffix in doc's synthetic field, because a
// document must not change its logical partition between two attempts.
func (d *Documents) chooseSuffix(op string, doc any) error {
	if d.Types.Suffix(doc) != 0 {
		return nil
	}
	p, err := d.Types.Suffixed(doc, 1+chance.IntN(d.Types.Buckets))
	field := d.Types.Remembered(doc)
	switch {
	case field == nil:
		return &wire.OperationError{
			Op: op, Type: d.Store.Type, ID: p.ID,
			Err: errors.New("a nil pointer leads to the synthetic field, which must remember the random suffix: set the pointer first"),
		}
	case err != nil:
		return err
	}
	*field = p.Text
	return nil
}

// renewSuffix is chooseSuffix, but also replaces a suffix that belongs to another
// document. It keeps a suffix that was chosen for this document, so that a second
// attempt finds what the first has stored.
func (d *Documents) renewSuffix(op string, doc any, another func(doc any, remembered string) bool) error {
	if d.Types.Buckets == 0 || isNil(doc) {
		return nil
	}
	old := ""
	field := d.Types.Remembered(doc)
	if field != nil && *field != "" && another(doc, *field) {
		old, *field = *field, ""
	}
	err := d.chooseSuffix(op, doc)
	if err != nil && old != "" {
		*field = old
	}
	return err
}

// isOutdated reports whether the fields of doc give another text before the
// suffix than doc remembers.
func (d *Documents) isOutdated(doc any, remembered string) bool {
	p, err := d.Types.Place(doc)
	return err != nil || remembered != p.Text
}

// isReused reports whether the suffix that doc remembers certainly belongs to
// another document: the struct was stored under another id before, or its fields
// give another text before the suffix. Create then chooses a new suffix.
//
// A struct that was read, or copied from another, has no last use. Create leaves
// it in its bucket, since it may be the document there.
func (d *Documents) isReused(doc any, remembered string) bool {
	p, err := d.Types.Place(doc)
	if err != nil || remembered != p.Text {
		return true
	}
	last, known := lastUse(doc)
	return known && last.remembered == remembered && last.Identity != wire.Identity{ID: p.ID, Partition: p.Name}
}

// remember makes w the last use of doc.
func (d *Documents) remember(doc any, w write.Document) {
	if d.Types.Buckets > 0 {
		noteUse(doc, use{wire.Identity{ID: w.ID, Partition: w.Name}, w.Text})
	}
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

// addressOf returns the weak pointer that identifies doc. It points to the first
// byte, because with a pointer to the document this code would be compiled for
// each document type.
func addressOf(doc any) (weak.Pointer[byte], *byte) {
	first := (*byte)(reflect.ValueOf(doc).UnsafePointer())
	return weak.Make(first), first
}

// lastUse returns the document that doc was last stored as.
func lastUse(doc any) (use, bool) {
	p, _ := addressOf(doc)
	last, known := lastUses.Load(p)
	if !known {
		return use{}, false
	}
	return last.(use), true
}

// noteUse makes u the last use of doc.
func noteUse(doc any, u use) {
	p, first := addressOf(doc)
	if _, known := lastUses.Swap(p, u); !known {
		runtime.AddCleanup(first, func(p weak.Pointer[byte]) { lastUses.Delete(p) }, p)
	}
}
