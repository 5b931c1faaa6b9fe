// Package formatted remembers which texts go/format has made of which sources,
// so that a text which is still right need not be made again. Formatting is more
// than half of what a run over unchanged packages would do.
//
// What is remembered are facts: digests of a source together with its text. A
// file that is damaged matches nothing, and the source is formatted as if nobody
// had before. A file that is forged, such as one that comes with the caches of
// somebody else's build, can claim nothing about code: a fact counts only for a
// text that has the tokens, comments and lines of its source, which is looked at
// each time and costs a sixth of formatting. What is left to a forger are spaces
// within a line.
//
// The file is kept only in a folder that belongs to the user and that nobody else
// may write to, and no link is followed: whoever could put a link there would
// choose the file that is written to.
package formatted

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"sync"
)

// fact is the digest of a source, the text that go/format makes of it, and the
// version of Go whose go/format that is.
type fact [sha256.Size]byte

func factOf(source, text []byte) fact {
	h := sha256.New()
	for _, part := range [][]byte{[]byte(runtime.Version()), source, text} {
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(part)))
		h.Write(size[:])
		h.Write(part)
	}
	return fact(h.Sum(nil))
}

// maxFacts is how many facts a file may hold before it is begun anew: 1 MiB.
const maxFacts = 1 << 20 / sha256.Size

// Memory holds facts; nil knows none and learns none. It is safe for concurrent
// use.
type Memory struct {
	dir string

	mu      sync.Mutex
	known   map[fact]bool
	learned []byte // lines that the file does not have yet
	anew    bool   // the file is too long, or damaged
}

// Open reads the memory in a folder, which need not exist. If the file cannot be
// read, the memory is empty. Open returns nil if there must not be a memory: the
// folder is a link, belongs to somebody else or is writable for others, or the name
// of the file is that of a link, a pipe or something else that is not a file.
func Open(dir string) *Memory {
	m := &Memory{dir: dir, known: make(map[fact]bool)}
	root, err := openFolder(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return m
	case err != nil:
		return nil
	}
	defer root.Close() //nolint:errcheck // it is only read
	data, err := read(root)
	if err != nil {
		return nil
	}
	m.anew = len(data)%sha256.Size != 0 || len(data) > maxFacts*sha256.Size
	for ; len(data) >= sha256.Size && !m.anew; data = data[sha256.Size:] {
		m.known[fact(data[:sha256.Size])] = true
	}
	return m
}

// Knows reports whether go/format makes text of source, as far as m remembers. If
// it does so, the two differ at most in the spaces within their lines, whatever
// the file has said.
func (m *Memory) Knows(source, text []byte) bool {
	if m == nil {
		return false
	}
	f := factOf(source, text)
	m.mu.Lock()
	known := m.known[f]
	m.mu.Unlock()
	return known && sameCode(source, text)
}

// Learn notes that go/format has made text of source.
func (m *Memory) Learn(source, text []byte) {
	if m == nil {
		return
	}
	f := factOf(source, text)
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.known[f] {
		m.known[f] = true
		m.learned = append(m.learned, f[:]...)
	}
}

// Save adds what m has learned to its file, which other processes may write to
// at the same time.
func (m *Memory) Save() error {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.learned) == 0 {
		return nil
	}
	if err := os.MkdirAll(m.dir, 0o700); err != nil {
		return err
	}
	root, err := openFolder(m.dir)
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // nothing is written to a folder
	if err := ordinary(root); err != nil {
		return err
	}
	flags := os.O_WRONLY | os.O_CREATE | os.O_APPEND
	if m.anew {
		flags |= os.O_TRUNC
	}
	file, err := root.OpenFile(fileName, flags, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(m.learned) // one write: processes do not mix theirs
	if err = errors.Join(err, file.Close()); err == nil {
		m.learned, m.anew = nil, false
	}
	return err
}
