// Package marks defines the property of stored documents that move or have moved: to the key of
// more buckets ([repository.Documents.Rekey]), or to another container ([repository.Migration]). It
// decides, in Go and in SQL, which stored items are documents, and all code that reads a container
// uses it. docs/architecture.md describes both protocols. Stored data depends on the names in this
// package: they never change.
package marks

import (
	"encoding/json"
	"fmt"
)

// Property is the property of marks. pkgen refuses a type with a property of this name whose
// documents move.
const Property = "_move"

// States of stored items. Both moves have the states "moved" and "copy", with different meanings:
// see [Mark.Crosses].
const (
	Unmarked = ""        // a document that has not moved
	Moved    = "moved"   // in Rekey: not the document, which is at another key, or was deleted; in a migration: the document, which is about to move
	Removed  = "removed" // in Rekey: not the document, which was deleted after it had moved
	Copied   = "copy"    // in Rekey: the document, if a "moved" with this token exists; in a migration: not the document yet
	Final    = "final"   // in Rekey: the document
	Gone     = "gone"    // in Rekey: not the document, which is about to be deleted
	Draft    = "draft"   // in a migration: not the document, whose creation is not complete
)

// Mark is the value of the property.
type Mark struct {
	State string `json:"state"`
	Token string `json:"token,omitempty"` // identifies the attempt to move the document
	From  string `json:"from,omitempty"`  // in a copy of Rekey: the ETag of the copied document
	At    int64  `json:"at,omitempty"`    // in Rekey: when the document was moved here, in Unix seconds
}

// Lengths of the tokens of the two moves, which distinguish their marks.
const (
	RekeyToken     = 12 // letters
	MigrationToken = 26
)

// Parse returns the mark in the value of the property; the zero Mark for no value.
func Parse(value []byte) (m Mark, err error) {
	if len(value) == 0 {
		return m, nil
	}
	if err := json.Unmarshal(value, &m); err != nil {
		return Mark{}, fmt.Errorf("its property %s is not as pkgen writes it: %w", Property, err)
	}
	return m, nil
}

// Crosses reports whether the document moves to another container.
func (m Mark) Crosses() bool { return m.State == Draft || len(m.Token) == MigrationToken }

// Leaving reports whether m marks a document that is about to move to another container. The item
// is the document until its copy there is.
func (m Mark) Leaving() bool { return m.State == Moved && m.Crosses() }

// Uncertain reports whether another mark decides: the item is the document if a "moved" with the
// same token and the same id exists at another key.
func (m Mark) Uncertain() bool { return m.State == Copied && !m.Crosses() }

// Hidden reports whether the item is not a document, but left by a move or an incomplete creation.
// An [Mark.Uncertain] item is hidden.
func (m Mark) Hidden() bool { return m.State != Unmarked && m.State != Final && !m.Leaving() }

// Conditions on c, in parentheses. Only Documents and Shown may be negated: without a mark the
// others are undefined, and so are their negations.
const (
	// Documents holds for documents that are not moving.
	Documents = `(NOT IS_DEFINED(` + state + `) OR ` + state + ` = "` + Final + `")`
	// Leaving holds for documents that are about to move to another container.
	Leaving = `(` + state + ` = "` + Moved + `" AND ` + crosses + `)`
	// Shown holds for all documents except uncertain ones.
	Shown = `(` + Documents + ` OR ` + Leaving + `)`
	// Uncertain holds for uncertain items.
	Uncertain = `(` + state + ` = "` + Copied + `" AND NOT ` + crosses + `)`
	// Unfinished holds for remains of a migration: drafts and copies.
	Unfinished = `(` + state + ` = "` + Draft + `" OR ` + state + ` = "` + Copied + `" AND ` + crosses + `)`

	state = `c["` + Property + `"].state`
	// crosses is [Mark.Crosses] for states with tokens.
	crosses = `(IS_DEFINED(c["` + Property + `"].token) AND LENGTH(c["` + Property + `"].token) = 26)`
)

// Deciding returns the condition for the mark that decides about an uncertain item. The id and the
// token are expressions, such as names of parameters.
func Deciding(id, token string) string {
	return `(c.id = ` + id + ` AND ` + state + ` = "` + Moved + `" AND c["` + Property + `"].token = ` + token + `)`
}
