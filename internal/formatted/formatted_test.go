package formatted_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/formatted"
)

var source, text = []byte("package  p\n"), []byte("package p\n")

// taught returns a folder whose memory holds one fact.
func taught(t *testing.T) (dir, path string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "new", "folder")
	m := formatted.Open(dir)
	if m.Knows(source, text) {
		t.Error("an empty memory knows a fact")
	}
	m.Learn(source, text)
	if !m.Knows(source, text) {
		t.Error("a fact is not known after it was learned")
	}
	if err := m.Save(); err != nil {
		t.Fatal(err)
	}
	return dir, filepath.Join(dir, "formatted")
}

func TestMemory(t *testing.T) {
	dir, _ := taught(t)
	m := formatted.Open(dir)
	if !m.Knows(source, text) {
		t.Error("a fact is forgotten")
	}
	for name, pair := range map[string][2][]byte{
		"another text":   {source, []byte("package p ")},
		"another source": {text, text},
		"exchanged":      {text, source},
		"shifted":        {append(bytes.Clone(source), text[0]), text[1:]},
		"nothing there":  {source, nil},
	} {
		if m.Knows(pair[0], pair[1]) {
			t.Errorf("%s is known", name)
		}
	}
}

// TestMemoryIsNotWritten has a second run that learns nothing new.
func TestMemoryIsNotWritten(t *testing.T) {
	dir, path := taught(t)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m := formatted.Open(dir)
	m.Learn(source, text)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := m.Save(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Errorf("the file of %d bytes was written again", len(before))
	}
}

// TestDamaged begins anew with files that are no list of facts, or too long.
func TestDamaged(t *testing.T) {
	for name, damage := range map[string]func([]byte) []byte{
		"cut off":  func(b []byte) []byte { return b[:len(b)-1] },
		"longer":   func(b []byte) []byte { return append(b, "half of a line"...) },
		"too long": func(b []byte) []byte { return bytes.Repeat(b, 1<<20/len(b)+1) },
	} {
		dir, path := taught(t)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, damage(bytes.Clone(data)), 0o600); err != nil {
			t.Fatal(err)
		}
		m := formatted.Open(dir)
		m.Learn(source, text)
		if err := m.Save(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		now, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(now, data) {
			t.Errorf("%s: the file has %d bytes, want %d", name, len(now), len(data))
		}
	}
	dir, path := taught(t)
	data, _ := os.ReadFile(path)
	data[7]++
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if formatted.Open(dir).Knows(source, text) {
		t.Error("a wrong digest matches")
	}
}

// TestNone uses a nil memory, and one that cannot be saved.
func TestNone(t *testing.T) {
	var m *formatted.Memory
	m.Learn(source, text)
	if m.Knows(source, text) || m.Save() != nil {
		t.Error("no memory knows something")
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "formatted"), 0o700); err != nil {
		t.Fatal(err)
	}
	if formatted.Open(dir) != nil {
		t.Error("a folder is taken for a memory")
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if formatted.Open(file) != nil {
		t.Error("a file is taken for a folder")
	}
}

// numbered returns the fact j of process i.
func numbered(i, j int) (source, text []byte) {
	return fmt.Appendf(nil, "package  p%d_%d\n", i, j), fmt.Appendf(nil, "package p%d_%d\n", i, j)
}

// TestSeveral has several processes add to one file.
func TestSeveral(t *testing.T) {
	dir := t.TempDir()
	var all sync.WaitGroup
	for i := range 8 {
		m := formatted.Open(dir)
		all.Go(func() {
			for j := range 100 {
				m.Learn(numbered(i, j))
			}
			if err := m.Save(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	m := formatted.Open(dir)
	for i := range 8 {
		for j := range 100 {
			if !m.Knows(numbered(i, j)) {
				t.Fatalf("fact %d of %d is lost", j, i)
			}
		}
	}
}
