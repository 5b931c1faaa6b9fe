package keychange

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// Readers lose a property of stored documents that the type no longer has. So a name changes over
// two releases, like a number of buckets, and a tag names the removed properties.

// Pages with safe steps to change properties.
const (
	evolutionPage = "https://github.com/cosmos-pkgen/pkgen/blob/main/docs/evolution.md"
	uniquePage    = "https://github.com/cosmos-pkgen/pkgen/blob/main/docs/unique.md"
)

// judgeProperties refuses properties that are renamed, removed or retyped, unless a tag allows it.
// It skips types whose key would change, which is reported already, and types with another API,
// whose documents are in another account. It notes names that the next release must have.
func (f *comparedFolder) judgeProperties() {
	for _, e := range f.entries {
		d := f.docs[e.Type].Model
		f.refuseGone(d, e)
		was, known := f.before(e)
		if !known || was.Properties == nil || was.API != e.API {
			continue
		}
		changed := slices.ContainsFunc(f.changes, func(c lock.Change) bool { return c.New.Type == e.Type })
		if changed && (was.Draft || !f.run.Options.AcceptKeyChange) {
			continue
		}
		f.evolutionOf(d, was, e, changed).judge()
		f.judgeComputed(d, was, e)
		if was.Draft {
			continue
		}
		noteNames(d, was, e)
		noteUnique(d, was, e)
		noteStale(d)
	}
}

// before returns the lock's entry for a type, or for the type that it renames.
func (f *comparedFolder) before(e lock.Entry) (lock.Entry, bool) {
	for _, c := range f.renamed {
		if c.New.Type == e.Type {
			return c.Old, !c.Old.Gone
		}
	}
	return f.old.Find(e.Type)
}

// refuseGone reports properties that the tag calls gone, but the type has.
func (f *folder) refuseGone(d *model.Model, e lock.Entry) {
	for _, p := range namedBy(e.API == string(annotations.Mongo), e.Properties) {
		if says(d, p.dotted()) {
			f.run.Report.Errorf(propertyPosition(d.Document, p), "the property %s of type %s exists, but the blank field has %q: remove it from \"gone\"", p.Pointer, d.Name(), "gone="+p.dotted())
		}
	}
}

// says reports whether the blank field calls a property gone. A name may contain the "+" that
// separates names there.
func says(d *model.Model, dotted string) bool {
	return strings.Contains("+"+strings.Join(d.Options.Gone, "+")+"+", "+"+dotted+"+")
}

// evolution compares the properties of a type with those of the lock.
type evolution struct {
	*folder
	d        *model.Model
	was, now lock.Entry
	before   []written // the properties of was by their current names
	after    []written
	covered  []string // pointers of properties whose contents are not reported
	draft    []string // the changes of a draft
}

// evolutionOf compares the properties of a type. It omits properties of the service, and those of
// an accepted change of the key, which are reported as such.
func (f *comparedFolder) evolutionOf(d *model.Model, was, now lock.Entry, changed bool) *evolution {
	stored := was.API == string(annotations.Mongo) && !slices.ContainsFunc(was.Properties, func(p lock.Property) bool { return p.Stored == "" })
	v := &evolution{folder: f.folder, d: d, was: was, now: now, after: namedBy(stored, now.Properties)}
	_, schema := was.SchemaNumber()
	own := []string{was.Deleted, schema}
	for path := range strings.SplitSeq(was.Path, ",") {
		own = append(own, strings.Join(jsonpointer.Names(path), ".")) // the run time writes it
	}
	for _, c := range now.Computed {
		own = append(own, c.Name)
	}
	if r := d.Rendered.Discriminator; r != nil && was.Discriminator == now.Discriminator {
		own = append(own, r.Property)
	}
	if changed {
		for _, k := range was.Kinds {
			own = append(own, k.Property)
		}
	}
	for _, p := range namedBy(stored, was.Properties) {
		name := jsonpointer.Names(p.Pointer)[0]
		if !slices.Contains(own, p.dotted()) && !slices.Contains(facts.SystemProperties, name) && name != storedID[1:] {
			v.before = append(v.before, p)
		}
	}
	return v
}

