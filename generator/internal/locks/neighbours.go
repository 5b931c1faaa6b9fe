package locks

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/files"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// Since go generate runs pkgen once for each package, what other packages of the
// module keep in the same containers is known by their locks alone.

// neighbour is a lock of the module.
type neighbour struct {
	dir    string
	folder *folderLock // nil if it is not part of the run
	read   lock.Lock   // of one that is not
}

// entries returns what a lock is to hold, or of one that is part of the run and
// not merged yet, what it has held.
func (n neighbour) entries() lock.Lock {
	switch {
	case n.folder == nil:
		return n.read
	case n.folder.merged:
		return n.folder.next
	}
	return n.folder.old
}

// live returns the types of a lock that are there.
func (n neighbour) live() lock.Lock {
	if n.folder == nil {
		return slices.DeleteFunc(slices.Clone(n.read), func(e lock.Entry) bool { return e.Gone })
	}
	return lock.Merge(n.folder.old, n.folder.now, n.folder.gone, n.folder.gone)
}

// neighbours returns the locks of the modules that folders are in, sorted by
// path. A lock that cannot be read is left out: the run of its own package says
// what is wrong with it.
func (r *Run) neighbours(folders []*folderLock) []neighbour {
	if r.Options.Alone {
		return nil
	}
	var out []neighbour
	seen := make(map[string]bool) // folders and roots of modules
	var roots []string
	for _, f := range folders {
		seen[f.dir] = true
		out = append(out, neighbour{dir: f.dir, folder: f})
		if root := files.ModuleRoot(f.dir); root != "" && len(f.now)+len(f.old) > 0 && !slices.Contains(roots, root) {
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
				out = append(out, neighbour{dir: dir, read: l})
			}
		}
	}
	slices.SortFunc(out, func(a, b neighbour) int { return strings.Compare(a.dir, b.dir) })
	return out
}

// lockFolders returns the folders below root that hold a lock, without those
// that the go command skips in patterns: of other modules, vendor, testdata, and
// names that begin with a point or an underscore. It does not look into
// node_modules either.
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
