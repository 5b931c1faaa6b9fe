package model

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// The defaults of a type's options.
const (
	defaultPath      = "/partitionKey"
	defaultSep       = "-"
	defaultSuffixSep = "."
)

// key returns the partition key, without the paths of its levels, or nil after an error. No
// component has the name of the id.
func (d *subject) key(id pk.Field) *key {
	var pks []*facts.Tagged
	for _, t := range d.Roles {
		if t.PK {
			pks = append(pks, t)
		}
	}
	var levels []outline
	leveled := false
	switch {
	case d.Options.Offset("key") >= 0:
		levels = d.templateOutline(pks)
	case len(pks) == 0:
		if outer := d.Untagged(); outer != "" {
			d.Lacksf(d.Position(), "type %s has no partition key, and %s, which embeds it, has no cosmos tags: for a document %[2]s, tag a field of it `cosmos:\"pk\"`, or add `_ struct{}` with `cosmos:\"key={…}\"` to it", d.Name(), outer)
		} else {
			d.Lacksf(d.Position(), "type %s has no partition key: tag a field `cosmos:\"pk\"`, or the id `cosmos:\"id,pk\"`", d.Name())
		}
	case slices.ContainsFunc(pks, func(t *facts.Tagged) bool { return t.Offset("level") >= 0 }):
		levels, leveled = d.levelOutlines(pks), true
	default:
		levels = d.tagOutline(pks)
	}
	if levels == nil {
		return nil
	}
	return d.build(levels, leveled, id)
}

// tagOutline returns the outline of a key of one level from the fields tagged pk, or nil after an
// error.
func (d *subject) tagOutline(pks []*facts.Tagged) []outline {
	if !d.concatenated(pks) || !d.inOrder(pks) || !d.suffixAtEnd(pks) || !d.separators(pks) {
		return nil
	}
	last := pks[len(pks)-1]
	pos := d.KeyPosition()
	if offset := d.Options.ValueOffset("sep"); offset >= 0 {
		pos = d.Options.At(offset)
	}
	level := outline{joined: last.Concat && d.API() != ""}
	for i, t := range pks {
		if i > 0 {
			level.pieces = append(level.pieces, literal(d.sep(), pos))
		}
		level.pieces = append(level.pieces, pieceOf(t))
	}
	level.pieces = append(level.pieces, d.suffix(last)...)
	return []outline{level}
}

// levelOutlines returns the outlines of a hierarchical key from the fields tagged pk, or nil after
// an error.
func (d *subject) levelOutlines(pks []*facts.Tagged) []outline {
	ordered := make([]*facts.Tagged, len(pks))
	for _, t := range pks {
		switch {
		case t.Offset("level") < 0:
			d.Errorf(t.Word("pk"), "field %s has no level, and other fields of the key have: write \"pk,level=%d\"", t.Ref.Selector, min(len(pks), annotations.MaxLevels-1))
		case t.Level == 0: // reported by the parser of tags
		case t.Level > len(pks):
			d.Errorf(t.At(t.ValueOffset("level")), "level %d of %s follows no level %d: number the levels from 1 without gaps", t.Level, t.Ref.Selector, t.Level-1)
		case ordered[t.Level-1] != nil:
			d.Errorf(t.At(t.ValueOffset("level")), "field %s is a second level %d besides %s: a level is one value; give each field a level of its own", t.Ref.Selector, t.Level, ordered[t.Level-1].Ref.Selector)
		default:
			ordered[t.Level-1] = t
		}
	}
	suffixed := func(t *facts.Tagged) bool { return t.Hash != nil || t.Random }
	if offset := d.Options.Offset("sep"); offset >= 0 {
		d.Errorf(d.Options.At(offset), "\"sep\" separates concat fields, and the key has levels: remove it")
	}
	if offset := d.Options.Offset("suffixsep"); offset >= 0 && !slices.ContainsFunc(pks, suffixed) {
		d.Errorf(d.Options.At(offset), "\"suffixsep\" comes before a suffix, and no level has one: remove it, or tag a level with \"hashsuffix\" or \"randomsuffix\"")
	}
	if slices.Contains(ordered, nil) || !d.idLevel(ordered) {
		return nil // reported before
	}
	levels := make([]outline, len(ordered))
	for i, t := range ordered {
		levels[i].pieces = append([]piece{pieceOf(t)}, d.suffix(t)...)
		if i > 0 && suffixed(t) {
			d.Note(annotations.NoteLevelSuffix, t.Word("level"), fmt.Sprintf("a suffix on level %d does not spread the documents of one busy %s, whose keys all begin alike: to spread them, put it on level 1", i+1, ordered[0].Ref.Selector))
		}
	}
	return levels
}

// idLevel checks that the item id, if it is a level, is the last one and unchanged: Cosmos DB
// allows four levels only then, and a level below the id would spread nothing.
func (d *subject) idLevel(levels []*facts.Tagged) bool {
	ok := true
	fail := func(pos token.Position, format string, args ...any) {
		d.Errorf(pos, format, args...)
		ok = false
	}
	for i, t := range levels {
		at, last := t.At(t.ValueOffset("level")), i == len(levels)-1
		if !slices.Equal(t.Ref.Property, []string{facts.IDProperty}) {
			if i == annotations.MaxLevels-1 {
				fail(at, "the fourth level of a hierarchical key has to be the item id, and %s is not: leave a level out, or tag the id \"id,pk,level=4\"", t.Ref.Selector)
			}
			continue
		}
		switch {
		case !last:
			fail(at, "field %s is the item id, which differs for each document, so a level below it spreads nothing: make it the last level, \"id,pk,level=%d\", or no level", t.Ref.Selector, len(levels))
		case !t.ID:
			fail(t.Word("pk"), "field %s is the item id: tag it \"id,pk,level=%d\"", t.Ref.Selector, t.Level)
		}
		for _, word := range []string{"lower", "format", "hashsuffix", "randomsuffix"} {
			if t.Offset(word) >= 0 {
				fail(t.Word(word), "field %s is the item id, and as a level it has to be the id as it is: remove \"%s\", or leave the id out of the key", t.Ref.Selector, word)
			}
		}
	}
	return ok
}

