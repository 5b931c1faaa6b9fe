// Package scratch creates folders outside of the module, in which tests run the go command.
//
// A folder has the same name in each run, so the build cache keeps what the last run compiled in
// it. The alternative, -trimpath, compiles the standard library and all other packages a second
// time.
package scratch

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// open counts the folders of each test of this process.
var open struct {
	sync.Mutex
	of map[string]int
}

// Dir returns an empty folder for the test, which is removed at its end. If another process runs
// the same test of the same clone, Dir waits for it.
func Dir(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(os.TempDir(), "pkgen-tests", name(t))
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		t.Fatal(err)
	}
	unlock, err := lockedfile.MutexAt(dir + ".lock").Lock()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(unlock)
	if err := os.RemoveAll(dir); err != nil { // left by a killed run
		t.Fatal(err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	dir, err = filepath.EvalSymlinks(dir) // the go command resolves links
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// name returns the name of the test's next folder. Clones and packages have folders of their own.
func name(t testing.TB) string {
	working, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	open.Lock()
	defer open.Unlock()
	if open.of == nil {
		open.of = make(map[string]int)
	}
	n := open.of[t.Name()]
	open.of[t.Name()]++
	t.Cleanup(func() {
		open.Lock()
		defer open.Unlock()
		if open.of[t.Name()]--; open.of[t.Name()] == 0 {
			delete(open.of, t.Name())
		}
	})
	sum := sha256.Sum256(fmt.Append(nil, working, "\x00", t.Name(), "\x00", n))
	readable := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, t.Name())
	return readable[:min(len(readable), 40)] + "-" + hex.EncodeToString(sum[:6])
}
