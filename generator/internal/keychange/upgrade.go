package keychange

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// A lock of version 1 does not say what components are made of. The generated file
// in place does, since it made the stored keys: its key type has the Go types of the
// components, and its methods show how their texts are made.

// upgrade adds components to the entries that lack them, if the generated file shows
// them.
func (f *folder) upgrade(old lock.Lock) {
	for i, e := range old {
		if e.Kinds != nil {
			continue
		}
		old[i].Kinds = generatedKinds(e, f.outputOf(e.Type))
		if d := f.docs[e.Type]; d != nil && !d.Failed {
			unaliased(d.Model, old[i])
		}
	}
}

// untold refuses types whose components neither the lock nor a generated file shows.
func (f *folder) untold(old lock.Lock, changes, renamed []lock.Change) {
	for _, e := range old {
		name := e.Type
		for _, c := range renamed {
			if c.Old.Type == e.Type {
				name = c.New.Type
			}
		}
		d := f.docs[name]
		changed := slices.ContainsFunc(changes, func(c lock.Change) bool { return c.Old.Type == e.Type })
		if e.Kinds != nil || d == nil || d.Failed || changed {
			continue
		}
		f.refuse(d.Position(), fmt.Sprintf("%s does not say what the components of type %s's key are made of, as of version 2, and no %s tells it",
			lock.FileName, d.Name(), model.OutputName(unqualified(e.Type), d.File.Path)),
			"\n\trestore that file from version control, as it was when the code was last generated;"+
				"\n\tif that is not possible, see that the types of these fields have not changed since, and generate with -accept-key-change")
	}
}

// unaliased replaces aliases among the kinds of an upgraded entry by the kinds of d.
// A generated file does not say what type an alias was.
func unaliased(d *model.Model, e lock.Entry) {
	for i, was := range e.Kinds {
		for _, c := range model.Components(d.Rendered.Levels) {
			if c.Property == was.Property && model.IsText(c.Value) && identity(d.ByName(c.Selector).Field().Type(), d.Unit.Types, asWritten) == was.Kind {
				e.Kinds[i].Kind = kindOf(d, c)
			}
		}
	}
}

// outputOf returns the text of the file that was generated for a type of the lock,
// or nil. A test file may have declared the type.
func (f *folder) outputOf(name string) []byte {
	typ := name[strings.LastIndexByte(name, '.')+1:]
	for _, o := range f.run.Loaded.Outputs[f.dir] {
		base := path.Base(strings.ReplaceAll(o.Path, `\`, "/"))
		if base == model.OutputName(typ, "") && typ == name || base == model.OutputName(typ, "x_test.go") {
			return o.Text
		}
	}
	return nil
}
