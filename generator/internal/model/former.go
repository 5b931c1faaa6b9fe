package model

import (
	"go/types"
	"slices"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/spelling"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// Formers finds the types from which documents move to others. It reports differences, other than
// the key, that prevent a move.
func Formers(found []*Candidate) {
	for _, c := range found {
		if c.Options.Formerly == "" || c.Model == nil {
			continue
		}
		if former := c.former(found); former != nil && c.movesFrom(former) {
			c.Model.Rendered.Former = former.Model.Rendered
		}
	}
}

// former returns the candidate that a type names, or nil after an error.
func (c *Candidate) former(found []*Candidate) *Candidate {
	name := c.Options.Formerly
	pos := c.Options.At(c.Options.ValueOffset("formerly"))
	var all []string
	for _, other := range found {
		if other.Name() != name {
			all = append(all, other.Name())
			continue
		}
		if other.Model == nil {
			c.Errorf(pos, "documents move from type %s, which has errors: correct them first", name)
			return nil
		}
		return other
	}
	advice := "keep the struct with the tags of the earlier layout under this name"
	if near := spelling.Nearest(name, all); near != "" {
		advice = "did you mean " + near + "?"
	}
	c.Errorf(pos, "this package has no document type %s: %s", name, advice)
	return nil
}

// movesFrom reports whether documents of a former type can move, and reports what prevents it.
func (c *Candidate) movesFrom(former *Candidate) bool {
	now, then := c.Model.Rendered, former.Model.Rendered
	wrong := ""
	switch {
	case !types.ConvertibleTo(types.NewPointer(c.Document.Named), types.NewPointer(former.Document.Named)):
		wrong = "their fields differ: declare the same fields of the same types in the same order, and a blank field in both or in none; only tags may differ"
	case !sameJSON(c, former):
		wrong = "their JSON properties differ: change these before documents move, or afterwards, as docs/evolution.md says"
	case now.ID.Selector != then.ID.Selector || now.Prefix != then.Prefix:
		wrong = "their ids differ, and a document keeps its id: tag the same field, with the same prefix"
	case !same(now.Discriminator, then.Discriminator, sameDiscriminator):
		wrong = "their documents have different types: write the same \"type=\" in both, in containers of the same types"
	case selectorOf(now.ETag) != selectorOf(then.ETag) || selectorOf(now.Rest) != selectorOf(then.Rest):
		wrong = "other fields hold the ETag or the unknown properties: tag the same fields in both"
	case random(then):
		wrong = "a random suffix cannot be computed from the document: move the documents by pkgen-data migrate"
	case moving(then):
		wrong = "a bucket count is growing: finish that first, until no tag has \"was\" or \"next\""
	case !same(now.Stamps, then.Stamps, sameStamps):
		wrong = "their stamps differ: tag the same fields \"created\", \"updated\" and \"version\" in both"
	case !same(now.Deleted, then.Deleted, sameDeleted):
		wrong = "their marks of deletion differ: tag the same field, with the same \"purge\", in both"
	case then.Unique != nil:
		wrong = "documents of " + former.Name() + " have unique values: remove \"unique\" there before they move"
	case !same(now.Schema, then.Schema, sameSchema):
		wrong = "their schema numbers differ, and programs write both containers: tag the same field, with the same number, in both"
	case then.Conflict != "":
		wrong = "documents of " + former.Name() + " may be written in several regions, but an ETag protects only within one, so a write in another region could be lost while its document moves: move them while the account has one write region, with \"conflict\" on neither type"
	case then.Indexes != nil:
		wrong = "the indexes of " + former.Name() + " would lose the documents that move: remove them there first, and write \"index\" here when the move is over"
	case then.Containers != nil || then.Own != nil:
		wrong = "the documents of " + former.Name() + " are in several containers: copy them by a program that reads one repository and writes the other"
	case c != former && c.Container() == former.Container():
		wrong = "both are in the container " + c.Container() + ": write another \"container=\""
	case c.Document.ByProperty(facts.MoveProperty) != nil:
		wrong = "the run time marks documents that move by the property " + facts.MoveProperty + ", which is a field here: give it another JSON name"
	}
	if wrong == "" {
		return true
	}
	c.Errorf(c.Options.At(c.Options.ValueOffset("formerly")), "documents cannot move from type %s to %s: %s", former.Name(), c.Name(), wrong)
	return false
}

// same reports whether two values are both nil, or alike.
func same[T any](a, b *T, alike func(a, b *T) bool) bool {
	if a == nil || b == nil {
		return a == b
	}
	return alike(a, b)
}

func sameStamps(a, b *templates.Stamps) bool {
	return selectorOf(a.Created) == selectorOf(b.Created) && selectorOf(a.Updated) == selectorOf(b.Updated) && selectorOf(a.Version) == selectorOf(b.Version)
}

func sameDeleted(a, b *templates.Deleted) bool {
	return a.Field.Selector == b.Field.Selector && a.Seconds == b.Seconds
}

func sameSchema(a, b *templates.Schema) bool {
	return a.Field.Selector == b.Field.Selector && a.Number == b.Number
}

// sameJSON reports whether encoding/json writes the same properties for both types.
func sameJSON(a, b *Candidate) bool {
	return slices.EqualFunc(a.Document.PropertiesAt(nil), b.Document.PropertiesAt(nil), func(p, q facts.Property) bool {
		return p.Name == q.Name && p.Field().Name() == q.Field().Name() && p.Quoted == q.Quoted && p.OmitEmpty == q.OmitEmpty && p.OmitZero == q.OmitZero
	})
}

func sameDiscriminator(a, b *templates.Discriminator) bool {
	return a.Property == b.Property && a.Value == b.Value && slices.Equal(a.Others, b.Others)
}

func selectorOf(f *pk.Field) string {
	if f == nil {
		return ""
	}
	return f.Selector
}

func random(t *templates.Type) bool { return slices.ContainsFunc(t.Levels, pk.Level.Random) }

// moving reports whether documents may be stored under several numbers of buckets.
func moving(t *templates.Type) bool {
	before, next := t.Growth()
	return before > 0 || next > 0
}
