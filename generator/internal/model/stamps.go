package model

import (
	"fmt"
	"go/types"
	"slices"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// stamps returns the fields that the run time sets with each write, or nil. The rest of r must be
// complete.
func (k *key) stamps(r *templates.Type) *templates.Stamps {
	var s templates.Stamps
	s.Created = k.stamp(r, "created", "the time when the document was created", func(t *facts.Tagged) bool { return t.Created })
	s.Updated = k.stamp(r, "updated", "the time of the last write", func(t *facts.Tagged) bool { return t.Updated })
	s.Version = k.stamp(r, "version", "the version", func(t *facts.Tagged) bool { return t.Version })
	if s == (templates.Stamps{}) || k.API() != "" {
		return nil
	}
	return &s
}

// stampFields returns the fields of a type's stamps.
func stampFields(t *templates.Type) []*pk.Field {
	if t.Stamps == nil {
		return nil
	}
	return slices.DeleteFunc([]*pk.Field{t.Stamps.Created, t.Stamps.Updated, t.Stamps.Version}, func(f *pk.Field) bool { return f == nil })
}

// stamp returns the field of one stamp, or nil.
func (k *key) stamp(r *templates.Type, word, what string, has func(*facts.Tagged) bool) *pk.Field {
	unfit, value := k.noTime, pk.Time
	if word == "version" {
		unfit, value = k.noCount, pk.Int
	}
	t := k.filled(r, word, what, has, func(t *facts.Tagged) string { return unfit(t.Ref.Field().Type()) })
	if t == nil {
		return nil
	}
	if f, ok := k.field(t.Ref, value, t.Word(word)); ok {
		return &f
	}
	return nil
}

// filled returns the tag of the field that the run time fills, or nil if there is none, or the
// field cannot hold the value. Unfit returns why the field's type does not fit, or "".
func (k *key) filled(r *templates.Type, word, what string, has func(*facts.Tagged) bool, unfit func(*facts.Tagged) string) *facts.Tagged {
	t := k.Role(word, has)
	if t == nil || k.API() != "" || !k.holds(t.Ref, what, t.Word(word)) { // the API has reported the word
		return nil
	}
	reason := unfit(t)
	if reason == "" {
		reason = k.noStamp(r, t.Ref)
	}
	if reason != "" {
		k.Errorf(t.Word(word), "field %s cannot hold %s: %s", t.Ref.Selector, what, reason)
		return nil
	}
	return t
}

// noTime returns why a type cannot hold the time of a stamp, or "".
func (k *key) noTime(t types.Type) string {
	if !facts.IsInstant(t) {
		return "it is of type " + k.TypeString(t) + "; declare it as a repository.Time, whose texts sort by time"
	}
	return ""
}

// noCount returns why a type cannot hold a version, or "".
func (k *key) noCount(t types.Type) string {
	const remedy = "; declare it as an int, an int64, or another integer of at least 32 bits"
	basic, ok := t.Underlying().(*types.Basic)
	switch {
	case !ok:
		return "it is of type " + k.TypeString(t) + remedy
	case slices.Contains([]types.BasicKind{types.Int8, types.Int16, types.Uint8, types.Uint16}, basic.Kind()):
		return "it is of type " + k.TypeString(t) + ", and documents may be written more often" + remedy
	}
	if reason := k.noInteger(t); reason != "" {
		return reason + remedy
	}
	return ""
}

// noStamp returns why a field of a suitable type cannot be a stamp, or "".
func (k *key) noStamp(r *templates.Type, ref *facts.FieldRef) string {
	used := func(c *pk.Component) bool { return c.Pointer == ref.Pointer() }
	switch {
	case len(ref.Property) != 1:
		return fmt.Sprintf("its property is %q, in an object, and the run time sets only top-level properties; declare it in the struct of the document, or in one that it embeds", ref.PropertyPath())
	case len(ref.Pointers) > 0:
		return "the pointer " + ref.Pointers[0] + " leads to it, which may be nil; embed the struct by value"
	case k.Hiding(ref) != "":
		return "the struct " + k.Hiding(ref) + " writes JSON of its own; declare the field in the struct of the document"
	case slices.Contains(facts.SystemProperties, ref.Property[0]) || ref.Property[0] == facts.MoveProperty:
		return fmt.Sprintf("its property %q has a meaning of its own; give it another JSON name", ref.Property[0])
	case slices.ContainsFunc(AllComponents(r), used):
		return "it is in the key, or in the id of the container, which do not change; choose another field for the one or the other"
	}
	return ""
}
