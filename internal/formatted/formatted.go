// Package formatted remembers which texts go/format has made of which sources,
// so that a text which is still right need not be made again. Formatting is more
// than half of what a run over unchanged packages would do.
//
// What is remembered are facts: digests of a source together with its text. A
// fact cannot become wrong, whatever happens to the file that holds it: one that
// is damaged matches nothing, and the source is formatted as if nobody had before.
package formatted

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
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
	path string

	mu      sync.Mutex
	known   map[fact]bool
	learned []byte // what is not in the file yet
	anew    bool   // the file is too long, or damaged
}

// Open reads the memory in a folder, which need not exist. A file that cannot be
// read is none. It returns nil where there can be none.
func Open(dir string) *Memory {
	m := &Memory{path: filepath.Join(dir, "formatted"), known: make(map[fact]bool)}
	if info, err := os.Stat(m.path); err == nil && !info.Mode().IsRegular() {
		return nil // somebody else's, such as a pipe, for which one would wait
	}
	data, _ := os.ReadFile(m.path)
	m.anew = len(data)%sha256.Size != 0 || len(data) > maxFacts*sha256.Size
	for ; len(data) >= sha256.Size && !m.anew; data = data[sha256.Size:] {
		m.known[fact(data[:sha256.Size])] = true
	}
	return m
}

// Knows reports whether go/format makes text of source, as far as m remembers.
func (m *Memory) Knows(source, text []byte) bool {
	if m == nil {
		return false
	}
	f := factOf(source, text)
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.known[f]
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
	if err := os.MkdirAll(filepath.Dir(m.path), 0o700); err != nil {
		return err
	}
	flags := os.O_WRONLY | os.O_CREATE | os.O_APPEND
	if m.anew {
		flags |= os.O_TRUNC
	}
	file, err := os.OpenFile(m.path, flags, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(m.learned) // one write: processes do not mix theirs
	if err = errors.Join(err, file.Close()); err == nil {
		m.learned, m.anew = nil, false
	}
	return err
}
