package generator

import (
	"cmp"
	"go/ast"
	"go/token"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
)

// stated is a document as its declaration states it: the options of its blank
// field are read, and of the types nothing is known, as in a file of another
// build.
type stated struct {
	*declaration
	*findings
	options typeOptions
}

// typeOptions is what the blank field says.
type typeOptions struct {
	annotations.Type
	at func(offset int) token.Position // where a byte of the tag's value is
}

// state reads the options of a declaration.
func state(d *declaration, r *reporter) *stated {
	s := &stated{declaration: d, findings: &findings{report: r}}
	s.readOptions()
	return s
}

// readOptions reads the tag of the blank field.
func (d *stated) readOptions() {
	fields := d.syntax.Fields.List
	found := false
	for i, field := range fields {
		if len(field.Names) == 0 || field.Names[0].Name != "_" {
			continue
		}
		t, _ := d.unit.tagOf(d.file, field)
		value, ok := t.lookup(cosmosKey)
		if !ok {
			continue
		}
		where := d.unit.tagPosition(d.file, field)
		strct, isStruct := ast.Unparen(field.Type).(*ast.StructType)
		switch {
		case found:
			d.errorf(where, "second blank field with options of %s: put all options into the first", d.name())
			continue
		case !isStruct || len(strct.Fields.List) > 0 || len(field.Names) > 1:
			d.errorf(where, "options of %s stand on one blank field that takes no space: write _ struct{} before the tag", d.name())
			continue
		case i == len(fields)-1:
			d.errorf(where, "options of %s stand on the last field, where Go makes the struct larger for it: move the blank field to the top", d.name())
			continue
		}
		found = true
		options, errs := annotations.ParseType(value.value)
		d.options = typeOptions{options, d.placer(value)}
		d.tagErrors(errs, d.options.at)
		d.acknowledge(options.Notes, nil, d.options.at)
	}
}

// tagErrors reports what the parser of tags has found.
func (d *stated) tagErrors(errs []*annotations.Error, at func(int) token.Position) {
	for _, e := range errs {
		var change fix
		if start, end := at(e.Offset), at(e.End); e.Instead != "" && start.Offset < end.Offset {
			change = fix{start.Offset, end.Offset, e.Instead}
		}
		d.fixable(at(e.Offset), change, e.Message)
	}
}

// container returns the id of the container.
func (d *stated) container() string {
	return cmp.Or(d.options.Container, defaultContainer(d.name()))
}

// unnamed reports whether documents of d do not say of which type they are.
func (d *stated) unnamed() bool { return d.options.Offset("type") < 0 }

// defaultContainer is the type's name in kebab case: http-log for HTTPLog.
func defaultContainer(typ string) string {
	snake := strings.TrimSuffix(outputName(typ, ""), "_cosmos.go")
	return strings.ReplaceAll(snake, "_", "-")
}
