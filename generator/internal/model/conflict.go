package model

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/spelling"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// conflict returns the path of the number by which the last writer wins, or "". It reports types of
// the container that disagree about it, and a path that is not a number in every document. The rest
// of r must be complete.
func (d *member) conflict(r *templates.Type) string {
	path := d.Options.Conflict
	pos := d.Position()
	if offset := d.Options.ValueOffset("conflict"); offset >= 0 {
		pos = d.Options.At(offset)
	}
	for _, p := range d.peers {
		if p.Options.Conflict != path {
			d.Errorf(pos, "types %s and %s share the container %q, which has one conflict resolution policy, and theirs are %s and %s: write the same \"conflict\" on all types of the container",
				d.Name(), p.Name(), d.Container(), conflictText(path), conflictText(p.Options.Conflict))
			return ""
		}
	}
	if path == "" || path == annotations.TSPath {
		return path
	}
	names := strings.Split(path, "/")[1:]
	ref := d.ByPropertyPath(names)
	if ref == nil || ref.Property == nil {
		d.Errorf(pos, "no document of %s has %s: %s", d.Name(), path, d.pathAdvice(names))
		return ""
	}
	if reason := d.noDecision(r, ref); reason != "" {
		d.Errorf(pos, "%s cannot resolve conflicts, which takes a number in every document: %s", path, reason)
		return ""
	}
	if d.AliasKey(ref, "the conflict resolution policy") {
		return ""
	}
	return path
}

// conflictText returns the conflict option of a tag, for messages.
func conflictText(path string) string {
	switch path {
	case "":
		return "none"
	case annotations.TSPath:
		return `"lww"`
	}
	return `"lww:` + path + `"`
}

// pathAdvice returns advice for a path that is no property.
func (d *member) pathAdvice(names []string) string {
	const otherwise = "name the JSON property of a number, or write \"conflict=lww\", by which the time of the write decides"
	for i, name := range names {
		var known []string
		for _, p := range d.PropertiesAt(names[:i]) {
			known = append(known, p.Name)
			if p.Name != name && p.Field().Name() == name {
				return fmt.Sprintf("did you mean \"/%s\"? A path has the names of JSON", strings.Join(append(slices.Clone(names[:i]), p.Name), "/"))
			}
		}
		if slices.Contains(known, name) {
			continue
		}
		if near := spelling.Nearest(name, known); near != "" {
			return fmt.Sprintf("did you mean \"/%s\"?", strings.Join(append(slices.Clone(names[:i]), near), "/"))
		}
		break
	}
	return otherwise
}

// noDecision returns why a property cannot decide conflicts, or "". Without a number at the path
// the service compares the times of the writes, so one container would have two rules.
// https://learn.microsoft.com/azure/cosmos-db/how-to-manage-conflicts
func (d *member) noDecision(r *templates.Type, ref *facts.FieldRef) string {
	t := ref.Field().Type()
	basic, _ := t.Underlying().(*types.Basic)
	switch {
	case slices.Contains(facts.SystemProperties, ref.Property[0]) || ref.Property[0] == facts.MoveProperty:
		return fmt.Sprintf("the property %q has a meaning of its own; name another one", ref.Property[0])
	case d.Hiding(ref) != "":
		return "the struct " + d.Hiding(ref) + " writes JSON of its own; keep the number in a field of the document"
	case facts.OwnJSON(t):
		return fmt.Sprintf("field %s is of type %s, which writes JSON of its own; declare an integer, such as an int64 with the milliseconds of a time", ref.Selector, d.TypeString(t))
	case ref.JSON.Quoted:
		return fmt.Sprintf("the option \"string\" of its json tag writes field %s in quotes; remove the option", ref.Selector)
	case len(ref.Pointers) > 0:
		return "the pointer " + ref.Pointers[0] + " leads to it, which may be nil; use the struct by value"
	case facts.JSONKind(t) != "number" || basic == nil || basic.Info()&types.IsNumeric == 0:
		return fmt.Sprintf("field %s is of type %s; declare an integer or a float", ref.Selector, d.TypeString(t))
	case slices.ContainsFunc(AllComponents(r), func(c *pk.Component) bool { return c.Pointer == ref.Pointer() }):
		return fmt.Sprintf("field %s is in the key, or in the id of the container, so all versions of a document have the same value; name a property that grows with each write", ref.Selector)
	}
	if at := d.leftOut(ref); at != "" {
		return at + " is left out of the JSON while it is zero; remove omitempty and omitzero from its json tag"
	}
	if i := slices.IndexFunc(d.Roles, func(t *facts.Tagged) bool {
		return t.Later && len(t.Ref.Property) == 1 && t.Ref.Property[0] == ref.Property[0]
	}); i >= 0 {
		return fmt.Sprintf("old documents lack the property of field %s, as its \"later\" says; write \"conflict=lww\", or make a new container", d.Roles[i].Ref.Selector)
	}
	return ""
}

// leftOut returns the first property on the way to a field that JSON may omit, or "".
func (d *member) leftOut(ref *facts.FieldRef) string {
	for i, name := range ref.Property {
		for _, p := range d.PropertiesAt(ref.Property[:i]) {
			if p.Name == name && (p.OmitZero || p.OmitEmpty && i == len(ref.Property)-1) { // omitempty does not omit structs
				return fmt.Sprintf("%q", strings.Join(ref.Property[:i+1], "."))
			}
		}
	}
	return ""
}
