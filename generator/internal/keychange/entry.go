package keychange

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// The service's names of partition key kinds.
const (
	hashKind      = "Hash"
	multiHashKind = "MultiHash"
)

// entryOf returns the entry of a document.
func entryOf(d *model.Model) lock.Entry {
	e := lock.Entry{
		Type:      nameOf(d.Declaration),
		Container: cmp.Or(d.Rendered.Container, d.Container()), // for a graph, which is not rendered
		API:       string(d.API()),
		Row:       pk.Level{Parts: d.Rendered.Row}.Layout(),
		// The same version as in the generated definition.
		Definition: lock.Definition{Kind: hashKind, Version: 2},
		Layout:     d.Rendered.Layout(),
		Escape:     d.Rendered.Escape,
		Kinds:      kindsOf(d),
		Properties: propertiesOf(d),
		Computed:   computedOf(d),
		Indexes:    indexesOf(d),
		Elsewhere:  d.Silent(annotations.NoteElsewhere),
	}
	e.Was, e.Next = countsOf(d.Rendered.Levels)
	e.Prefix = d.Rendered.Prefix
	e.Own = d.Own()
	if d.Rendered.Deleted != nil {
		e.Deleted = jsonpointer.Names(d.Rendered.Deleted.Field.Pointer)[0]
	}
	if s := d.Rendered.Schema; s != nil {
		e.Schema = lock.SchemaOf(s.Number, s.Next, jsonpointer.Names(s.Field.Pointer)[0])
	}
	e.Aliases, e.NextNames = namesOf(d)
	e.Unique = uniqueOf(d.Rendered.Unique)
	if d.Rendered.TTL != nil {
		e.TTL = strconv.Itoa(*d.Rendered.TTL)
	}
	if path := d.Rendered.Conflict; path != annotations.TSPath {
		e.Conflict = path
	}
	if d.Rendered.Discriminator != nil {
		e.Discriminator = d.Rendered.Discriminator.Value
	}
	if d.Rendered.Label != "" {
		e.Discriminator = d.Rendered.Label
	}
	if d.Rendered.Kind == templates.Hierarchical {
		e.Kind = multiHashKind
	}
	var values []string
	for _, level := range d.Rendered.Levels {
		values = append(values, jsonType(level))
	}
	e.Path = strings.Join(d.Rendered.Paths(), ",")
	if slices.ContainsFunc(values, func(v string) bool { return v != "string" }) {
		e.Values = strings.Join(values, ",")
	}
	return e
}

// namesOf returns the names of properties in earlier releases and in the next one, in the form of
// the lock.
func namesOf(d *model.Model) (former, coming string) {
	var was, next []lock.Aliased
	for _, p := range d.Rendered.Properties {
		name := jsonpointer.Names(p.Pointer)[0]
		i := slices.IndexFunc(d.Roles, func(t *facts.Tagged) bool { return t.Coming != "" && slices.Equal(t.Ref.Property, []string{name}) })
		aliases := p.Aliases
		if i >= 0 {
			next = append(next, lock.Aliased{Name: name, Aliases: []string{d.Roles[i].Coming}})
			aliases = aliases[1:]
		}
		if len(aliases) > 0 {
			was = append(was, lock.Aliased{Name: name, Aliases: aliases})
		}
	}
	return lock.AliasesOf(was), lock.AliasesOf(next)
}

// computedOf returns the computed properties of a type, in the form of the lock.
func computedOf(d *model.Model) []lock.Computed {
	var all []lock.Computed
	for _, c := range d.Rendered.Computed {
		if c.Own {
			all = append(all, lock.Computed{Name: c.Name, Query: c.Query})
		}
	}
	return all
}

// uniqueOf returns the names of unique properties, in the form of the lock.
func uniqueOf(all []templates.Unique) string {
	names := make([]string, len(all))
	for i, u := range all {
		names[i] = u.Property
	}
	return strings.Join(names, ",")
}

// countsOf returns the numbers of buckets of other releases, in the form of the lock.
func countsOf(levels []pk.Level) (was, next string) {
	for _, level := range levels {
		bucket := level.Bucket()
		if bucket == nil {
			continue
		}
		var words []string
		for _, n := range bucket.Was {
			words = append(words, strconv.Itoa(n))
		}
		was += strings.Join(words, ",")
		if bucket.Next != 0 {
			next = strconv.Itoa(bucket.Next)
		}
	}
	return was, next
}

// jsonType returns the JSON type of a value of a key.
func jsonType(level pk.Level) string {
	switch level.Value() {
	case pk.Int, pk.Uint, pk.Float:
		return "number"
	case pk.Bool:
		return "boolean"
	default:
		return "string"
	}
}
