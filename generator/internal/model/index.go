package model

import (
	"fmt"
	"go/token"
	"slices"
	"strconv"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/goname"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/spelling"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// indexing is a global secondary index in progress. Its subject is the document with the options of
// the index, so its key is made like that of a document.
type indexing struct {
	*subject
	of     *member // the document with its own options
	key    *key    // its own key
	source *templates.Type
	n      int // its number in the document
}

// entryID is the property of an entry with the id of its document. The service gives the entry
// another id.
const entryID = "_id"

// globalIndexes returns the indexes in the tags of d. The rest of r must be complete, except for
// the removal of patches.
func (d *member) globalIndexes(k *key, r *templates.Type) []templates.Index {
	d.tooManyIndexes()
	all := make([]*indexing, len(d.Indexes))
	for i, options := range d.Indexes {
		all[i] = &indexing{subject: &subject{d.OfIndex(options)}, of: d, key: k, source: r, n: i}
	}
	d.strayFields(all)
	var out []templates.Index
	for _, x := range all {
		if index := x.index(); index != nil {
			out = append(out, *index)
		}
		d.Add(x.Document)
	}
	return out
}

// index returns the index, or nil after an error.
func (x *indexing) index() *templates.Index {
	if x.named() {
		x.placed()
	}
	levels, ok := x.outlinesOf("key", x.Options.Key, x.Options.KeyPaths, x.KeyPosition())
	if !ok || !x.fit(levels) {
		return nil
	}
	k := x.build(levels, len(levels) > 1, x.source.ID)
	if k == nil {
		return nil
	}
	field := x.place(k)
	if x.Failed {
		return nil
	}
	out := &templates.Index{Name: x.name(), Entry: x.entry(k), Field: field, Later: x.Options.Later}
	x.tellAmbiguous(k, out.Entry)
	out.Selected = x.selected(out)
	out.Entry.Properties = x.properties(out)
	out.Entry.Composites = x.entryComposites(out)
	out.Fields = x.fields(out)
	if x.Failed {
		return nil
	}
	return out
}

func (x *indexing) name() string { return x.Options.Index }

// named returns false and reports it if another index has the same name.
func (x *indexing) named() bool {
	for _, other := range x.of.Indexes[:x.n] {
		if other.Index == x.name() {
			x.Errorf(x.Options.Value("index"), "type %s has two indexes of the name %s: give each one of its own", x.Name(), x.name())
			return false
		}
	}
	return true
}

// fit checks an index's additional rules for the fields of its key.
func (x *indexing) fit(levels []outline) bool {
	for i := range levels {
		plain := levels[i].plain()
		for _, p := range levels[i].pieces {
			for _, o := range p.operands {
				x.fitField(o, plain != nil)
			}
		}
	}
	return !x.Failed
}

// fitField checks a field of the key. Plain is set if a level is the property itself.
func (x *indexing) fitField(o operand, plain bool) {
	reason := ""
	if t := x.of.tagOf(o.ref); t != nil {
		reason = x.roleProblem(t, plain)
	}
	pos := o.pos
	if reason == "" && plain && o.ref.Property != nil {
		switch json := o.ref.JSON; {
		case len(o.ref.Property) > 1:
			reason = fmt.Sprintf("its property %q is in an object, and the key of an index must be a top-level property; copy it into one", o.ref.PropertyPath())
		case o.ref.JSON.Name == facts.IDProperty:
			reason = "it is the item id, by which a document is read without an index; name another field"
		case json.OmitEmpty || json.OmitZero:
			pos = x.JSONPosition(o.ref, pos)
			reason = fmt.Sprintf("%s leaves the property out of some documents, and queries by a key would miss their entries; remove the option", omission(json))
		case len(o.ref.Pointers) > 0:
			reason = "the pointer " + o.ref.Pointers[0] + " leads to it, and documents lack the property if that is nil; embed the struct by value"
		case facts.FormOf(o.ref.Field().Type()) == facts.TextAndCode:
			reason = fmt.Sprintf("its type has both MarshalJSON and MarshalText, and an index uses the JSON; write text before it, as in key=x-{%s}, to use the text", o.ref.Selector)
		}
	}
	if reason != "" {
		x.Errorf(pos, "field %s cannot be in the key of the index %s: %s", o.ref.Selector, x.name(), reason)
	}
}

// tagOf returns the tag of a field, or nil if it has none.
func (d *subject) tagOf(ref *facts.FieldRef) *facts.Tagged {
	for _, t := range d.Roles {
		if t.Ref.Same(ref) {
			return t
		}
	}
	return nil
}

// roleProblem returns why a field with this tag cannot be in the key of an index, or "".
func (x *indexing) roleProblem(t *facts.Tagged, plain bool) string {
	switch {
	case t.Synthetic || t.Indexed != "":
		return "it holds the text of a key itself; name the fields that the text is made of"
	case t.Later:
		return "it is tagged \"later\": old documents lack its property, and queries by a key would miss their entries; write the property into the old documents, and remove that word"
	case !plain && (t.Created || t.Updated || t.Version || t.Deleted || t.Schema > 0):
		return "the run time sets it after it has made the key; use other fields in the key"
	}
	return ""
}

// place sets the paths of the key's levels, and returns the field of the made text, or nil.
func (x *indexing) place(k *key) *pk.Field {
	if k.Layout() == x.source.Layout() {
		x.Errorf(x.KeyPosition(), "the index %s has the key of type %s itself, %s, so it answers no more queries than the container: write another key", x.name(), x.Name(), k.Layout())
		return nil
	}
	made := 0
	for i, ref := range k.refs {
		if ref != nil {
			k.Levels[i].Path = x.propertyPath(ref, x.KeyPosition())
		} else {
			made++
		}
	}
	t := x.holder()
	switch {
	case made > 1:
		x.Errorf(x.KeyPosition(), "%d levels of the key of the index %s are texts that the run time makes, and a document has a property for only one: remove formats, buckets and texts from the others, or join them into one level", made, x.name())
	case made == 0 && t != nil:
		x.Errorf(t.Word("synthetic"), "the key of the index %s consists of plain properties, so field %s has no text to hold: remove the tag", x.name(), t.Ref.Selector)
	case made == 0 && x.Options.Later:
		x.Errorf(x.Options.Word("later"), "the key of the index %s consists of properties that documents already have: remove \"later\"", x.name())
	case made == 1 && t == nil:
		x.Errorf(x.KeyPosition(), "the key of the index %s is a text that the run time makes, and documents must store it: add a field %[1]s string `json:%[2]q cosmos:\"synthetic=%[1]s\"`", x.name(), goname.LowerFirstWord(x.name()))
	case made == 1:
		return x.hold(k, t)
	}
	return nil
}

// holder returns the tag of the field that holds the text of the key, or nil. It reports a second
// one.
func (x *indexing) holder() *facts.Tagged {
	return x.of.Role("synthetic", func(t *facts.Tagged) bool { return t.Indexed == x.name() })
}

// hold checks the field that holds the text of the key, and sets the path of its level.
func (x *indexing) hold(k *key, t *facts.Tagged) *pk.Field {
	what, pos := "the key of the index "+x.name(), t.Word("synthetic")
	f := x.stringField(t.Ref, what, pos)
	if f == nil {
		return nil
	}
	reason := x.key.noStamp(x.source, t.Ref)
	json := t.Ref.JSON
	switch d := x.source.Discriminator; {
	case reason != "":
	case facts.FormOf(t.Ref.Field().Type()) != facts.String:
		reason = "it is of type " + x.TypeString(t.Ref.Field().Type()) + "; declare it as a string"
	case json.OmitEmpty || json.OmitZero:
		pos = x.JSONPosition(t.Ref, pos)
		reason = omission(json) + " leaves the property out, and each document has a key; remove the option"
	case t.Dimensions > 0 || t.Language != "":
		reason = "queries search its property; search another one"
	case d != nil && d.Property == json.Name:
		reason = fmt.Sprintf("its property %q says of which type a document is; give it another JSON name", json.Name)
	case badName(t.Ref.Property) != "":
		pos = x.JSONPosition(t.Ref, pos)
		reason = fmt.Sprintf("property %q cannot be named in a partition key path, which takes ASCII letters, digits and \"_\"; choose another JSON name", json.Name)
	}
	if reason != "" {
		x.Errorf(pos, "field %s cannot hold %s: %s", t.Ref.Selector, what, reason)
		return nil
	}
	for i, ref := range k.refs {
		if ref == nil {
			k.Levels[i].Path = x.KeyPath(t.Ref)
		}
	}
	return f
}

// strayFields reports fields that are tagged to hold the key of an index that does not exist.
func (d *member) strayFields(all []*indexing) {
	var names []string
	for _, x := range all {
		names = append(names, x.name())
	}
	for _, t := range d.Roles {
		if t.Indexed == "" || slices.Contains(names, t.Indexed) {
			continue
		}
		advice := fmt.Sprintf("declare it by `_ struct{}` with `cosmos:\"index=%s,key={…}\"`, or write \"synthetic\" alone for the key of the document", t.Indexed)
		if near := spelling.Nearest(t.Indexed, names); near != "" {
			advice = "did you mean " + strconv.Quote(near) + "?"
		}
		d.Errorf(t.At(t.ValueOffset("synthetic")), "field %s holds the key of an index %s, which type %s does not have: %s", t.Ref.Selector, t.Indexed, d.Name(), advice)
	}
}

// entry returns the index's document type, without its properties.
func (x *indexing) entry(k *key) *templates.Type {
	entry := k.template()
	entry.Name = x.Name() + x.name() + "Entry"
	entry.Container = x.IndexContainer(x.Options)
	entry.ID = x.source.ID
	entry.ID.Property, entry.ID.Pointer = entryID, jsonpointer.Of(entryID)
	for _, c := range entry.Components() {
		if c.Pointer == jsonpointer.Of(facts.IDProperty) {
			c.Pointer = entry.ID.Pointer
		}
	}
	entry.ExampleKey = ExampleKey(entry.Key, entry.Kind == templates.Hierarchical)
	return entry
}

// tellAmbiguous notes that different components make the same key of the index.
func (x *indexing) tellAmbiguous(k *key, entry *templates.Type) {
	a, found := ambiguous(entry)
	if !found {
		return
	}
	entry.Ambiguous = true
	for _, c := range k.Components() {
		if ref := k.ByName(c.Selector); ref != nil && c.Value != pk.Time && k.Hiding(ref) != "" {
			x.Errorf(x.KeyPosition(), "key %s of the index %s is ambiguous, and queries cannot tell its entries apart by %s, since %s writes JSON of its own: keep %[3]s in a field of the document", entry.Layout(), x.name(), c.Selector, k.Hiding(ref))
			return
		}
	}
	if !a.bySign {
		x.Note(annotations.NoteAmbiguous, x.KeyPosition(), fmt.Sprintf("%s of the index %s is ambiguous: %s, so their entries share a logical partition, and queries compare the fields as well; separate the fields by text that they never contain", a.what, x.name(), a.example))
	}
}

// entryComposites returns the composite indexes of the container of the index.
func (x *indexing) entryComposites(of *templates.Index) [][]templates.IndexPath {
	all := x.composites()
	if x.Failed {
		return nil
	}
	for i, order := range x.Options.Orders {
		for j, by := range order {
			ref := x.ByName(by.Text)
			name := ref.Property[0]
			if name == facts.IDProperty {
				name = entryID
				all[i][j].Path = indexPath([]string{entryID})
			}
			if !slices.ContainsFunc(of.Entry.Properties, func(p templates.Property) bool { return jsonpointer.Names(p.Pointer)[0] == name }) {
				x.Errorf(x.Options.At(by.Offset), "field %s cannot be in an order: the index %s does not have its property; add %q to \"select\", or leave the order out", ref.Selector, x.name(), name)
			}
		}
	}
	return all
}

// position returns the position of the index's container in the tag.
func (x *indexing) position() token.Position {
	if x.Options.Container != "" {
		return x.Options.Value("container")
	}
	return x.Options.Value("index")
}

// componentsOf returns the components of the key of an index, with their places in documents.
func (x *indexing) componentsOf(of *templates.Index) []*pk.Component {
	var out []*pk.Component
	for _, c := range of.Entry.Components() {
		if c.Pointer != of.Entry.ID.Pointer {
			out = append(out, c)
		}
	}
	return out
}
