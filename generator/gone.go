package generator

import (
	"maps"
	"slices"

	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
)

// gone returns the files of ours whose type is no more: in the folders of this
// run, unless it is about some types only. A folder that holds a file which
// does not parse keeps all of them, as the type may be there.
func (g *generation) gone() []File {
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
			if !live[o.Path] {
				out = append(out, File{Path: o.Path, Old: o.Text})
			}
		}
	}
	return out
}
