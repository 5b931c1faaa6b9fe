package scratch

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// run is a run of a test.
type run struct {
	*testing.T
	name string
	ends []func()
}

func (r *run) Name() string     { return r.name }
func (r *run) Cleanup(f func()) { r.ends = append(r.ends, f) }

func (r *run) end() {
	for _, f := range r.ends {
		defer f()
	}
}

// TestDir has a test that runs twice: it gets the same folders, which are empty.
func TestDir(t *testing.T) {
	first := &run{T: t, name: "Test/x"}
	one, two := Dir(first), Dir(first)
	if one == two {
		t.Error("a test has one folder twice")
	}
	if err := os.WriteFile(filepath.Join(one, "left"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	other := &run{T: t, name: "Test/y"}
	if Dir(other) == one {
		t.Error("two tests have one folder")
	}
	other.end()
	first.end()
	if _, err := os.Stat(one); !os.IsNotExist(err) {
		t.Errorf("after its test: %v", err)
	}
	second := &run{T: t, name: "Test/x"}
	defer second.end()
	if again, more := Dir(second), Dir(second); again != one || more != two {
		t.Errorf("the second run has %s and %s, the first %s and %s", again, more, one, two)
	}
	if files, err := os.ReadDir(one); err != nil || len(files) > 0 {
		t.Errorf("files are left: %v, %v", files, err)
	}
}

// TestDirWaits has another process that runs the same test.
func TestDirWaits(t *testing.T) {
	first := &run{T: t, name: "Test/z"}
	dir := Dir(first)
	first.end()
	unlock, err := lockedfile.MutexAt(filepath.Join(os.TempDir(), "pkgen-tests", filepath.Base(dir)+".lock")).Lock()
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan string)
	second := &run{T: t, name: "Test/z"}
	defer second.end()
	go func() { got <- Dir(second) }()
	select {
	case <-got:
		t.Error("two processes have one folder at once")
	case <-time.After(50 * time.Millisecond):
	}
	unlock()
	if again := <-got; again != dir {
		t.Errorf("got %s, want %s", again, dir)
	}
}
