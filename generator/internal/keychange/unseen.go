package keychange

import (
	"fmt"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// Unseen is a draft of a lock whose type is in a file outside of this build.
type Unseen struct {
	Name string
	Pos  token.Position // of the type, or of the lock if no readable file declares it
}

// unseen returns the drafts of the folder that the run has not seen.
func (f *mergedFolder) unseen() []Unseen {
	var out []Unseen
	for _, e := range f.next {
		if e.Draft && f.docs[e.Type] == nil && f.run.wants(e.Type) {
			out = append(out, Unseen{e.Type, f.declared(e.Type)})
		}
	}
	return out
}

// unseenOutside returns the drafts of folders that match the patterns, but have no file in this
// build.
func (r *Run) unseenOutside(outside []other) []Unseen {
	var out []Unseen
	for _, o := range outside {
		if !r.names(o.dir) {
			continue
		}
		for _, e := range o.entries {
			if e.Draft && r.wants(e.Type) {
				out = append(out, Unseen{e.Type, token.Position{Filename: filepath.Join(o.dir, lock.FileName), Line: 1, Column: 1}})
			}
		}
	}
	return out
}

// wants reports whether the run includes a type of a lock.
func (r *Run) wants(typ string) bool {
	return len(r.Options.Types) == 0 || slices.Contains(r.Options.Types, unqualified(typ))
}

// names reports whether a pattern of the run matches a folder, such as ./... or ./fleet.
func (r *Run) names(dir string) bool {
	return slices.ContainsFunc(r.Options.Patterns, func(pattern string) bool {
		root, below := strings.CutSuffix(filepath.ToSlash(pattern), "/...")
		if root != "." && !strings.HasPrefix(root, "./") && !strings.HasPrefix(root, "../") && !filepath.IsAbs(root) {
			return false // an import path
		}
		if !filepath.IsAbs(root) {
			root = filepath.Join(r.Report.Dir, root)
		}
		rel, err := filepath.Rel(root, dir)
		return err == nil && (rel == "." || below && filepath.IsLocal(rel))
	})
}

// declared returns the declaration of a type in a file outside of this build, or the position of
// the lock.
func (f *folder) declared(typ string) token.Position {
	all, _ := f.run.Loaded.ExcludedDeclarations(f.dir)
	for _, d := range all {
		if nameOf(d) == typ {
			return d.Position()
		}
	}
	return f.position(typ)
}

// lostSeals refuses drafts whose generated code was made from a sealed layout. Commands write the
// lock first, so the lock must come from elsewhere.
func (f *comparedFolder) lostSeals() {
	for _, e := range f.old {
		text := f.outputOf(e.Type)
		if !e.Draft || !templates.IsBound(text) || !f.run.wants(e.Type) {
			continue
		}
		output := model.OutputName(unqualified(e.Type), f.declared(e.Type).Filename)
		f.refuse(f.declared(e.Type), fmt.Sprintf("type %s is a draft in %s, but %s was generated when its layout was sealed: the lock has lost the seal, perhaps in a merge, and documents may be stored", e.Type, lock.FileName, output),
			"\n\trestore the lock from version control, as it was when the layout was sealed;\n\tif no document is stored, -accept-key-change makes it a draft again")
	}
}

// outputOf returns the text of the file that was generated for a type of the lock, or nil. A test
// file may have declared the type.
func (f *folder) outputOf(name string) []byte {
	typ := unqualified(name)
	for _, o := range f.run.Loaded.Outputs[f.dir] {
		base := path.Base(strings.ReplaceAll(o.Path, `\`, "/"))
		if base == model.OutputName(typ, "") && typ == name || base == model.OutputName(typ, "x_test.go") {
			return o.Text
		}
	}
	return nil
}
