package model

import (
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// build makes a key from outlines, one for each level. It returns nil after an error.
func (d *subject) build(levels []outline, leveled bool, id pk.Field) *key {
	k := &key{subject: d, leveled: leveled, Key: pk.Key{Levels: make([]pk.Level, len(levels)), Escape: d.Options.Escape}, refs: make([]*facts.FieldRef, len(levels))}
	for i := range levels {
		k.Levels[i] = d.buildLevel(&levels[i])
		if !d.Failed {
			d.apiKey(&levels[i], k.Levels[i])
		}
		if operand := levels[i].plain(); operand != nil {
			k.refs[i] = operand.ref
		}
	}
	d.distinct(levels)
	d.oneGrows(levels)
	if d.Failed {
		return nil
	}
	k.plain = !slices.ContainsFunc(k.Levels, func(l pk.Level) bool { return l.Made })
	if k.Escape && k.plain {
		d.Errorf(d.Options.At(d.Options.Offset("escape")), "\"escape\" percent-encodes the components of a synthetic key, but the key is a plain property: remove it")
	}
	k.kind = k.kindOf()
	if !leveled {
		k.Levels[0].Made = k.kind == templates.Synthetic
	}
	k.containers = d.containers(k.Key)
	k.row = d.row(id)
	nameComponents(slices.Concat(k.Components(), pk.Level{Parts: k.containers}.Components(), rowNames(k.row, id.Selector)), id.Name)
	if d.Failed {
		return nil
	}
	return k
}

// kindOf returns the kind of the key.
func (k *key) kindOf() templates.Kind {
	switch {
	case k.leveled:
		return templates.Hierarchical
	case k.plain && k.isID(k.refs[0]):
		return templates.ItemID
	case !k.plain || k.Levels[0].Value().Marshaled():
		// The JSON of a type with a text form is that text, so writing it to the field's own
		// property changes nothing.
		return templates.Synthetic
	}
	return templates.Natural
}

// isID reports whether a field is the item id, by its tag or, in a template, by its property.
func (d *subject) isID(ref *facts.FieldRef) bool {
	if d.Options.Offset("key") >= 0 && slices.Equal(ref.Property, []string{facts.IDProperty}) {
		return true
	}
	return slices.ContainsFunc(d.Roles, func(t *facts.Tagged) bool { return t.ID && t.PK && ref.Same(t.Ref) })
}

// buildLevel makes a level of the key.
func (d *subject) buildLevel(o *outline) pk.Level {
	level := pk.Level{Made: o.plain() == nil}
	u := part
	if !level.Made {
		u = natural
	}
	for _, p := range o.pieces {
		if p.buckets() > 0 {
			level.Parts = append(level.Parts, d.bucket(o, p))
			continue
		}
		level.Parts = append(level.Parts, pk.PartOf(p.Part, func(int) pk.Component {
			c, _ := d.component(p.operands[0], u, p.Component.Format, p.Component.Lower)
			return c
		}))
	}
	d.digits(o, level)
	return level
}

// bucket makes the suffix p of a level.
func (d *subject) bucket(o *outline, p piece) pk.Part {
	times := slices.ContainsFunc(p.operands, operand.time)
	texts := slices.ContainsFunc(p.operands, func(o operand) bool { return facts.IsString(o.ref.Field().Type()) })
	fresh, ok := p.operands == nil, true
	if moves := p.operands != nil && (p.was != nil || p.next > 0); moves && d.ByProperty(facts.MoveProperty) != nil {
		d.Errorf(p.pos, "the bucket count grows, and the run time marks documents that move by the property "+facts.MoveProperty+", which is a field of this type: rename the field's property first")
	}
	bucket := pk.PartOf(p.Part, func(i int) pk.Component {
		field := p.operands[i]
		if slices.ContainsFunc(p.operands[:i], func(before operand) bool { return before.ref.Same(field.ref) }) {
			d.Errorf(field.pos, "field %s is hashed twice, which adds nothing: remove one", field.ref.Selector)
			ok = false
			return pk.Component{}
		}
		// A format applies to times, lower to texts.
		format, lower := p.Component.Format, p.Component.Lower
		if times && !field.time() {
			format = ""
		}
		if texts && !facts.IsString(field.ref.Field().Type()) {
			lower = false
		}
		fresh = fresh || !slices.ContainsFunc(o.pieces, func(other piece) bool {
			return other.field() != nil && field.ref.Same(other.field()) && (format == "" || format == other.Component.Format)
		})
		c, good := d.component(field, hashed, format, lower)
		ok = ok && good
		if good && c.Value == pk.Time {
			d.Note(annotations.NoteHashedTime, field.pos, "no query by "+field.ref.Selector+" is generated, because it is hashed as a time, whose JSON cannot be compared with a period; to query by the period, hash a string field that holds it")
		}
		return c
	})
	if ok && !fresh {
		d.Errorf(p.pos, "the suffix is computed only from fields of the key, so it spreads nothing: all documents with the same base get the same bucket; hash another field, one that differs between them")
	}
	bucket.Bucket.Was, bucket.Bucket.Next = p.was, p.next
	return bucket
}

// digits checks that digits of a component are not adjacent to digits of fixed text.
func (d *subject) digits(o *outline, level pk.Level) {
	numeric := func(p pk.Part) bool {
		return p.Bucket != nil || p.Component != nil &&
			slices.Contains([]pk.Value{pk.Int, pk.Uint, pk.Time}, p.Component.Value)
	}
	for i := 1; i < len(level.Parts)-1; i++ {
		text := level.Parts[i].Literal
		before, after := level.Parts[i-1], level.Parts[i+1]
		var near pk.Part
		switch {
		case text == "":
			continue
		case numeric(after) && isDigit(text[len(text)-1]):
			near = after
		case numeric(before) && isDigit(text[0]):
			near = before
		default:
			continue
		}
		what := "the bucket"
		if near.Component != nil {
			what = near.Component.Selector
		}
		d.Errorf(o.pieces[i].pos, "separator %q holds a digit, which reads like a part of %s: choose a sign, such as \"-\"", text, what)
		return
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// distinct checks that no field is in the key twice, as a text or as a level.
func (d *subject) distinct(levels []outline) {
	var plain []*operand
	for i := range levels {
		var texts []operand
		for _, p := range levels[i].pieces {
			if p.field() == nil {
				continue
			}
			if slices.ContainsFunc(texts, func(o operand) bool { return o.ref.Same(p.operands[0].ref) }) {
				d.Errorf(p.operands[0].pos, "field %s is in the key already: remove one", p.operands[0].ref.Selector)
			}
			texts = append(texts, p.operands[0])
		}
		if operand := levels[i].plain(); operand != nil {
			plain = append(plain, operand)
		}
	}
	for i, field := range plain {
		if slices.ContainsFunc(plain[:i], func(before *operand) bool { return before.ref.Same(field.ref) }) {
			d.Errorf(field.pos, "field %s is a level already, and a second one spreads nothing: remove one", field.ref.Selector)
		}
	}
}

// oneGrows checks that a key with a growing number of buckets has only one bucket: otherwise a
// document could be stored under each pair of numbers.
func (d *subject) oneGrows(levels []outline) {
	buckets := 0
	var grows *piece
	for i := range levels {
		for j := range levels[i].pieces {
			p := &levels[i].pieces[j]
			if p.buckets() == 0 {
				continue
			}
			buckets++
			if p.was != nil || p.next != 0 {
				grows = p
			}
		}
	}
	if grows != nil && buckets > 1 {
		d.Errorf(grows.pos, "the key has %d suffixes, and a bucket count can grow only in a key with one: remove \"was\" and \"next\"", buckets)
	}
}

// nameComponents names a nested field by its whole path if the id or another field has its own
// name.
func nameComponents(all []*pk.Component, idName string) {
	for _, c := range all {
		taken := c.Name == "ID" || c.Name == idName
		for _, other := range all {
			taken = taken || other.Name == c.Name && other.Selector != c.Selector
		}
		if taken && c.Selector != c.Name {
			c.Name = strings.ReplaceAll(c.Selector, ".", "")
		}
	}
}

// key says how the partition key of a document is made.
type key struct {
	*subject
	kind templates.Kind
	pk.Key
	leveled    bool              // the key is hierarchical, and may have several levels
	plain      bool              // all levels are plain properties
	refs       []*facts.FieldRef // by level: the field of a plain property, or nil
	row        []pk.Part         // of the template of row keys; nil if the row key is the id
	containers []pk.Part         // of the template of containers; nil if there is one container
}
