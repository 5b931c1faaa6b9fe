package model

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// apiOf converts an API for templates.
func apiOf(a annotations.API) templates.API {
	switch a {
	case annotations.Table:
		return templates.Table
	case annotations.Mongo:
		return templates.Mongo
	case annotations.Gremlin:
		return templates.Gremlin
	}
	return templates.NoSQL
}

// lack is a word of tags that some APIs do not support.
type lack struct {
	word string
	in   []annotations.API
	why  string // the reason and the remedy
}

var (
	table   = []annotations.API{annotations.Table}
	others  = []annotations.API{annotations.Table, annotations.Mongo, annotations.Gremlin}
	flat    = []annotations.API{annotations.Table, annotations.Gremlin}
	gremlin = []annotations.API{annotations.Gremlin}
)

// typeLacks are the words of the blank field.
var typeLacks = []lack{
	{"own", others, "a tenant moves by transactions and the change feed of the NoSQL API; remove it"},
	{"leases", others, "processors read the change feed of the NoSQL API; remove it"},
	{"formerly", others, "documents move between containers by transactions of the NoSQL API; copy them by a program that reads one repository and writes the other"},
	{"was", others, "documents move between buckets by transactions of the NoSQL API; choose a final bucket count, and remove it"},
	{"next", others, "documents move between buckets by transactions of the NoSQL API; choose a final bucket count, and remove it"},
	{"path", table, "an entity has its key in PartitionKey; remove it"},
	{"type", table, "it tells the types of one container apart, and a table holds one type; give each type a table of its own by container="},
	{"type", []annotations.API{annotations.Mongo}, "it tells the types of one container apart, and a collection holds one type; give each type a collection of its own by container="},
	{"ttl", table, "tables have no time to live; remove it, and delete old entities by a program"},
	{"ttl", []annotations.API{annotations.Mongo}, "a collection has its time to live in an index; remove it, and make that index by the driver"},
	{"ttl", gremlin, "a graph gets its time to live where it is created; remove it, and set it there"},
	{"conflict", others, "only the NoSQL API handles several write regions; remove it"},
	{"orders", table, "queries of tables have no orders; remove it, and sort rows by row="},
	{"orders", gremlin, "a graph needs no index for an order; remove it"},
}

// fieldLacks are the words of fields.
var fieldLacks = []lack{
	{"level", others, "its partition key is one text; join the fields by \"pk,concat\""},
	{"was", others, "documents move between buckets by transactions of the NoSQL API; choose a final bucket count, and remove it"},
	{"next", others, "documents move between buckets by transactions of the NoSQL API; choose a final bucket count, and remove it"},
	{"ttl", others, "its documents have no time to live of their own; remove it"},
	{"ts", others, "its documents have no _ts; keep the time of a change in a field of its own"},
	{"created", others, "only the NoSQL API has stamps; remove it, and set the time before the document is created"},
	{"updated", others, "only the NoSQL API has stamps; remove it, and set the time before each write"},
	{"version", others, "only the NoSQL API has stamps; remove it, and compare the field with \"etag\""},
	{"deleted", others, "only the NoSQL API marks documents; remove it, and mark them by your own field, which queries compare"},
	{"schema", others, "only the run time of the NoSQL API upgrades documents as it reads them; remove it, and rewrite old documents by a program"},
	{"rest", others, "properties without a field are not read; declare a field for each, and remove it"},
	{"tenant", others, "only the NoSQL API has repositories of one tenant; remove it, and query by the key"},
	{"unique", others, "unique values take conditional writes of the NoSQL API; remove it, and read before you write"},
	{"later", flat, "it cannot test for an absent property; write the property into the old documents, and remove the word"},
	{"vector", others, "only the NoSQL API has vector search; remove it, with its metric and its index"},
	{"computed", others, "only the NoSQL API has computed properties; compute the value in the program, and store it"},
	{"text", others, "only the NoSQL API has full-text search; remove it"},
	{"elements", others, "only the NoSQL API has conditions on the elements of lists; remove it"},
	{"etag", gremlin, "it has no conditional writes, and no versions; remove the field"},
}

// lacks reports words that the API of d does not support, each once.
func (d *subject) lacks() {
	api := d.API()
	for _, l := range typeLacks {
		if offset := d.Options.Offset(l.word); offset >= 0 && slices.Contains(l.in, api) {
			d.lacking(d.Options.At(offset), l)
		}
	}
	if d.Placed() && api != "" {
		d.Errorf(d.ContainerPosition(), "the %s API has no containers by template: documents are in one %s; write its name", api, places[api])
	}
	d.lacksIndexes()
	for _, l := range fieldLacks {
		i := slices.IndexFunc(d.Roles, func(t *facts.Tagged) bool { return t.Offset(l.word) >= 0 })
		if i >= 0 && slices.Contains(l.in, api) {
			if d.Roles[i].Aliases() != nil && l.word == d.Roles[i].AliasWord() {
				l.why = "only the run time of the NoSQL API reads a property under two names; copy it in the stored documents by a program, and remove the word"
			}
			d.lacking(d.Roles[i].Word(l.word), l)
		}
	}
}

func (d *subject) lacking(pos token.Position, l lack) {
	d.Errorf(pos, "%q is not for the %s API: %s", l.word, d.API(), l.why)
}

// places are the names of containers in the APIs.
var places = map[annotations.API]string{annotations.Table: "table", annotations.Mongo: "collection", annotations.Gremlin: "graph"}

