package store

import (
	"iter"
	"slices"
	"sort"
	"sync/atomic"
)

// Documents is a list of documents in the order of their seq, as it was at one time. It
// never changes, needs no lock, and is safe for concurrent use. The zero value is empty.
type Documents struct {
	chunks []*chunk // none is empty
	size   int
	bytes  int // of the JSON of all
}

// chunkSize is the maximum number of documents in a chunk, and so the number that the first
// write after a snapshot copies.
const chunkSize = 256

// chunk is a part of a list. Only the list whose owner it has may change it.
type chunk struct {
	owner *owner
	docs  []*Document
}

// owner identifies the list that may change a chunk. It has a size, so that each owner has an
// address of its own.
type owner struct{ _ byte }

// Len is the number of documents.
func (l Documents) Len() int { return l.size }

// Bytes is the length of the JSON of all documents.
func (l Documents) Bytes() int { return l.bytes }

// All returns the documents in their order.
func (l Documents) All() iter.Seq[*Document] { return l.After(0) }

// After returns the documents with a higher seq than a given one, in their order.
func (l Documents) After(seq uint64) iter.Seq[*Document] {
	return func(yield func(*Document) bool) {
		i, j := l.search(seq)
		for ; i < len(l.chunks); i, j = i+1, 0 {
			for _, d := range l.chunks[i].docs[j:] {
				if !yield(d) {
					return
				}
			}
		}
	}
}

// search returns the place of the first document with a higher seq: its chunk, and its
// index there. After the last document it is the number of chunks, and 0.
func (l Documents) search(seq uint64) (i, j int) {
	i = sort.Search(len(l.chunks), func(i int) bool {
		docs := l.chunks[i].docs
		return docs[len(docs)-1].Seq > seq
	})
	if i == len(l.chunks) {
		return i, 0
	}
	docs := l.chunks[i].docs
	return i, sort.Search(len(docs), func(j int) bool { return docs[j].Seq > seq })
}

// documentList is a list of documents that changes. The lock of the container guards it:
// for writing to change it, and for reading to take a snapshot.
//
// A snapshot costs nothing and shares all chunks with the list. The next change copies
// the slice of chunks, and every change copies the chunk that it touches, unless the list
// has made that chunk since the last snapshot.
type documentList struct {
	now    Documents
	owner  *owner
	shared atomic.Bool // whether there is a snapshot since the last change
}

// snapshot returns the present state.
func (l *documentList) snapshot() Documents {
	if !l.shared.Load() {
		l.shared.Store(true)
	}
	return l.now
}

// prepare makes the slice of chunks the list's own.
func (l *documentList) prepare() {
	if l.shared.Load() {
		l.shared.Store(false)
		l.owner = new(owner)
		l.now.chunks = slices.Clone(l.now.chunks)
	}
}

// own returns a chunk that may be changed.
func (l *documentList) own(i int) *chunk {
	c := l.now.chunks[i]
	if c.owner != l.owner {
		c = &chunk{l.owner, slices.Clone(c.docs)}
		l.now.chunks[i] = c
	}
	return c
}

// put inserts a document, or replaces the one with its seq.
func (l *documentList) put(d *Document) {
	l.prepare()
	i, j := l.now.search(d.Seq - 1)
	if i < len(l.now.chunks) {
		if at := l.now.chunks[i].docs[j]; at.Seq == d.Seq {
			l.own(i).docs[j] = d
			l.now.bytes += len(d.Raw) - len(at.Raw)
			return
		}
	}
	l.now.size++
	l.now.bytes += len(d.Raw)
	last := len(l.now.chunks) - 1
	if i > last { // after all others, as every new document is
		if last >= 0 && len(l.now.chunks[last].docs) < chunkSize {
			c := l.own(last)
			c.docs = append(c.docs, d)
			return
		}
		l.now.chunks = append(l.now.chunks, &chunk{l.owner, []*Document{d}})
		return
	}
	c := l.own(i)
	c.docs = slices.Insert(c.docs, j, d)
	if half := len(c.docs) / 2; len(c.docs) > chunkSize {
		upper := &chunk{l.owner, slices.Clone(c.docs[half:])}
		c.docs = slices.Clone(c.docs[:half])
		l.now.chunks = slices.Insert(l.now.chunks, i+1, upper)
	}
}

// fill makes a new list of documents that are in the order of their seq.
func (l *documentList) fill(docs []*Document) {
	l.owner = new(owner)
	l.now.size, l.now.bytes = len(docs), bytesOf(docs)
	for part := range slices.Chunk(docs, chunkSize) {
		l.now.chunks = append(l.now.chunks, &chunk{l.owner, slices.Clone(part)})
	}
}

// remove deletes the document with the seq of d.
func (l *documentList) remove(d *Document) {
	i, j := l.now.search(d.Seq - 1)
	if i == len(l.now.chunks) || l.now.chunks[i].docs[j].Seq != d.Seq {
		return
	}
	l.prepare()
	l.now.size--
	l.now.bytes -= len(l.now.chunks[i].docs[j].Raw)
	if len(l.now.chunks[i].docs) == 1 {
		l.now.chunks = slices.Delete(l.now.chunks, i, i+1)
		return
	}
	c := l.own(i)
	c.docs = slices.Delete(c.docs, j, j+1)
	l.join(i)
}

// join puts a chunk and the next together if both are small.
func (l *documentList) join(i int) {
	if i+1 >= len(l.now.chunks) || len(l.now.chunks[i].docs)+len(l.now.chunks[i+1].docs) > chunkSize/2 {
		return
	}
	c := l.own(i)
	c.docs = append(c.docs, l.now.chunks[i+1].docs...)
	l.now.chunks = slices.Delete(l.now.chunks, i+1, i+2)
}

// DocumentsOf makes a list of documents that are in the order of their seq.
func DocumentsOf(docs []*Document) Documents {
	l := Documents{size: len(docs), bytes: bytesOf(docs)}
	for part := range slices.Chunk(docs, chunkSize) {
		l.chunks = append(l.chunks, &chunk{docs: part})
	}
	return l
}

func bytesOf(docs []*Document) int {
	n := 0
	for _, d := range docs {
		n += len(d.Raw)
	}
	return n
}