// pieceOf returns the piece of a tagged field.
func pieceOf(t *facts.Tagged) piece {
	return piece{
		Part:     annotations.Part{Component: &annotations.Component{Fields: []string{t.Ref.Selector}, Format: t.Format, Lower: t.Lower}},
		operands: []operand{{ref: t.Ref, pos: t.Word("pk"), formatPos: t.At(t.ValueOffset("format")), lowerPos: t.Word("lower")}},
		pos:      t.Word("pk"),
	}
}

// literal is text between components.
func literal(text string, pos token.Position) piece {
	return piece{Part: annotations.Part{Literal: text}, pos: pos}
}

// suffix returns the pieces of a suffix, from the tag of the last field.
func (d *subject) suffix(t *facts.Tagged) []piece {
	if t.Hash == nil && !t.Random {
		return nil
	}
	suffix := &annotations.Component{Buckets: t.Buckets}
	bucket := piece{Part: annotations.Part{Component: suffix}, was: t.Was, next: t.Next, pos: t.At(max(t.ValueOffset("hashsuffix"), t.Offset("randomsuffix")))}
	for _, p := range t.Hash {
		pos := t.At(p.Offset)
		if ref := d.NamedField("hashsuffix", p.Text, pos); ref != nil {
			suffix.Fields = append(suffix.Fields, p.Text)
			bucket.operands = append(bucket.operands, operand{ref: ref, pos: pos, formatPos: pos, lowerPos: pos})
		}
	}
	return []piece{literal(d.suffixSep(), bucket.pos), bucket}
}

// concatenated checks that several fields declare how they make one key.
func (d *subject) concatenated(pks []*facts.Tagged) bool {
	if len(pks) == 1 {
		t := pks[0]
		if t.Concat && t.Hash == nil && !t.Random && t.Format == "" && !t.Lower && d.API() == "" {
			d.Errorf(t.Word("concat"), "nothing to concatenate: %s is the only field of the key; write \"pk\" alone, or tag a second field \"pk,concat\"", t.Ref.Selector)
			return false
		}
		return true
	}
	for i, t := range slices.Backward(pks) {
		if t.Concat {
			continue
		}
		other := pks[0]
		if i == 0 {
			other = pks[1]
		}
		d.Errorf(t.Word("pk"), "field %s is a second partition key besides %s: tag both \"pk,concat\" to join them, \"pk,level=1\" and \"pk,level=2\" for a hierarchical key, or leave \"pk\" on one",
			t.Ref.Selector, other.Ref.Selector)
		return false
	}
	return true
}

// inOrder sorts the fields by the order in their tags.
func (d *subject) inOrder(pks []*facts.Tagged) bool {
	if !slices.ContainsFunc(pks, func(t *facts.Tagged) bool { return t.Order > 0 }) {
		return true
	}
	ok := true
	for i, t := range pks {
		if t.Offset("order") < 0 {
			d.Errorf(t.Word("concat"), "field %s has no order, and other fields of the key have: write \"order\" on all of them, or on none", t.Ref.Selector)
			ok = false
		}
		same := slices.IndexFunc(pks[:i], func(other *facts.Tagged) bool { return t.Order > 0 && other.Order == t.Order })
		if same >= 0 {
			d.Errorf(t.At(t.ValueOffset("order")), "field %s has order %d, as %s has: give each its own", t.Ref.Selector, t.Order, pks[same].Ref.Selector)
			ok = false
		}
	}
	slices.SortStableFunc(pks, func(a, b *facts.Tagged) int { return cmp.Compare(a.Order, b.Order) })
	return ok
}

// suffixAtEnd checks that only the last of several fields has a suffix.
func (d *subject) suffixAtEnd(pks []*facts.Tagged) bool {
	last := pks[len(pks)-1]
	ok := true
	for _, t := range pks[:len(pks)-1] {
		for _, word := range []string{"hashsuffix", "randomsuffix"} {
			if t.Offset(word) >= 0 {
				d.Errorf(t.Word(word), "a suffix follows the whole key: move it to the last concat field, %s", last.Ref.Selector)
				ok = false
			}
		}
	}
	return ok
}

// separators checks that the separators in the type's options are used.
func (d *subject) separators(pks []*facts.Tagged) bool {
	last := pks[len(pks)-1]
	ok := true
	if d.Options.Offset("sep") >= 0 && len(pks) == 1 {
		d.Errorf(d.Options.At(d.Options.Offset("sep")), "\"sep\" separates concat fields, and the key has one field: remove it")
		ok = false
	}
	if d.Options.Offset("suffixsep") >= 0 && last.Hash == nil && !last.Random {
		d.Errorf(d.Options.At(d.Options.Offset("suffixsep")), "\"suffixsep\" comes before a suffix, and the key has none: remove it, or tag %s with \"hashsuffix\" or \"randomsuffix\"", last.Ref.Selector)
		ok = false
	}
	return ok
}

func (d *subject) sep() string { return cmp.Or(d.Options.Sep, defaultSep) }

func (d *subject) suffixSep() string { return cmp.Or(d.Options.SuffixSep, defaultSuffixSep) }
