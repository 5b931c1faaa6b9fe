package facts

import (
	"cmp"
	"go/ast"
	"go/token"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	"github.com/cosmos-pkgen/pkgen/internal/goname"
)

// Stated is a document as its declaration states it, with the options of its blank
// field. Its types are not known, as in a file of another build.
type Stated struct {
	*source.Declaration
	*diag.Findings
	Options typeOptions
}

// typeOptions are the options of the blank field.
type typeOptions struct {
	annotations.Type
	At func(offset int) token.Position // where a byte of the tag's value is
}

// State reads the options of a declaration.
func State(d *source.Declaration, r *diag.Reporter) *Stated {
	s := &Stated{Declaration: d, Findings: &diag.Findings{Report: r}}
	s.readOptions()
	return s
}

// readOptions reads the tag of the blank field.
func (d *Stated) readOptions() {
	fields := d.Syntax.Fields.List
	found := false
	for i, field := range fields {
		if len(field.Names) == 0 || field.Names[0].Name != "_" {
			continue
		}
		t, _ := d.Unit.TagOf(d.File, field)
		value, ok := t.Lookup(source.CosmosKey)
		if !ok {
			continue
		}
		where := d.Unit.TagPosition(d.File, field)
		strct, isStruct := ast.Unparen(field.Type).(*ast.StructType)
		switch {
		case found:
			d.Errorf(where, "second blank field with options of %s: put all options into the first", d.Name())
			continue
		case !isStruct || len(strct.Fields.List) > 0 || len(field.Names) > 1:
			d.Errorf(where, "the options of %s must be on one blank field that takes no space: write _ struct{} before the tag", d.Name())
			continue
		case i == len(fields)-1:
			d.Errorf(where, "the options of %s are on the last field, where Go makes the struct larger for them: move the blank field to the top", d.Name())
			continue
		}
		found = true
		options, errs := annotations.ParseType(value.Value)
		d.Options = typeOptions{options, d.Placer(value)}
		d.tagErrors(errs, d.Options.At)
		d.Acknowledge(options.Notes, nil, d.Options.At)
	}
}

// tagErrors reports what the parser of tags has found.
func (d *Stated) tagErrors(errs []*annotations.Error, at func(int) token.Position) {
	for _, e := range errs {
		var change diag.Fix
		if start, end := at(e.Offset), at(e.End); e.Instead != "" && start.Offset < end.Offset {
			change = diag.Fix{Start: start.Offset, End: end.Offset, Text: e.Instead}
		}
		d.Fixable(at(e.Offset), change, e.Message)
	}
}

// Container returns the name of the table, the collection or the graph, the id of the container or, if the document has several, the
// template of their ids, by Go field paths. [Document.Container] knows the properties.
func (d *Stated) Container() string {
	if d.Placed() {
		return d.Options.Containers.String()
	}
	switch d.API() {
	case annotations.Table: // whose names have no hyphens
		return cmp.Or(d.Options.Container, d.Name())
	case annotations.Gremlin:
		return cmp.Or(d.Options.Container, Graph)
	}
	return cmp.Or(d.Options.Container, DefaultContainer(d.Name()))
}

// Placed reports whether the fields of a document say in which container it is.
func (d *Stated) Placed() bool { return len(d.Options.Containers.Levels) > 0 }

// Tiered reports whether tenants share a container, and may have one of their own.
func (d *Stated) Tiered() bool { return len(d.Options.Own.Levels) > 0 }

// Unnamed reports whether documents of d do not say of which type they are.
func (d *Stated) Unnamed() bool { return d.Options.Offset("type") < 0 }

// DefaultContainer is the type's name in kebab case: http-log for HTTPLog.
func DefaultContainer(typ string) string {
	return strings.ReplaceAll(goname.Snake(typ), "_", "-")
}
