package lock

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// sealWord begins the last word of a type that is no draft.
const sealWord = "seal="

// seal returns the digest of all lines that determine the keys of e, and where and by which policy
// the documents are stored. It is in the line of the type, because git merges changes of different
// lines without a conflict: one branch could seal a layout, and another change a line below it.
func (e Entry) seal() string {
	var b strings.Builder
	line := func(words ...string) {
		for _, w := range words {
			b.WriteString(strconv.Quote(w))
		}
		b.WriteByte('\n')
	}
	line(e.Container, e.Path, e.Kind, strconv.Itoa(e.Version))
	if e.Conflict != "" {
		line(conflictWord, e.Conflict)
	}
	line(append([]string{e.Layout}, e.words(false)...)...)
	for _, c := range e.Kinds {
		line(c.Property, c.Kind, c.Stored)
	}
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:8])
}

// typeLine is the line of a type in a file that is read.
type typeLine struct {
	n    int    // its line number
	seal string // its digest, or ""
}

// sealed checks the digest of the last type. A file of version 2 has none.
func (p *parser) sealed() *Error {
	if len(p.lock) == 0 || p.version < formatVersion {
		return nil
	}
	e := p.lock[len(p.lock)-1]
	at := p.types[len(p.types)-1]
	fail := func(message string) *Error { return &Error{Line: at.n, Message: "type " + e.Type + " " + message} }
	switch {
	case e.Draft && at.seal != "":
		return fail("is a draft and has a " + sealWord + ", perhaps after a merge: take the line of the branch that sealed it")
	case e.Draft || at.seal == e.seal():
		return nil
	case at.seal == "":
		return fail("is not a draft, but its line lacks the " + sealWord + " of its layout, perhaps after a merge: take the line of the branch that sealed it")
	}
	return fail("was sealed with a container, path, kind, conflict path, layout or component that differs from this file, perhaps after a merge with a branch on which it was a draft: take its container, path, kind and all its lines from the branch that sealed it")
}
