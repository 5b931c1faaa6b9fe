package generator

import (
	"go/types"
	"path/filepath"
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
		Container:   d.container(),
		NoMethods:   d.options.NoMethods,
	}
	d.id(m)
	d.etag(m)
	d.timestamp()
	d.rest(m)
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
	m.Written = d.written(m)
	d.layout = templateOf(m)
	m.Layout = d.layout.String()
	if _, err := annotations.ParseTemplate(m.Layout); err != nil {
		d.errorf(d.position(), "the layout %s cannot be read back: %s", m.Layout, err.Message)
		return
	}
	if note := ambiguity(m); note != "" {
		if !d.visible(m) {
			return
		}
		m.Ambiguous = true
		_, d.ambiguity = ambiguous(m)
		if !signAlone(m) { // a year is never negative, and what is there is told apart all the same
			d.note(annotations.NoteAmbiguous, d.keyPosition(), note)
		}
	}
	d.forgetful(m)
	d.parsed(m)
	d.queries(m)
	if d.failed {
		return
	}
	m.ExampleKey = exampleKey(m)
	d.discriminator(m)
	d.otherCase(m)
	d.idPrefix(m)
	d.expiry(m)
	d.indexes(m)
	m.Properties = d.properties(d.named, place{})
	protect(m)
	d.guard(m)
	d.integers(m)
	d.needless()
	d.model = m
}

// parsed finds out whether a function can give the components of m's key back,
// and notes if not.
func (d *document) parsed(m *templates.Type) {
	if !m.Escape {
		return
	}
	why := ""
	for _, c := range componentsOf(m) {
		if ref := d.byName(c.Selector); ref != nil && isText(c.Value) && !types.Implements(types.NewPointer(ref.field().Type()), textUnmarshaler) {
			why = "the type of " + c.Selector + " has no UnmarshalText method"
		}
	}
	if m.Kind == templates.Hierarchical {
		why = "the key has several values"
	}
	if m.Parsed = why == ""; !m.Parsed {
		d.note(annotations.NoteNoParse, d.options.at(d.options.Offset("escape")), "no function takes the key apart: "+why)
	}
}

// byName returns the field that a Go selector reaches, or nil.
func (d *document) byName(selector string) *fieldRef {
	path, _, _ := d.follow(strings.Split(selector, "."))
	if path == nil {
		return nil
	}
	return d.reference(path)
}

// queries reports two queries of one name.
func (d *document) queries(m *templates.Type) {
	seen := make(map[string]bool)
	for _, method := range m.Methods() {
		if seen[method.Name] {
			d.errorf(d.keyPosition(), "two queries would be called %s: rename a Go field of the key, and keep its JSON name", method.Name)
			return
		}
		seen[method.Name] = true
	}
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

// templateOf returns the layout of m's key by its JSON properties.
func templateOf(m *templates.Type) annotations.Template {
	var t annotations.Template
	for _, level := range m.KeyLevels() {
		var parts annotations.Level
		for _, p := range level.Parts {
			switch {
			case p.Component != nil:
				parts = append(parts, annotations.Part{Component: layoutOf(0, *p.Component)})
			case p.Bucket != nil:
				parts = append(parts, annotations.Part{Component: layoutOf(p.Bucket.Count, p.Bucket.Hash...)})
			default:
				parts = append(parts, annotations.Part{Literal: p.Literal})
			}
		}
		t.Levels = append(t.Levels, parts)
	}
	return t
}

// layoutOf returns the notation of a component, or of several in a bucket. There
// a format is that of the times among them, and lower that of the texts.
func layoutOf(buckets int, components ...templates.Component) *annotations.Component {
	out := &annotations.Component{Buckets: buckets}
	for _, c := range components {
		out.Fields = append(out.Fields, c.Property)
		out.Format = or(out.Format, c.Layout)
		out.Lower = out.Lower || c.Lower
	}
	return out
}
