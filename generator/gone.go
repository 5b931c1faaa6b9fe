package generator

import (
	"maps"
	"slices"
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
		live[outputPath(c.declaration)] = true
	}
	var out []File
	for _, dir := range slices.Sorted(maps.Keys(g.loaded.outputs)) {
		declared, complete := g.loaded.excludedDeclarations(dir)
		if g.loaded.broken[dir] || !complete {
			continue
		}
		for _, d := range declared {
			live[outputPath(d)] = true
		}
		for _, o := range g.loaded.outputs[dir] {
			if !live[o.path] {
				out = append(out, File{Path: o.path, Old: o.text})
			}
		}
	}
	return out
}
