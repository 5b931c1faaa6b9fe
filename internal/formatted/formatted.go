// Package formatted remembers the outputs of go/format, so that an unchanged text need not be
// formatted again. Formatting is more than half of the work of a run over unchanged packages.
//
// A fact is a digest of a source together with its output. In a damaged file no fact matches, and
// the source is formatted. A forged file, such as one in the caches of somebody else's build,
// cannot change code: a fact counts only if the text has the tokens, comments and lines of its
// source, which is checked each time and costs a sixth of formatting. A forger controls only the
// spaces within a line.
//
// The file is used only in a folder that belongs to the user and that nobody else may write to.
// Links are not followed, because the author of a link would choose the file to write to.
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

// fact is the digest of a source, its output of go/format, and the version of Go.
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

// maxFacts is the maximum number of facts in a file, 1 MiB, before it starts afresh.
const maxFacts = 1 << 20 / sha256.Size

// Memory holds facts. A nil Memory is always empty. It is safe for concurrent use.
type Memory struct {
	dir string

	mu      sync.Mutex
	known   map[fact]bool
	learned []byte // facts to add to the file
	anew    bool   // the file is too long or damaged
}

// Open reads the memory in a folder, which need not exist. If the file cannot be read, the memory
// is empty. Open returns nil if the folder is not safe: it is a link, belongs to another user or is
// writable for others, or the name of the file is taken by a link, a pipe or another special file.
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

// Knows reports whether m has the fact that go/format turns source into text. Even with a forged
// file, the two then differ at most in spaces within their lines.
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

// Learn records that go/format turned source into text.
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

// Save appends the new facts of m to its file. Other processes may append at the same time.
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
	_, err = file.Write(m.learned) // one write, which does not interleave with other processes
	if err = errors.Join(err, file.Close()); err == nil {
		m.learned, m.anew = nil, false
	}
	return err
}
