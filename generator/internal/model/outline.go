package model

import (
	"go/token"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
)

// outline is a level of the key, from tags or a template. Its fields are found, but not checked.
type outline struct {
	pieces []piece
	joined bool // a text even with a single field, by "pk,concat", for APIs whose keys are texts
}

// piece is a part of an outline: a part of a template with its fields.
type piece struct {
	annotations.Part
	operands []operand      // the field, or the hashed fields; nil for literals and random buckets
	was      []int          // of a bucket: pk.Bucket.Was
	next     int            // of a bucket: pk.Bucket.Next
	pos      token.Position // the position of its word
}

// buckets returns the number of buckets of a suffix, and 0 for other pieces.
func (p *piece) buckets() int {
	if p.Component == nil {
		return 0
	}
	return p.Component.Buckets
}

// field returns the field of a piece whose text is in the key, or nil.
func (p *piece) field() *facts.FieldRef {
	if p.Component == nil || p.Component.Buckets > 0 {
		return nil
	}
	return p.operands[0].ref
}

// operand is a field of a piece, with positions for messages.
type operand struct {
	ref                      *facts.FieldRef
	pos, formatPos, lowerPos token.Position
}

// time reports whether the field is a time, which takes a format.
func (o operand) time() bool {
	t := o.ref.Field().Type()
	return facts.IsTime(t) || facts.IsInstant(t)
}

// plain returns the field of a level that is a plain property, or nil.
func (o *outline) plain() *operand {
	if len(o.pieces) != 1 || o.joined {
		return nil
	}
	if p := &o.pieces[0]; p.field() != nil && p.Component.Format == "" && !p.Component.Lower {
		return &p.operands[0]
	}
	return nil
}

// templateOutline returns the outlines of the option key, or nil after an error.
func (d *subject) templateOutline(pks []*facts.Tagged) []outline {
	for _, t := range pks {
		d.Errorf(t.Word("pk"), "field %s is tagged \"pk\", and \"key\" on the blank field already defines the whole key: keep one of them", t.Ref.Selector)
	}
	if len(d.Options.Key.Levels) == 0 {
		return nil // reported by the parser of tags
	}
	o, ok := d.outlineOf("key", d.Options.Key, d.Options.KeyPaths, d.KeyPosition())
	if !ok || len(pks) > 0 {
		return nil
	}
	for i := range o.pieces {
		if p := &o.pieces[i]; p.buckets() > 0 {
			p.was, p.next = d.Options.Was, d.Options.Next
		}
	}
	return []outline{o}
}

// outlineOf returns the outline of a template of one level, as outlinesOf does.
func (d *subject) outlineOf(word string, t annotations.Template, paths []annotations.Path, pos token.Position) (o outline, ok bool) {
	levels, ok := d.outlinesOf(word, t, paths, pos)
	return levels[0], ok
}

// outlinesOf returns the outlines of a template in a word of a blank field, with the paths of its
// fields. It returns false after an error: a missing field is nil.
func (d *subject) outlinesOf(word string, t annotations.Template, paths []annotations.Path, pos token.Position) (levels []outline, ok bool) {
	ok = true
	for _, level := range t.Levels {
		var o outline
		for _, part := range level {
			p := piece{Part: part, pos: pos}
			if part.Component != nil {
				for _, path := range paths[:len(part.Component.Fields)] {
					p.pos = d.Options.At(path.Offset)
					ref := d.NamedField(word, path.Text, p.pos)
					ok = ok && ref != nil
					p.operands = append(p.operands, operand{ref: ref, pos: p.pos, formatPos: p.pos, lowerPos: p.pos})
				}
				paths = paths[len(part.Component.Fields):]
			}
			o.pieces = append(o.pieces, p)
		}
		levels = append(levels, o)
	}
	return levels, ok
}
