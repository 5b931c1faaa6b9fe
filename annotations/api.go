package annotations

import (
	"slices"

	"github.com/cosmos-pkgen/pkgen/internal/spelling"
)

// API is an API of Cosmos DB, as the word api names it. The zero value is NoSQL.
type API string

// The APIs other than NoSQL.
const (
	Table   API = "table"
	Mongo   API = "mongo"
	Gremlin API = "gremlin"
)

// noSQL is how tags name the API that is the default.
const noSQL = "nosql"

// String names the API in a message.
func (a API) String() string {
	switch a {
	case Table:
		return "Table"
	case Mongo:
		return "MongoDB"
	case Gremlin:
		return "Gremlin"
	}
	return "NoSQL"
}

// apiName reads the name of an API.
func apiName(v span) (API, *Error) {
	all := []string{noSQL, string(Table), string(Mongo), string(Gremlin)}
	switch {
	case v.text == noSQL:
		return "", nil
	case slices.Contains(all, v.text):
		return API(v.text), nil
	}
	if near := spelling.Nearest(v.text, all); near != "" {
		return "", v.misspelt("API", near)
	}
	return "", v.errorf("unknown API %q: write nosql, table, mongo or gremlin", v.text)
}

// row reads the template of row keys. Its texts must not run together; whether it has
// the id, and where, is for whoever knows the fields.
func (p *parser) row(v span) {
	read := templateParser{rows: true}
	t, err := read.template(v)
	if err != nil {
		p.errs = append(p.errs, err)
		return
	}
	errs := len(p.errs)
	for _, path := range read.fields {
		if err := fieldPath(span{path.Text, path.Offset}); err != nil {
			p.errs = append(p.errs, err)
		}
	}
	var texts []string
	at := read.components
	for _, part := range t.Levels[0] {
		c := part.Component
		if c == nil {
			continue
		}
		switch s := at[0]; {
		case c.Buckets > 0:
			p.fail(s, "%s is a bucket: buckets spread documents over partition keys, and a row key only sorts the rows of one; remove it", s.text)
		case slices.Contains(texts, c.Fields[0]):
			p.fail(s, "field %q occurs here twice: its text is in the row key already; remove one", c.Fields[0])
		default:
			texts = append(texts, c.Fields[0])
		}
		at = at[1:]
	}
	if len(p.errs) == errs {
		p.typ.Row, p.typ.RowPaths = t, read.fields
	}
}

// apis checks the words that one API has.
func (p *parser) apis() {
	if p.place != OnType {
		return
	}
	if slices.ContainsFunc(p.items, func(it item) bool { return it.row.Name == "api" }) && p.typ.API == "" && !p.saysNoSQL() {
		return // the name of the API has an error of its own
	}
	for _, it := range p.items {
		switch {
		case it.row.Name == "row" && p.typ.API != Table:
			p.fail(it.word, "\"row\" is the row key of a table, and the %s API has none: write \"api=table,row=…\", or remove it", p.typ.API)
		case it.row.Name == "edge" && p.typ.API != Gremlin:
			p.fail(it.word, "\"edge\" is for the edges of a graph, and the %s API has none: write \"api=gremlin,edge\", or remove it", p.typ.API)
		}
	}
}

// saysNoSQL reports whether the tag names the API that is the default.
func (p *parser) saysNoSQL() bool {
	v, _ := p.value("api")
	return v.text == noSQL
}
