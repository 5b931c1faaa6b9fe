// Package marks has the property that marks stored documents which move or have moved: to
// the key of more buckets ([repository.Documents.Rekey]), or to another container
// ([repository.Migration]). It tells in Go and in SQL which stored items are documents, and
// all code that reads a container uses it. docs/architecture.md has both protocols. Stored
// data depends on the names in this package: they never change.
package marks

import (
	"encoding/json"
	"fmt"
)

// Property is the property of marks. pkgen refuses a type whose documents move and have a
// property of this name.
const Property = "_move"

// States of what is stored. Both moves have a state "moved" and a state "copy", which mean
// different things: see [Mark.Crosses].
const (
	Unmarked = ""        // a document that has not moved
	Moved    = "moved"   // of Rekey: not the document, which is at another key, or was deleted; of a migration: the document, which is about to move
	Removed  = "removed" // of Rekey: not the document, which was deleted after it had moved
	Copied   = "copy"    // of Rekey: the document, if a "moved" with this token exists; of a migration: not the document yet
	Final    = "final"   // of Rekey: the document
	Gone     = "gone"    // of Rekey: not the document, which is about to be deleted
	Draft    = "draft"   // of a migration: not the document, whose creation is not complete
)

// Mark is the value of the property.
type Mark struct {
	State string `json:"state"`
	Token string `json:"token,omitempty"` // which attempt to move the document it was
	From  string `json:"from,omitempty"`  // of a copy of Rekey: the ETag of the document that was copied
	At    int64  `json:"at,omitempty"`    // of Rekey: when the document came to this place, in seconds
}

// Tokens of the two moves, which tell their marks apart.
const (
	RekeyToken     = 12 // letters
	MigrationToken = 26
)

// Parse returns the mark that the value of the property is; the zero Mark for no value.
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

// Leaving reports whether m is the mark of a document that is about to move to another
// container. It is the document until its copy there is.
func (m Mark) Leaving() bool { return m.State == Moved && m.Crosses() }

// Uncertain reports whether another mark decides whether what is stored is the document:
// it is if a "moved" with the same token and the same id lies at another key.
func (m Mark) Uncertain() bool { return m.State == Copied && !m.Crosses() }

// Hidden reports whether what is stored is no document, but what a move or a creation has
// left or is about to make one. An [Mark.Uncertain] one is hidden.
func (m Mark) Hidden() bool { return m.State != Unmarked && m.State != Final && !m.Leaving() }

// Conditions on c, in parentheses. Only Documents and Shown may be negated: the others are
// undefined where there is no mark, and so are their negations.
const (
	// Documents holds for documents that do not move.
	Documents = `(NOT IS_DEFINED(` + state + `) OR ` + state + ` = "` + Final + `")`
	// Leaving holds for documents that are about to move to another container.
	Leaving = `(` + state + ` = "` + Moved + `" AND ` + crosses + `)`
	// Shown holds for all documents but uncertain ones.
	Shown = `(` + Documents + ` OR ` + Leaving + `)`
	// Uncertain holds for what may be a document.
	Uncertain = `(` + state + ` = "` + Copied + `" AND NOT ` + crosses + `)`
	// Unfinished holds for what a migration has left: drafts and copies.
	Unfinished = `(` + state + ` = "` + Draft + `" OR ` + state + ` = "` + Copied + `" AND ` + crosses + `)`

	state = `c["` + Property + `"].state`
	// crosses is [Mark.Crosses] of states that have tokens.
	crosses = `(IS_DEFINED(c["` + Property + `"].token) AND LENGTH(c["` + Property + `"].token) = 26)`
)

// Deciding returns the condition that holds for the mark which decides about uncertain ones.
// The id and the token are expressions, such as names of parameters.
func Deciding(id, token string) string {
	return `(c.id = ` + id + ` AND ` + state + ` = "` + Moved + `" AND c["` + Property + `"].token = ` + token + `)`
}
