package generator

import (
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// buildModel makes what is rendered of what resolve has found, and reports what
// does not go together.
func (d *document) buildModel() {
	m := &templates.Type{
		Package:     d.unit.name,
		PackagePath: d.unit.path,
		Source:      filepath.Base(d.file.path),
		Constraint:  constraintOf(d.file),
		Name:        d.name(),
		Container:   or(d.options.Container, defaultContainer(d.name())),
		NoMethods:   d.options.NoMethods,
	}
	d.id(m)
	d.etag(m)
	if !d.keys(m) {
		return
	}
	d.stored(m)
	d.path(m)
	if n := utf8.RuneCountInString(m.Container); n > maxContainerID {
		d.errorf(d.position(), "the container of %s would be called by its name, which has %d characters, and Cosmos DB allows %d: name it by `_ struct{}` with `cosmos:\"container=…\"`", d.name(), n, maxContainerID)
	}
	if d.failed {
		return
	}
	d.layout = templateOf(m)
	m.Layout = d.layout.String()
	if _, err := annotations.ParseTemplate(m.Layout); err != nil {
		d.errorf(d.position(), "the layout %s cannot be read back: %s", m.Layout, err.Message)
		return
	}
	if note := ambiguity(m, d.sep()); note != "" {
		d.note(d.keyPosition(), note)
	}
	m.ExampleKey = exampleKey(m)
	d.model = m
}

// maxContainerID is the length of a container's id in characters, from the
// service quotas of Azure Cosmos DB.
// https://learn.microsoft.com/azure/cosmos-db/concepts-limits
const maxContainerID = 255

// defaultContainer is the type's name in kebab case: http-log for HTTPLog.
func defaultContainer(typ string) string {
	snake := strings.TrimSuffix(outputName(typ, ""), "_cosmos.go")
	return strings.ReplaceAll(snake, "_", "-")
}

// path fills in the container's partition key path.
func (d *document) path(m *templates.Type) {
	pos := d.position()
	given := d.options.Path != ""
	if given {
		pos = d.options.at(d.options.Offset("path"))
	}
	if !d.plain {
		d.syntheticPath(m, pos)
		return
	}
	ref := d.keyField()
	m.Path = ref.keyPath()
	pk := d.jsonPosition(ref, pos)
	switch name := badName(ref.property); {
	case m.Kind != templates.ItemID && slices.Equal(ref.property, []string{idProperty}):
		d.errorf(d.keyPosition(), "field %s is the item id: tag it \"id,pk\"", ref.selector)
	case name != "":
		d.errorf(pk, "property %q cannot be named in a partition key path, which takes ASCII letters, digits and \"_\": choose another JSON name", name)
	case given && d.options.Path != m.Path:
		d.errorf(pos, "path %s is not where the key is: %s is the property %s, so leave \"path\" out, or make a synthetic key", d.options.Path, ref.selector, m.Path)
	}
}

// keyField returns the one field that is the key.
func (d *document) keyField() *fieldRef {
	i := slices.IndexFunc(d.roles, func(t *tagged) bool { return t.PK })
	return d.roles[i].ref
}

// keyPosition returns where the first word pk is.
func (d *document) keyPosition() token.Position {
	i := slices.IndexFunc(d.roles, func(t *tagged) bool { return t.PK })
	return d.roles[i].word("pk")
}

// syntheticPath fills in the path to which the run time writes a synthetic key.
func (d *document) syntheticPath(m *templates.Type, pos token.Position) {
	m.Path = or(d.options.Path, defaultPath)
	for _, t := range d.roles {
		if !t.Synthetic || m.Stored == nil {
			continue
		}
		at := d.jsonPosition(t.ref, t.word("synthetic"))
		switch name := badName(t.ref.property); {
		case name != "":
			d.errorf(at, "property %q cannot be named in a partition key path, which takes ASCII letters, digits and \"_\": choose another JSON name", name)
			return
		case d.options.Path == "":
			m.Path = t.ref.keyPath()
		case t.ref.keyPath() != m.Path:
			d.errorf(at, "field %s holds the synthetic key, but its property is %s and the path is %s: write the same name in both", t.ref.selector, t.ref.keyPath(), m.Path)
			return
		}
		pos = at
	}
	names := strings.Split(m.Path[1:], "/")
	if slices.Contains(systemProperties, names[0]) {
		d.errorf(pos, "the synthetic key cannot be written to the system property %q: choose another name", names[0])
		return
	}
	d.freePath(m, names)
}

// freePath checks that no other field of the document is written to the path of
// the synthetic key.
func (d *document) freePath(m *templates.Type, names []string) {
	ref := d.byProperty(names[0])
	if ref == nil || m.Stored != nil || len(names) > 1 && !occupied(ref.field(), names[1:]) {
		return
	}
	advice := "tag it `cosmos:\"synthetic\"`"
	if !isString(ref.field().Type()) || len(names) > 1 {
		advice = "give it another JSON name"
	}
	pos := d.position()
	if _, syntax := d.unit.syntaxOf(ref.field()); syntax != nil {
		pos = d.unit.position(syntax.Pos())
	}
	d.errorf(pos, "the run time writes the synthetic key to %s, where field %s is: %s, or choose another path", m.Path, ref.selector, advice)
}

// occupied reports whether a field is something else than an object that has
// room for the rest of a path.
func occupied(v *types.Var, names []string) bool {
	strct, ok := dereference(v.Type()).Underlying().(*types.Struct)
	if !ok {
		return true
	}
	for _, p := range jsonFields(strct) {
		if p.name == names[0] {
			return len(names) == 1 || occupied(p.field(), names[1:])
		}
	}
	return false
}

// badName returns the first property that a partition key path cannot name.
// Microsoft's page on partitioning allows alphanumerics and the underscore
// (https://learn.microsoft.com/azure/cosmos-db/partitioning-overview).
func badName(names []string) string {
	for _, name := range names {
		for _, r := range name {
			if r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
				return name
			}
		}
	}
	return ""
}

// templateOf returns the layout of m's key by its JSON properties.
func templateOf(m *templates.Type) annotations.Template {
	var level annotations.Level
	for _, p := range m.Parts {
		switch {
		case p.Component != nil:
			level = append(level, annotations.Part{Component: &annotations.Component{
				Fields: []string{p.Component.Property}, Format: p.Component.Layout,
			}})
		case p.Bucket != nil:
			c := &annotations.Component{Buckets: p.Bucket.Count}
			for _, h := range p.Bucket.Hash {
				c.Fields = append(c.Fields, h.Property)
			}
			level = append(level, annotations.Part{Component: c})
		default:
			level = append(level, annotations.Part{Literal: p.Literal})
		}
	}
	return annotations.Template{Levels: []annotations.Level{level}}
}
