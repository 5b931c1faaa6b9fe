package files

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// TestCommitAtOnce has runs of one process write the same files at the same time: none of them
// removes the temporary file of another.
func TestCommitAtOnce(t *testing.T) {
	dir := t.TempDir()
	var changes []Change
	for _, name := range []string{"a_cosmos.go", "b_cosmos.go"} {
		changes = append(changes, Change{Path: filepath.Join(dir, name), New: []byte("package x\n"), Generated: true})
	}
	for range 300 {
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if err := Commit(changes); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if t.Failed() {
			return
		}
		if err := errors.Join(os.Remove(changes[0].Path), os.Remove(changes[1].Path)); err != nil {
			t.Fatal(err)
		}
	}
}
