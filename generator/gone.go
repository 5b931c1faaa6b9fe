package generator

import (
	"maps"
	"path/filepath"
	"slices"

	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// gone returns our files in the folders of this run whose type is gone. A run for
// some types only removes none. Nor does it remove files from a folder with a file
// that does not parse, since that file may declare the type. Nor does it remove the
// files of kept.
func (g *generation) gone(kept map[string]bool) []File {
	if len(g.options.Types) > 0 {
		return nil
	}
	live := make(map[string]bool)
	for _, c := range g.found {
		live[model.OutputPath(c.Declaration)] = true
	}
	var out []File
	for _, dir := range slices.Sorted(maps.Keys(g.loaded.Outputs)) {
		declared, complete := g.loaded.ExcludedDeclarations(dir)
		if g.loaded.Broken[dir] || !complete {
			continue
		}
		for _, d := range declared {
			live[model.OutputPath(d)] = true
		}
		for _, o := range g.loaded.Outputs[dir] {
			if filepath.Base(o.Path) == templates.EnsureContainersFile && len(declared) > 0 && templates.IsEnsureContainers(o.Text) {
				continue // another build has containers to ensure
			}
			if !live[o.Path] && !kept[o.Path] {
				out = append(out, File{Path: o.Path, Old: o.Text})
			}
		}
	}
	return out
}
