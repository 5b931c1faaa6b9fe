package suggest

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/goname"
)

// together tells of the one container that a document may share with the one
// that a field of it names by its id, as Item{CartID} does with Cart. It is for
// transactions over both, and for queries that read both at once. It is never
// proposed: types say nothing of either.
func (p *pkg) together(k *Key, d declared, parts map[types.Type]*types.TypeName) {
	s, _ := read(d.named, d.syntax)
	if s == nil {
		return
	}
	for _, f := range s.fields {
		last := len(f.words) - 1
		if f.rank == 0 || last == 0 {
			continue
		}
		parent := p.document(strings.Join(f.words[:last], ""), parts)
		if parent == nil || parent == d.named {
			continue
		}
		above, id := parent.Obj().Name(), "ID"
		if inner, _ := embedded(parent); inner != "" {
			id = inner
		}
		container := strings.Join(goname.LowerWords(above), "-")
		option := func(typ, field string) string {
			return fmt.Sprintf("_ `container=%s,type=%s,key=%[1]s-{%[3]s}`", container, strings.Join(goname.LowerWords(typ), "-"), field)
		}
		k.alternative("one container with %s, if transactions write both: %s in %s and %s in %s, with an `id,prefix=` in each",
			above, option(above, id), above, option(s.name, f.name), s.name)
		return
	}
}

// document returns the document of the package that is called name but for case,
// and a part of no other; nil if there is none.
func (p *pkg) document(name string, parts map[types.Type]*types.TypeName) *types.Named {
	for _, d := range p.structs() {
		if strings.EqualFold(d.named.Obj().Name(), name) && parts[d.named] == nil && !hasCosmosTag(d.syntax) {
			if s, _ := read(d.named, d.syntax); s != nil {
				return d.named
			}
		}
	}
	return nil
}
