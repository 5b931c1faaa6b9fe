package write

import (
	"slices"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// repeatable reports whether the transaction can be sent again when it may have
// taken effect: twice is the same as once, or an operation fails the second time,
// and the others with it.
func (tx *Transaction) repeatable() bool {
	if !slices.ContainsFunc(tx.Operations, func(i Operation) bool { return i.Once }) {
		return true
	}
	for _, w := range tx.writes() {
		if w.failsAgain() {
			return true
		}
	}
	return false
}

// proven reports whether the stored documents show that the transaction has taken
// effect, if they are equal to those that it writes. A document that it creates shows
// it. A document that it replaces or patches on condition does not: another program
// may have made the same of it.
func (tx *Transaction) proven() bool {
	for _, w := range tx.writes() {
		if w.creates() {
			return true
		}
	}
	return !slices.ContainsFunc(tx.Operations, func(i Operation) bool {
		return i.Op == wire.OpPatch || i.Unchanged != "" && i.Op != wire.OpDelete
	})
}

// patches reports whether the transaction has a patch, of which the document that
// it leaves does not tell whether it took effect.
func (tx *Transaction) patches() bool {
	return slices.ContainsFunc(tx.Operations, func(i Operation) bool { return i.Op == wire.OpPatch })
}

// writes are the first and the last write of a transaction to one document.
type writes struct{ first, last *Operation }

// writes returns those to each document, by its id.
func (tx *Transaction) writes() map[string]writes {
	all := map[string]writes{}
	for i := range tx.Operations {
		item := &tx.Operations[i]
		if item.Op == wire.OpGet {
			continue
		}
		w := all[item.ID]
		if w.first == nil {
			w.first = item
		}
		w.last = item
		all[item.ID] = w
	}
	return all
}

// creates reports whether a document is there that was not there before.
func (w writes) creates() bool { return w.first.Op == wire.OpCreate && w.last.Op != wire.OpDelete }

// failsAgain reports whether the first write fails where both have taken effect:
// it creates a document that exists then, deletes one that is gone or marked, or has a condition that has
// become false. An ETag that is read before each attempt is no such condition.
func (w writes) failsAgain() bool {
	return w.creates() || w.last.Marks || w.first.Op == wire.OpDelete && w.last.Op == wire.OpDelete ||
		w.first.Unchanged != "" && w.first.Unchanged != azcore.ETagAny
}
