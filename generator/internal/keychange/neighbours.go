package keychange

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/files"
)

// Since go generate runs pkgen once for each package, what other packages of the
// module keep in the same containers is known by their locks alone.

// other is a lock of the module, with those of its entries that matter.
type other struct {
	dir     string
	entries lock.Lock
	folder  *comparedFolder // nil if it is not part of the run
}

// others returns the locks of other packages and those of the folders of a run,
// with the entries that these have in a phase, sorted by path.
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

// compared returns the folder as it was compared.
func (f *comparedFolder) compared() *comparedFolder { return f }

// withoutGone returns locks without the types that are gone.
func withoutGone(all []other) []other {
	out := slices.Clone(all)
	for i := range out {
		out[i].entries = slices.DeleteFunc(slices.Clone(out[i].entries), func(e lock.Entry) bool { return e.Gone })
	}
	return out
}

// outside returns the locks of the modules that folders are in, without those of
// the folders themselves. A lock that cannot be read is left out: the run of its
// own package says what is wrong with it.
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
