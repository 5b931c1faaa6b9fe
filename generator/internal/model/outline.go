package model

import (
	"go/token"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// outline is a level of the key, whether tags or a template give it. Its fields are found,
// but not checked.
type outline struct {
	pieces []piece
	joined bool // it is a text even if it is one field, as "pk,concat" says for the APIs whose keys are texts
}

// piece is a part of an outline. Its components have formats, and no fields yet.
type piece struct {
	pk.Part
	operands []operand      // the field, or the hashed fields; nil for literals and random buckets
	pos      token.Position // of the word that asks for it
}

// operand is a field of a piece, with its places for messages.
type operand struct {
	ref                      *facts.FieldRef
	pos, formatPos, lowerPos token.Position
}

// time reports whether the field is a time, which formats are for.
func (o operand) time() bool {
	t := o.ref.Field().Type()
	return facts.IsTime(t) || facts.IsInstant(t)
}

// plain returns the field of a level that is a plain property, or nil.
func (o *outline) plain() *operand {
	if len(o.pieces) != 1 || o.joined {
		return nil
	}
	if p := &o.pieces[0]; p.Component != nil && p.Component.Layout == "" && !p.Component.Lower {
		return &p.operands[0]
	}
	return nil
}

// templateOutline returns the outlines in the option key, or nil after an error.
func (d *subject) templateOutline(pks []*facts.Tagged) []outline {
	for _, t := range pks {
		d.Errorf(t.Word("pk"), "field %s is tagged \"pk\", and \"key\" on the blank field says the whole key already: keep one of them", t.Ref.Selector)
	}
	if len(d.Options.Key.Levels) == 0 {
		return nil // the parser of tags has reported it
	}
	o, ok := d.outlineOf("key", d.Options.Key, d.Options.KeyPaths, d.KeyPosition())
	if !ok || len(pks) > 0 {
		return nil
	}
	for _, p := range o.pieces {
		if p.Bucket != nil {
			p.Bucket.Was, p.Bucket.Next = d.Options.Was, d.Options.Next
		}
	}
	return []outline{o}
}

// outlineOf returns the outline of a template of one level, which a word of the blank
// field has at a position, with the paths of its fields. It returns false after an error:
// a field that is not found is nil.
func (d *subject) outlineOf(word string, t annotations.Template, paths []annotations.Path, pos token.Position) (o outline, ok bool) {
	ok = true
	for _, part := range t.Levels[0] {
		p := piece{Part: pk.Part{Literal: part.Literal}, pos: pos}
		if c := part.Component; c != nil {
			var components []pk.Component
			for _, path := range paths[:len(c.Fields)] {
				p.pos = d.Options.At(path.Offset)
				ref := d.NamedField(word, path.Text, p.pos)
				ok = ok && ref != nil
				p.operands = append(p.operands, operand{ref: ref, pos: p.pos, formatPos: p.pos, lowerPos: p.pos})
				components = append(components, pk.Component{Layout: c.Format, Newest: c.Newest, Lower: c.Lower})
			}
			paths = paths[len(c.Fields):]
			if c.Buckets > 0 {
				p.Bucket = &pk.Bucket{Count: c.Buckets, Hash: components}
			} else {
				p.Component = &components[0]
			}
		}
		o.pieces = append(o.pieces, p)
	}
	return o, ok
}
