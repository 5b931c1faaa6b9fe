package keychange

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/files"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// Go generate runs pkgen once per package, so only the locks of other packages show which types
// they keep in the same containers.

// other is a lock of the module, with the relevant entries of a phase.
type other struct {
	dir     string
	entries lock.Lock
	folder  *comparedFolder // nil if it is not part of the run
}

// others returns the locks outside of a run, and the locks of its folders with their entries in a
// phase, sorted by path.
func others[F interface{ compared() *comparedFolder }](r *Run, outside []other, folders []F, entries func(F) lock.Lock) []other {
	if r.Options.Alone {
		return nil
	}
	out := slices.Clone(outside)
	for _, f := range folders {
		c := f.compared()
		out = append(out, other{dir: c.dir, entries: entries(f), folder: c})
	}
	slices.SortFunc(out, func(a, b other) int { return strings.Compare(a.dir, b.dir) })
	return out
}

// compared implements the constraint of others.
func (f *comparedFolder) compared() *comparedFolder { return f }

// withoutGone returns locks without the types that are gone.
func withoutGone(all []other) []other {
	out := slices.Clone(all)
	for i := range out {
		out[i].entries = slices.DeleteFunc(slices.Clone(out[i].entries), func(e lock.Entry) bool { return e.Gone })
	}
	return out
}

// outside returns the other locks of the modules that contain folders. It skips unreadable locks,
// which the run of their own package reports.
func (r *Run) outside(folders []*comparedFolder) []other {
	if r.Options.Alone {
		return nil
	}
	var out []other
	seen := make(map[string]bool) // folders and roots of modules
	var roots []string
	for _, f := range folders {
		seen[f.dir] = true
		if root := files.ModuleRoot(f.dir); root != "" && len(f.entries)+len(f.old) > 0 && !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	for _, root := range roots {
		for _, dir := range lockFolders(root) {
			if seen[dir] {
				continue
			}
			seen[dir] = true
			text, err := files.ReadIfThere(filepath.Join(dir, lock.FileName))
			if err != nil {
				continue
			}
			if l, err := lock.Parse(text); err == nil {
				out = append(out, other{dir: dir, entries: l})
			}
		}
	}
	return out
}

// lockFolders returns the folders below root with a lock. It skips the folders that the go
// command's patterns skip: other modules, vendor, testdata, and names that begin with a dot or an
// underscore. It also skips node_modules.
func lockFolders(root string) []string {
	var out []string
	pending := []string{root}
	for len(pending) > 0 {
		dir := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		entries, err := os.ReadDir(dir)
		if err != nil || dir != root && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == "go.mod" && !e.IsDir() }) {
			continue
		}
		for _, e := range entries {
			name := e.Name()
			switch {
			case name == lock.FileName && e.Type()&^fs.ModeSymlink == 0:
				out = append(out, dir)
			case !e.IsDir() || name[0] == '.' || name[0] == '_' || name == "vendor" || name == "testdata" || name == "node_modules":
			default:
				pending = append(pending, filepath.Join(dir, name))
			}
		}
	}
	return out
}
