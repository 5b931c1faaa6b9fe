package templates

// This file holds what the comments of the five operations say. They differ
// with where the key comes from, and with what the document remembers.

func (f *file) createDoc() string {
	doc := "Create stores " + f.doc + " as a new document: " + costWrite + "."
	if f.random() {
		return sentences(doc,
			"Unless "+f.doc+" has a suffix, Create chooses one first and keeps it in "+f.doc+"."+f.Stored.Selector+
				", so that a second attempt writes the same document.",
			"It returns repository.ErrAlreadyExists if "+f.doc+"'s logical partition holds another document of its id.")
	}
	if f.Kind == ItemID {
		return sentences(doc, "It returns repository.ErrAlreadyExists if there is one of its id.")
	}
	return sentences(doc, "It returns repository.ErrAlreadyExists if "+f.doc+"'s logical partition holds its id already.")
}

func (f *file) upsertDoc() string {
	doc := "Upsert stores " + f.doc + ", new or not: " + costWrite
	if f.ETag != nil {
		doc += ", whatever " + f.doc + "'s ETag says"
	}
	doc += "."
	switch {
	case f.random():
		return sentences(doc, "It returns a *partition.KeyError if "+f.doc+" has no suffix, and "+f.keyChanged()+".")
	case f.Stored != nil:
		return sentences(doc, "It returns "+f.keyChanged()+".")
	default:
		return sentences(doc, "If "+f.keySource()+" has changed since "+f.doc+" was read, the stored document stays and "+
			f.doc+" becomes a second one.")
	}
}

func (f *file) replaceDoc() string {
	doc := "Replace stores " + f.doc + " in place of the document of its key: " + costWrite + ". It returns repository.ErrNotFound if there is none"
	switch {
	case f.random():
		doc += ", a *partition.KeyError if " + f.doc + " has no suffix, and " + f.keyChanged()
	case f.Stored != nil:
		doc += ", and " + f.keyChanged()
	}
	doc += "."
	if f.ETag != nil {
		return sentences(doc, "If "+f.doc+"'s ETag is set, it is sent as If-Match; "+
			"repository.ErrPreconditionFailed means that the stored document has another.")
	}
	return doc
}

func (f *file) getDoc() string {
	doc := sentences("Get returns the "+f.Name+" that key identifies: "+costRead+".",
		"It returns repository.ErrNotFound if there is none.")
	if f.random() {
		return sentences(doc, "Find needs no suffix, and costs more.")
	}
	return doc
}

func (f *file) deleteDoc() string {
	return sentences("Delete removes the "+f.Name+" that key identifies: "+costWrite+".",
		"It returns repository.ErrNotFound if there is none.")
}

// keyChanged says when a write finds that the key is another than the stored one.
func (f *file) keyChanged() string {
	return "repository.ErrKeyChanged if a field of the key has changed since " + f.doc + " was stored"
}

// keySource names what the key comes from.
func (f *file) keySource() string {
	switch f.Kind {
	case ItemID:
		return "its id"
	case Natural:
		return f.doc + "." + f.Parts[0].Component.Selector
	default:
		return "a field of the key"
	}
}
