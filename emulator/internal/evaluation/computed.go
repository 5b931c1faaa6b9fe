package evaluation

import (
	"maps"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/evaluation/value"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// Computed is a computed property of a container. [cosmossql.ParseComputed] must accept its
// query.
type Computed struct {
	Name  string
	Query *cosmossql.Query
}

// computation is a computed property that a plan reads.
type computation struct {
	name  string
	query *cosmossql.Query
	eval  func(row) value.Value
}

// Compute tells the plan which properties of the container are computed, before the first
// document. [Plan.Names] names what their queries read from then on.
func (p *Plan) Compute(container []Computed) error {
	p.computed, p.names = nil, p.stored
	c := &compiler{parameters: map[string]value.Value{}, meter: p.meter, names: map[string]bool{}}
	hidden := map[string]bool{}
	for _, property := range container {
		if !p.Reads(property.Name) {
			continue
		}
		c.query = property.Query
		code, err := c.compile(property.Query.Main.Items[0].Expr)
		if err != nil {
			return err
		}
		hidden[property.Name] = true
		p.computed = append(p.computed, computation{property.Name, property.Query, code.result()})
	}
	if p.computed != nil && p.names != nil {
		p.names = maps.Clone(p.names)
		maps.DeleteFunc(p.names, func(name string, _ bool) bool { return hidden[name] })
		maps.Copy(p.names, c.names)
	}
	return nil
}

// Reads reports whether the query may read a property of documents.
func (p *Plan) Reads(name string) bool { return p.anyName || p.read[name] }

// With returns a document with the computed properties that the query reads. They replace
// stored properties with the same names. The text of the document does not change, so a row
// that is the whole document has stored properties only.
func (p *Plan) With(doc value.Value) (value.Value, error) {
	if p.computed == nil || doc.Kind() != value.Object {
		return doc, nil
	}
	members := doc.Members()
	out := members
	for _, property := range p.computed {
		f := newFrame(property.query)
		v := property.eval(row{doc: members, frame: f})
		if err := f.result(); err != nil {
			return value.Value{}, err
		}
		out = out.With(property.name, v)
	}
	return out.Object(), p.meter.Err()
}