// judge reports the changes.
func (v *evolution) judge() {
	v.rename()
	var removed, added []written
	for _, p := range v.after {
		if find(v.before, p.Pointer) == nil && find(namedBy(p.stored, v.was.Properties), p.Pointer) == nil {
			added = append(added, p)
		}
	}
	for _, p := range v.before {
		same := find(v.after, p.Pointer)
		switch {
		case same == nil:
			removed = append(removed, p)
		case same.JSON != p.JSON && same.JSON != "any":
			v.retyped(p, *same)
		case v.hides(*same) && !v.hides(p) && slices.ContainsFunc(v.before, func(o written) bool { return o.within(p.Pointer) }):
			v.covered = append(v.covered, p.Pointer)
			v.note(propertyPosition(v.d.Document, *same), fmt.Sprintf("pkgen can no longer check the property %s of type %s, because its type is from another package or writes its own JSON: make sure that stored documents still decode", p.Pointer, v.d.Name()))
		case same.Narrows(p.Property) && !v.was.Draft:
			noteNarrowed(v.d.Document, p, *same)
		}
	}
	removed = slices.DeleteFunc(removed, func(p written) bool {
		return slices.ContainsFunc(v.covered, p.within) || v.saysGone(p)
	})
	removed = slices.DeleteFunc(slices.Clone(removed), func(p written) bool {
		return slices.ContainsFunc(removed, func(around written) bool { return p.within(around.Pointer) })
	})
	v.removed(removed, added)
	if v.draft != nil {
		v.d.Report.Notef(v.d.Position(), "the properties of the draft type %s change: documents stored on this machine are read without %s", v.d.Name(), plain.And(v.draft))
	}
}

// hides reports whether the contents of a property are unknown.
func (v *evolution) hides(p written) bool {
	return p.JSON == "any" || p.JSON == "object" && !slices.ContainsFunc(v.after, func(o written) bool { return o.within(p.Pointer) })
}

// saysGone reports whether the tag calls a property, or one around it, gone.
func (v *evolution) saysGone(p written) bool {
	for names := jsonpointer.Names(p.Pointer); len(names) > 0; names = names[:len(names)-1] {
		if says(v.d, strings.Join(names, ".")) {
			return true
		}
	}
	return false
}

// rename gives properties their current names from the tags, and refuses a name that no release has
// announced.
func (v *evolution) rename() {
	for _, p := range v.now.AliasedProperties() {
		for _, old := range p.Aliases {
			from, to := jsonpointer.Of(old), jsonpointer.Of(p.Name)
			if find(v.before, from) == nil {
				continue
			}
			v.step(old, p.Name)
			there := find(v.before, to) != nil
			v.before = slices.DeleteFunc(v.before, func(b written) bool { return there && (b.Pointer == from || b.within(from)) })
			for i, b := range v.before {
				if b.Pointer == from || b.within(from) {
					v.before[i].Pointer = to + strings.TrimPrefix(b.Pointer, from)
				}
			}
		}
	}
}

// step judges the change of a property from one name to another.
func (v *evolution) step(old, name string) {
	ref := v.d.ByPropertyPath([]string{name})
	pos := propertyPosition(v.d.Document, written{json: jsonpointer.Of(name)})
	switch {
	case v.was.Draft:
	case v.announced(old, name):
		v.note(pos, fmt.Sprintf("from this release on, type %s stores the property %s as %s: release it only when every running program reads both names, as those with %q do",
			v.d.Name(), old, name, "next="+name))
	case v.silent(annotations.NoteRenamed, ref):
	default:
		v.refuseProperty(pos, fmt.Sprintf("type %s would store the property %s as %s at once, and programs of the previous release would not find it", v.d.Name(), old, name),
			releases(old, name)+fmt.Sprintf("\n\tif none of them runs when this release starts, as in a maintenance window, write %q on the field; see %s", "was="+old+",note="+annotations.NoteRenamed, evolutionPage))
	}
}

// announced reports whether programs of the earlier release read a property under its new name.
func (v *evolution) announced(old, name string) bool {
	return slices.ContainsFunc(v.was.AliasedProperties(), func(a lock.Aliased) bool { return a.Name == old && slices.Contains(a.Aliases, name) })
}

// releases describes the releases in which a property is renamed.
func releases(old, name string) string {
	return fmt.Sprintf("\n\tfirst release `json:%q cosmos:%q`, and after it `json:%q cosmos:%q`;", old, "next="+name, name, "was="+old)
}

