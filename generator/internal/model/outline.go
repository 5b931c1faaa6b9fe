package model

import (
	"go/token"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
)

// outline is a level of the key in the notation of templates, whether tags or a
// template give it. Its fields are found, but not checked.
type outline struct {
	pieces []piece
	joined bool // it is a text even if it is one field, as "pk,concat" says for the APIs whose keys are texts
}

// piece is a part of an outline, with its fields in place of their names.
type piece struct {
	annotations.Part
	operands []operand      // the field, or the hashed fields; nil for literals and random buckets
	pos      token.Position // of the word that asks for it

	// Of a bucket: the counts of releases before, and of the next one.
	was  []int
	next int
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

// text reports whether p is the text of a field.
func (p *piece) text() bool { return p.Component != nil && p.Component.Buckets == 0 }

// plain returns the field of a level that is a plain property, or nil.
func (o *outline) plain() *operand {
	if len(o.pieces) != 1 || o.joined {
		return nil
	}
	if p := &o.pieces[0]; p.text() && p.Component.Format == "" && !p.Component.Lower {
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
	names := d.Options.KeyPaths
	var level outline
	ok := len(pks) == 0
	for _, part := range d.Options.Key.Levels[0] {
		p := piece{Part: part, pos: d.KeyPosition()}
		if c := part.Component; c != nil {
			if c.Buckets > 0 {
				p.was, p.next = d.Options.Was, d.Options.Next
			}
			for range c.Fields {
				pos := d.Options.At(names[0].Offset)
				ref := d.NamedField("key", names[0].Text, pos)
				if ok = ok && ref != nil; ok {
					p.operands = append(p.operands, operand{ref: ref, pos: pos, formatPos: pos, lowerPos: pos})
				}
				names = names[1:]
				p.pos = pos
			}
		}
		level.pieces = append(level.pieces, p)
	}
	if !ok {
		return nil
	}
	return []outline{level}
}
