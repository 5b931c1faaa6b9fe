package generator

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// lockName returns what the lock calls a document: its name, and for a type of
// an external test, whose package is another, that of the package before it.
func (d *document) lockName() string { return lockName(d.file.path, d.unit.name, d.name()) }

func lockName(path, pkg, typ string) string {
	if strings.HasSuffix(path, "_test.go") && strings.HasSuffix(pkg, "_test") {
		return pkg + "." + typ
	}
	return typ
}

// The kinds of a partition key definition, as the service names them.
const (
	hashKind      = "Hash"
	multiHashKind = "MultiHash"
)

// lockEntry returns what the lock says of a document.
func (d *document) lockEntry() lock.Entry {
	e := lock.Entry{
		Type:      d.lockName(),
		Container: d.model.Container,
		// The version is that of the definition in the generated file.
		Definition: lock.Definition{Path: d.model.Path, Kind: hashKind, Version: 2},
		Layout:     d.model.Layout,
		Escape:     d.model.Escape,
		Components: d.components(),
		Properties: d.remembered(),
		Elsewhere:  d.silent(annotations.NoteElsewhere),
	}
	e.Prefix = d.model.Prefix
	if d.model.TTL != nil {
		e.TTL = strconv.Itoa(*d.model.TTL)
	}
	if d.model.Discriminator != nil {
		e.Discriminator = d.model.Discriminator.Value
	}
	values := []string{jsonType(d.model.Parts, d.model.Kind == templates.Synthetic)}
	if d.model.Kind == templates.Hierarchical {
		e.Kind, values = multiHashKind, nil
		var paths []string
		for _, level := range d.model.Levels {
			paths = append(paths, level.Path)
			values = append(values, jsonType(level.Parts, level.Made))
		}
		e.Path = strings.Join(paths, ",")
	}
	if slices.ContainsFunc(values, func(v string) bool { return v != "string" }) {
		e.Values = strings.Join(values, ",")
	}
	return e
}

// jsonType returns the JSON type of a value of a key.
func jsonType(parts []templates.Part, made bool) string {
	if made || len(parts) != 1 || parts[0].Component == nil {
		return "string"
	}
	switch parts[0].Component.Value {
	case templates.Int, templates.Uint, templates.Float:
		return "number"
	case templates.Bool:
		return "boolean"
	default:
		return "string"
	}
}
