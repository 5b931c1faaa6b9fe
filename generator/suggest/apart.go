package suggest

import (
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/goname"
)

// apart returns the containers of documents whose types have one name in several
// packages. Without names of their own, these types would share a container.
func apart(pkgs []pkg, parts map[types.Type]*types.TypeName) map[*types.Named]string {
	byName := make(map[string][]*types.Named)
	for _, p := range pkgs {
		for _, d := range p.structs() {
			if s, _ := read(d.named, d.syntax); (s != nil || hasCosmosTag(d.syntax)) && parts[d.named] == nil {
				byName[d.named.Obj().Name()] = append(byName[d.named.Obj().Name()], d.named)
			}
		}
	}
	containers := make(map[*types.Named]string)
	for name, alike := range byName {
		for n := 1; len(alike) > 1 && containers[alike[0]] == ""; n++ {
			if names := called(alike, n); len(slices.Compact(slices.Sorted(slices.Values(names)))) == len(alike) {
				for i, t := range alike {
					containers[t] = names[i] + "-" + strings.Join(goname.LowerWords(name), "-")
				}
			}
		}
	}
	return containers
}

// called returns the last n parts of the import paths of types.
func called(all []*types.Named, n int) (names []string) {
	for _, t := range all {
		parts := strings.Split(path.Clean(t.Obj().Pkg().Path()), "/")
		names = append(names, strings.Join(parts[max(0, len(parts)-n):], "-"))
	}
	return names
}

// into adds a container to the tags of the document, if it needs one.
func (k *Key) into(container string) {
	if container == "" {
		return
	}
	option := "container=" + container
	if i := slices.IndexFunc(k.Tags, func(t Tag) bool { return t.Field == "_" }); i >= 0 {
		k.Tags[i].Words = option + "," + k.Tags[i].Words
	} else {
		k.Tags = slices.Insert(k.Tags, 0, Tag{Field: "_", Words: option, New: true})
	}
	k.Unknown = append(k.Unknown, "container: another package has a document of this name, which is stored apart: one container for both is for you to name, with a type= in each")
}