// apiKey checks an API's rules for keys.
func (d *subject) apiKey(o *outline, level pk.Level) {
	api := d.API()
	if api == "" {
		return
	}
	if operand := o.plain(); operand != nil {
		switch c := level.Parts[0].Component; c.Value {
		case pk.Int, pk.Uint, pk.Bool:
			d.Errorf(operand.pos, "field %s cannot be a partition key: keys of the %s API are texts, and it is of type %s; write \"pk,concat\", which makes a text of it", c.Selector, api, d.TypeString(operand.ref.Field().Type()))
		case pk.Float:
			d.Errorf(operand.pos, "field %s cannot be a partition key: keys of the %s API are texts, and it is a float, whose text differs between programs; use an integer or a string", c.Selector, api)
		}
		if api == annotations.Gremlin && slices.Equal(operand.ref.Property, []string{facts.IDProperty}) {
			d.Errorf(operand.pos, "the id cannot be the partition key of a graph, which has it at a property of its own: write \"id,pk,concat\", which writes the id there, too")
		}
	}
	if api != annotations.Table {
		return
	}
	for i, p := range level.Parts {
		d.tableText(o.pieces[i].pos, p)
	}
}

// tableForbidden are the characters that PartitionKey and RowKey may not contain, besides control
// characters ("Understanding the Table service data model").
const tableForbidden = `/\#?`

// tableText checks the fixed text in a partition key or a row key.
func (d *subject) tableText(pos token.Position, p pk.Part) {
	text, what := p.Literal, "text"
	if p.Component != nil {
		text, what = p.Component.Layout, "format"
	}
	if i := strings.IndexAny(text, tableForbidden); i >= 0 {
		d.Errorf(pos, "%s %q holds %q, which the keys of tables may not: the Table API refuses / \\ # ? and control characters; choose another sign, such as \"-\"", what, text, text[i:i+1])
	}
}

// fineFormat returns why an API stores times less precisely than a format, or "". The time in a
// document that was read would make another key.
func (d *subject) fineFormat(format string) string {
	switch api := d.API(); {
	case api == annotations.Mongo && timelayout.FractionDigits(format) > 3:
		return fmt.Sprintf("MongoDB keeps times in milliseconds, and %q is finer, so a document would have another key after a read; write .000, or fewer digits", format)
	case slices.Contains(flat, api) && timelayout.FractionDigits(format) > 7:
		return fmt.Sprintf("the %s API keeps times in steps of 100 nanoseconds, and %q is finer, so a document would have another key after a read; write .0000000, or fewer digits", api, format)
	}
	return ""
}

// apiPath checks the path of a key: an API other than NoSQL has one fixed property for it.
func (k *key) apiPath(pos token.Position) {
	path := k.Levels[0].Path
	switch api := k.API(); {
	case api == "":
	case strings.Count(path, "/") > 1:
		k.Errorf(pos, "the partition key is at %s, but the %s API needs it at a top-level property: name one, such as %s", path, api, defaultPath)
	case api == annotations.Gremlin && path == "/"+labelProperty:
		k.Errorf(pos, "the partition key cannot be at %s, which holds the label of a vertex: name another property, such as %s", path, defaultPath)
	}
}

// apiContainer checks the name of the table, collection or graph.
func (d *member) apiContainer() {
	name, pos := d.Container(), d.ContainerPosition()
	advice := "name it by `_ struct{}` with `cosmos:\"container=…\"`"
	if d.Options.Offset("container") >= 0 {
		advice = "write another name"
	}
	switch d.API() {
	case annotations.Table:
		switch {
		case strings.EqualFold(name, "tables"):
			d.Errorf(pos, "a table cannot be called %q, which the service reserves: %s", name, advice)
		case len(name) < 3 || len(name) > 63 || '0' <= name[0] && name[0] <= '9' || strings.ContainsFunc(name, func(r rune) bool { return !isNameRune(r) || r == '_' }):
			d.Errorf(pos, "the table of %s would be called %q, which Azure refuses: names of tables are 3 to 63 letters a to z, in any case, and digits, with a letter first; %s", d.Name(), name, advice)
		}
	case annotations.Mongo:
		switch {
		case strings.HasPrefix(name, "system."):
			d.Errorf(pos, "a collection cannot be called %q: names that begin with \"system.\" are those of the server; %s", name, advice)
		case strings.ContainsAny(name, "$\x00"):
			d.Errorf(pos, "a collection cannot be called %q: the server refuses \"$\" in names; %s", name, advice)
		}
	}
	if d.API() == "" || d.API() == annotations.Gremlin {
		return
	}
	for _, p := range d.peers {
		if p.Stated != d.Stated && p.Name() < d.Name() {
			d.Errorf(d.Position(), "types %s and %s share the %s %q, and a %[3]s holds one type: give one a different name by container=", p.Name(), d.Name(), places[d.API()], name)
			return
		}
	}
}

// isNameRune reports whether a character is an ASCII letter, a digit or an underscore.
func isNameRune(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
}

// refuseAmbiguous reports an ambiguous key of a graph, and returns true if it is one.
func (k *key) refuseAmbiguous(a ambiguity) bool {
	if k.API() != annotations.Gremlin {
		return false
	}
	k.Errorf(k.KeyPosition(), "%s is ambiguous: %s, and the Gremlin API cannot check that a write meets the right vertex; put \"escape\" on the blank field", a.what, a.example)
	return true
}

// foldedHash returns why a hashed text cannot be in lower case, or "".
func (d *subject) foldedHash() string {
	if !slices.Contains(flat, d.API()) {
		return ""
	}
	return fmt.Sprintf("queries distinguish documents of a bucket by it, and the %s API cannot ignore case; store the text in lower case, and remove \"lower\"", d.API())
}

// label returns the label of a type's vertices or edges.
func label(d *facts.Stated) string { return cmp.Or(d.Options.Discriminator, d.Name()) }

// labelProperty is the property of labels in graphs.
const labelProperty = "label"