// retyped refuses a property with another JSON type, including its contents.
func (v *evolution) retyped(was, now written) {
	v.covered = append(v.covered, now.Pointer)
	if v.was.Draft {
		v.draft = append(v.draft, now.Pointer)
		return
	}
	if v.silent(annotations.NoteRetyped, v.d.ByPropertyPath(jsonpointer.Names(now.json))) {
		return
	}
	what := "was " + article(was.JSON)
	if was.JSON == "any" {
		what = "could have any type"
	}
	v.refuseProperty(propertyPosition(v.d.Document, now),
		fmt.Sprintf("the property %s of type %s %s in JSON, and is now %s: stored documents with another type there no longer decode, and predicates do not find them", now.Pointer, v.d.Name(), what, article(now.JSON)),
		fmt.Sprintf("\n\tgive the new type a property of another name, and keep this one;\n\tif no stored document has the old type, write \"note=%s\" on the field; see %s", annotations.NoteRetyped, evolutionPage))
}

// silent reports whether a tag acknowledges a note about a field.
func (v *evolution) silent(note string, ref *facts.FieldRef) bool {
	var fields []*types.Var
	if ref != nil {
		fields = ref.Path
	}
	return v.d.Silent(note, fields...)
}

// removed refuses removed properties, which may have been renamed.
func (v *evolution) removed(removed, added []written) {
	var gone, like []written
	for _, p := range removed {
		if v.was.Draft {
			v.draft = append(v.draft, p.Pointer)
			continue
		}
		alike := slices.DeleteFunc(slices.Clone(added), func(a written) bool {
			return a.JSON != p.JSON || jsonpointer.Parent(a.Pointer) != jsonpointer.Parent(p.Pointer) || v.hasNames(a)
		})
		if len(alike) == 1 {
			v.perhapsRenamed(p, alike[0])
			continue
		}
		gone = append(gone, p)
		like = append(like, alike...)
	}
	if gone == nil {
		return
	}
	pointers, names := make([]string, len(gone)), make([]string, len(gone))
	for i, p := range gone {
		pointers[i], names[i] = p.Pointer, p.dotted()
	}
	is, have := "the property "+pointers[0]+" of type "+v.d.Name()+" is gone", "it"
	if len(gone) > 1 {
		is, have = "the properties "+plain.And(pointers)+" of type "+v.d.Name()+" are gone", "them"
	}
	advice := ""
	if len(like) > 0 && v.d.API() == "" {
		advice = fmt.Sprintf("\n\tif a new field has %s now, tag that field, as in `cosmos:%q`;", have, "was="+jsonpointer.Names(gone[0].Pointer)[0])
	}
	v.refuseProperty(v.d.Position(), fmt.Sprintf("%s: stored documents that have %s %s", is, have, fate(v.d, have)),
		"\n\tif this is unintended, restore the json tag;"+advice+v.goneAdvice(names...))
}

// perhapsRenamed refuses a removed property if a similar one is new.
func (v *evolution) perhapsRenamed(p, now written) {
	advice := "\n\tif it has another name now, restore the stored one, since only a top-level property is read under two names; or keep both fields until a program has copied the values;"
	if names := jsonpointer.Names(now.Pointer); v.d.API() == "" && len(names) == 1 {
		old := jsonpointer.Names(p.Pointer)[0]
		advice = "\n\tif it has another name now, " + strings.TrimPrefix(releases(old, names[0]), "\n\t") +
			fmt.Sprintf("\n\tif no program of the previous release runs when this one starts, write %q on the field;", "was="+old+",note="+annotations.NoteRenamed)
		if v.announced(old, names[0]) {
			advice = fmt.Sprintf("\n\tif it has another name now, write %q on the field;", "was="+old)
		}
	} else if v.d.API() != "" {
		advice = "\n\tif it has another name now, restore the stored one, or keep both fields until a program has copied the values;"
	}
	v.refuseProperty(propertyPosition(v.d.Document, now), fmt.Sprintf("the property %s of type %s is removed, and %s is new, %s as well: stored documents keep the old property, are read as if they had no %s, and %s",
		p.Pointer, v.d.Name(), now.Pointer, article(p.JSON), now.Pointer, fate(v.d, "it")), advice+v.goneAdvice(p.dotted()))
}

// hasNames reports whether the tag has other names of a property.
func (v *evolution) hasNames(p written) bool {
	return slices.ContainsFunc(v.now.AliasedProperties(), func(a lock.Aliased) bool { return jsonpointer.Of(a.Name) == p.Pointer })
}

