package templates

import (
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
)

// This file writes the comments of the five operations. They depend on where the
// key comes from, and on what the document remembers.

func (f *file) createDoc() string {
	doc := "Create stores " + f.doc + " as a new document: " + f.costCreate().Words + "."
	if f.random() != nil {
		return prose.Sentences(doc,
			"Unless "+f.doc+" has a suffix for this id, Create chooses one first and keeps it in "+f.doc+"."+f.Stored.Selector+
				", so that a second attempt writes the same document.",
			"It returns "+f.in("ErrAlreadyExists")+" if "+f.doc+"'s logical partition holds another document of its "+f.idWord()+".")
	}
	if f.Kind == ItemID {
		return prose.Sentences(doc, "It returns "+f.in("ErrAlreadyExists")+" if there is one of its "+f.idWord()+".")
	}
	return prose.Sentences(doc, "It returns "+f.in("ErrAlreadyExists")+" if the logical partition has its "+f.idWord()+".")
}

func (f *file) upsertDoc() string {
	over := ""
	if !f.Ambiguous && f.hashes() && f.grows() < 0 {
		over = ", over whatever has its " + f.idWord() + " in the bucket"
		if f.looks() {
			over = ", over the " + f.Name + " that has its " + f.idWord() + " in the bucket"
		}
	}
	doc := "Upsert stores " + f.doc + ", new or not" + over + ": " + f.costUpsert().Words + "."
	if f.looks() {
		doc += " It returns " + f.in("ErrAlreadyExists") + " if the id is that of " + f.stranger() + "."
	}
	if f.api().upserts != "" {
		doc += " It returns " + f.in("ErrAlreadyExists") + " " + f.api().upserts
	}
	moved := ""
	if f.Row != nil && f.Stored != nil {
		moved = "If no field of the partition key has changed, but one of the row key has, " + f.secondCopy()
	}
	if f.Containers != nil {
		moved = "If a field of the container's id has changed since " + f.doc + " was read, " + f.secondCopy()
	}
	switch {
	case f.random() != nil:
		doc = prose.Sentences(doc, "It returns a *partition.KeyError if "+f.doc+" has no suffix, and "+f.keyChanged()+".")
		if f.Kind == Hierarchical {
			doc = prose.Sentences(doc, "If another level has changed, "+f.secondCopy())
		}
		return prose.Sentences(doc, moved)
	case f.Stored != nil && f.Kind == Hierarchical:
		return prose.Sentences(doc, "It returns "+f.keyChanged()+".", "If another level has changed, "+f.secondCopy(), moved)
	case f.Stored != nil:
		return prose.Sentences(doc, "It returns "+f.keyChanged()+".", moved)
	default:
		return prose.Sentences(doc, "If "+f.keySource()+" has changed since "+f.doc+" was read, "+f.secondCopy())
	}
}

func (f *file) replaceDoc() string {
	fails := []string{f.in("ErrNotFound")}
	if f.random() != nil {
		fails = append(fails, "a *partition.KeyError without a suffix")
	}
	if f.Stored != nil {
		fails = append(fails, "ErrKeyChanged")
	}
	if f.ETag != nil {
		fails = append(fails, "ErrPreconditionFailed if "+f.doc+"'s ETag is old"+f.orGone())
	}
	last := len(fails) - 1
	text := strings.Join(fails[:last], ", ")
	switch last {
	case 0:
	case 1:
		text += " or "
	default:
		text += ", or "
	}
	doc := "Replace stores " + f.doc + " over the document of its key: " + f.costStore().Words + ". It returns " + text + fails[last] + "."
	if f.shares() {
		doc = prose.Sentences(doc, "It leaves "+f.stranger()+" alone.")
	}
	if f.ETag == nil && f.api().replaces != "" {
		doc += " " + fmt.Sprintf(f.api().replaces, f.doc)
	}
	return doc
}

// orGone says that the failure of a condition may mean that there is no document: a filter
// of MongoDB tells no more than that nothing matches it.
func (f *file) orGone() string {
	if f.looks() {
		return ""
	}
	return f.api().gone
}

func (f *file) getDoc() string {
	doc := prose.Sentences("Get returns the "+f.Name+" that key identifies: "+f.costRead().Words+".",
		"It returns "+f.in("ErrNotFound")+" if there is none.")
	var others []string
	if f.Ambiguous {
		others = append(others, "the id is that of "+other)
	}
	if f.Discriminator != nil {
		others = append(others, "the document is of another type")
	}
	if len(others) > 0 {
		doc = prose.Sentences(doc, "So it does if "+strings.Join(others, ", or if ")+".")
	}
	if f.findsInBuckets() {
		return prose.Sentences(doc, "FindInBuckets needs no suffix, and costs more.")
	}
	return doc
}

func (f *file) deleteDoc() string {
	if f.Deleted != nil {
		return f.markDoc()
	}
	doc := prose.Sentences("Delete removes the "+f.Name+" that key identifies"+f.api().removes+": "+f.costDelete().Words+".",
		"It returns "+f.in("ErrNotFound")+" if there is none.")
	if f.looks() {
		doc = prose.Sentences(doc, "So it does if the id is that of "+f.stranger()+", which it leaves alone.")
	}
	return doc
}

// idWord names what tells the documents of a logical partition apart.
func (f *file) idWord() string {
	if f.Row != nil {
		return "row key"
	}
	return "id"
}

// other is a document that an operation may meet if keys are ambiguous.
const other = "another document whose fields make the same partition key"

// stranger is a document that an operation which looks first may meet.
func (f *file) stranger() string {
	switch {
	case f.Ambiguous && f.shares():
		return other + ", or of a document of another type"
	case f.Ambiguous:
		return other
	}
	return "a document of another type"
}

// keyChanged says when a write finds that the stored key is another one. A document
// remembers of a hierarchical key the level that the run time makes.
func (f *file) keyChanged() string {
	what := "the key"
	for _, level := range f.Levels {
		if f.Kind == Hierarchical && level.Made {
			what = "a field of " + level.Path
		}
	}
	return f.in("ErrKeyChanged") + " if " + what + " has changed"
}

// secondCopy says what follows from a change of the key that no write finds.
func (f *file) secondCopy() string {
	return "the stored document stays and " + f.doc + " becomes a second one."
}

// keySource names what the key comes from, and the id of the container.
func (f *file) keySource() string {
	id := ""
	if f.Containers != nil {
		id = ", or a field of the container's id,"
	}
	switch {
	case f.Kind == ItemID:
		return "its id" + id
	case f.Kind == Natural:
		return f.doc + "." + f.Levels[0].Parts[0].Component.Selector + id
	case f.Containers != nil:
		return "a field of the key or of the container's id"
	}
	return "a field of the key"
}
