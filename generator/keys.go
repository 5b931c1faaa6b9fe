package generator

import (
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/spelling"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// What the options of a type are when nobody says otherwise.
const (
	defaultPath      = "/partitionKey"
	defaultSep       = "-"
	defaultSuffixSep = "."
)

// keys fills in the kind of m's key and its parts. It returns false after an
// error.
func (d *document) keys(m *templates.Type) bool {
	var pks []*tagged
	for _, t := range d.roles {
		if t.PK {
			pks = append(pks, t)
		}
	}
	if len(pks) == 0 {
		d.errorf(d.position(), "type %s has no partition key: tag a field `cosmos:\"pk\"`, or the id `cosmos:\"id,pk\"`", d.name())
		return false
	}
	last := pks[len(pks)-1]
	if !d.concatenated(pks) || !d.suffixAtEnd(pks) {
		return false
	}
	d.plain = len(pks) == 1 && !last.Concat && last.Hash == nil && !last.Random && last.Format == ""
	switch {
	case d.plain && last.ID:
		m.Kind = templates.ItemID
	case d.plain:
		m.Kind = templates.Natural
	default:
		m.Kind = templates.Synthetic
	}
	if !d.separators(pks) {
		return false
	}
	ok := true
	for i, t := range pks {
		u := part
		if d.plain {
			u = natural
		}
		c, good := d.component(t.ref, u, t.Format, t.word("pk"), t.at(t.ValueOffset("format")))
		ok = ok && good
		if i > 0 {
			m.Parts = append(m.Parts, templates.Part{Literal: d.sep()})
		}
		m.Parts = append(m.Parts, templates.Part{Component: &c})
	}
	if d.plain && isText(m.Parts[0].Component.Value) {
		m.Kind = templates.Synthetic // its JSON is its text, so writing that to its own property changes nothing
	}
	if good := d.signs(m); !good {
		return false
	}
	ok = d.suffix(m, last, pks) && ok
	nameComponents(m)
	return ok
}

// nameComponents gives a field deep in the document the name of its whole path
// where its own name is that of the id or of another field.
func nameComponents(m *templates.Type) {
	var all []*templates.Component
	for _, p := range m.Parts {
		if p.Component != nil {
			all = append(all, p.Component)
		}
		if p.Bucket != nil {
			for i := range p.Bucket.Hash {
				all = append(all, &p.Bucket.Hash[i])
			}
		}
	}
	for _, c := range all {
		taken := c.Name == "ID" || c.Name == m.ID.Name
		for _, other := range all {
			taken = taken || other.Name == c.Name && other.Selector != c.Selector
		}
		if taken && c.Selector != c.Name {
			c.Name = strings.ReplaceAll(c.Selector, ".", "")
		}
	}
}

// isText reports whether a method makes the text of a component.
func isText(v templates.Value) bool { return v == templates.Text || v == templates.TextPtr }

// concatenated checks that several fields say how they make one key.
func (d *document) concatenated(pks []*tagged) bool {
	if len(pks) == 1 {
		t := pks[0]
		if t.Concat && t.Hash == nil && !t.Random && t.Format == "" {
			d.errorf(t.word("concat"), "nothing to concatenate: %s is the only field of the key; write \"pk\" alone, or tag a second field \"pk,concat\"", t.ref.selector)
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
		d.errorf(t.word("pk"), "field %s is a second partition key beside %s: tag both \"pk,concat\" to join them, or leave \"pk\" on one; hierarchical keys are not supported yet",
			t.ref.selector, other.ref.selector)
		return false
	}
	return true
}

// suffixAtEnd checks that only the last of several fields has a suffix.
func (d *document) suffixAtEnd(pks []*tagged) bool {
	last := pks[len(pks)-1]
	ok := true
	for _, t := range pks[:len(pks)-1] {
		for _, word := range []string{"hashsuffix", "randomsuffix"} {
			if t.Offset(word) >= 0 {
				d.errorf(t.word(word), "a suffix follows the whole key: move it to the last concat field, %s", last.ref.selector)
				ok = false
			}
		}
	}
	return ok
}

// separators checks that the options of the type have something to separate.
func (d *document) separators(pks []*tagged) bool {
	last := pks[len(pks)-1]
	ok := true
	if d.options.Offset("sep") >= 0 && len(pks) == 1 {
		d.errorf(d.options.at(d.options.Offset("sep")), "\"sep\" separates concat fields, and the key has one field: remove it")
		ok = false
	}
	if d.options.Offset("suffixsep") >= 0 && last.Hash == nil && !last.Random {
		d.errorf(d.options.at(d.options.Offset("suffixsep")), "\"suffixsep\" stands before a suffix, and the key has none: remove it, or tag %s with \"hashsuffix\" or \"randomsuffix\"", last.ref.selector)
		ok = false
	}
	return ok
}

// signs checks that digits of a component do not run into digits of the
// separator.
func (d *document) signs(m *templates.Type) bool {
	if len(m.Parts) == 1 || !strings.ContainsAny(d.sep(), "0123456789") {
		return true
	}
	for _, p := range m.Parts {
		if c := p.Component; c != nil && slices.Contains([]templates.Value{templates.Int, templates.Uint, templates.Time}, c.Value) {
			d.errorf(d.options.at(d.options.ValueOffset("sep")), "separator %q holds a digit, which reads like a part of %s: choose a sign, such as \"-\"", d.sep(), c.Selector)
			return false
		}
	}
	return true
}

func (d *document) sep() string { return or(d.options.Sep, defaultSep) }

func (d *document) suffixSep() string { return or(d.options.SuffixSep, defaultSuffixSep) }

// or returns text, or the other one when it is empty.
func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// suffix adds the suffix that the last field of the key asks for.
func (d *document) suffix(m *templates.Type, last *tagged, pks []*tagged) bool {
	if last.Hash == nil && !last.Random {
		return true
	}
	bucket := &templates.Bucket{Count: last.Buckets}
	fresh, ok := last.Random, true
	var seen []*fieldRef
	for _, p := range last.Hash {
		pos := last.at(p.Offset)
		ref := d.hashField(p.Text, pos)
		if ref == nil {
			ok = false
			continue
		}
		if slices.ContainsFunc(seen, ref.same) {
			d.errorf(pos, "field %s is hashed twice, which adds nothing: remove one", ref.selector)
			ok = false
			continue
		}
		seen = append(seen, ref)
		fresh = fresh || !slices.ContainsFunc(pks, func(t *tagged) bool { return ref.same(t.ref) })
		c, good := d.component(ref, hashed, "", pos, pos)
		ok = ok && good
		bucket.Hash = append(bucket.Hash, c)
	}
	if ok && !fresh {
		d.errorf(last.at(last.ValueOffset("hashsuffix")), "the suffix is computed from fields of the key alone, so it spreads nothing: all documents of one key without suffix get one bucket; hash another field, such as one that differs between these documents")
		return false
	}
	m.Parts = append(m.Parts, templates.Part{Literal: d.suffixSep()}, templates.Part{Bucket: bucket})
	return ok
}

// hashField finds the field that a path in hashsuffix names, or reports why
// there is none.
func (d *document) hashField(text string, pos token.Position) *fieldRef {
	names := strings.Split(text, ".")
	path, n, in := d.follow(names)
	if path != nil {
		return d.reference(path)
	}
	switch {
	case in == nil && n > 0:
		d.errorf(pos, "hashsuffix names no field: %s is not a struct, so it has no field %s", strings.Join(names[:n], "."), names[n])
	case in == nil:
		d.errorf(pos, "hashsuffix names no field: %s has no field %s", d.name(), names[n])
	default:
		candidates := fieldNames(in, 0)
		owner := d.name()
		if n > 0 {
			owner = strings.Join(names[:n], ".")
		}
		advice := "name a Go field as it is written in the struct"
		near := spelling.Nearest(names[n], candidates)
		for _, p := range jsonFields(in) {
			if p.name == names[n] {
				near = p.field().Name()
			}
		}
		if near != "" {
			advice = "did you mean " + strconv.Quote(strings.Join(append(slices.Clone(names[:n]), near), ".")) + "?"
		}
		d.errorf(pos, "hashsuffix names no field: %s has no field %s; %s", owner, names[n], advice)
	}
	return nil
}