// goneAdvice describes the tag of the blank field for removed properties.
func (v *evolution) goneAdvice(names ...string) string {
	word := "gone=" + strings.Join(slices.Concat(v.d.Options.Gone, names), "+")
	where := fmt.Sprintf("write `_ struct{}` with `cosmos:%q` into the struct", word)
	if v.d.Options.At != nil {
		where = fmt.Sprintf("write %q in the tag of the blank field", word)
	}
	return "\n\tif nothing reads it any more, " + where + "; see " + evolutionPage
}

// refuseProperty reports a reason not to write that only a tag can resolve.
func (f *folder) refuseProperty(pos token.Position, reason, advice string) {
	f.refused = true
	f.run.Report.Add(pos, diag.Refused, reason+advice)
}

func (v *evolution) note(pos token.Position, message string) {
	if !v.was.Draft {
		v.run.Report.Add(pos, diag.Note, message)
	}
}

// find returns the property at a pointer, or nil.
func find(in []written, pointer string) *written {
	i := slices.IndexFunc(in, func(p written) bool { return p.Pointer == pointer })
	if i < 0 {
		return nil
	}
	return &in[i]
}

// noteNames notes new names of the next release, and names that are no longer read.
func noteNames(d *model.Model, was, now lock.Entry) {
	read := make(map[string]bool) // by pointer
	for _, p := range now.AliasedProperties() {
		for _, alias := range p.Aliases {
			read[jsonpointer.Of(alias)] = true
		}
	}
	for _, p := range now.Properties {
		read[p.Pointer] = true
	}
	for _, p := range now.NextProperties() {
		known := slices.ContainsFunc(was.AliasedProperties(), func(a lock.Aliased) bool {
			return a.Name == p.Name && slices.Contains(a.Aliases, p.Aliases[0]) || a.Name == p.Aliases[0] && slices.Contains(a.Aliases, p.Name)
		})
		if !known {
			d.Report.Notef(d.Position(), "from this release on, type %s reads the property %s also under the name %s, and still stores %s: when no program of an earlier release is running, write `json:%q cosmos:%q`",
				d.Name(), p.Name, p.Aliases[0], p.Name, p.Aliases[0], "was="+p.Name)
		}
	}
	for _, p := range was.NextProperties() {
		if name := p.Aliases[0]; !read[jsonpointer.Of(name)] {
			d.Report.Notef(d.Position(), "type %s no longer reads the property %s under the name %s: make sure that no program that stores that name has ever run", d.Name(), p.Name, name)
		}
	}
	for _, p := range was.FormerProperties() {
		for _, alias := range p.Aliases {
			if !read[jsonpointer.Of(alias)] {
				d.Report.Notef(d.Position(), "was=%s is gone from the property %s of type %s: documents that pkgen-data upgrade, or Upgrade, has not rewritten are read without it, and %s; see %s",
					alias, jsonpointer.Of(p.Name), d.Name(), fate(d, "it"), evolutionPage)
			}
		}
	}
}

// fate describes the effect on properties of stored documents that the type lacks.
func fate(d *model.Model, them string) string {
	if d.Rendered.Rest != nil {
		return "keep " + them + " among the unknown properties"
	}
	return "lose " + them + " when Upsert, Replace or Update writes them again"
}

// noteStale notes acknowledgements of changes that the lock has recorded: they would acknowledge
// the next change, too.
func noteStale(d *model.Model) {
	for _, a := range d.Acknowledged {
		if about := a.Name == annotations.NoteRenamed || a.Name == annotations.NoteRetyped; about && !a.Used && (a.Field == nil || d.Unit.Declares(a.Field)) {
			d.Report.Notef(a.Pos, "\"note=%s\" acknowledges nothing, because %s shows no change of this kind: remove it", a.Name, lock.FileName)
		}
	}
}

// noteUnique notes properties that have become unique.
func noteUnique(d *model.Model, was, now lock.Entry) {
	for _, name := range (lock.Change{Old: now, New: was}).NoLongerUnique() {
		d.Report.Notef(d.Position(), "the property %s of type %s is unique now: until pkgen-data verify -mend has reserved the values of stored documents, other documents can take them; see %s",
			name, d.Name(), uniquePage)
	}
}
