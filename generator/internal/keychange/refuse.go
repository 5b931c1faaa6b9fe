package keychange

import (
	"cmp"
	"fmt"
	"go/types"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// refuseChange reports a type whose key differs from the lock.
func (f *folder) refuseChange(c lock.Change) {
	if c.Old.Draft {
		f.noteDraft(c)
		return
	}
	d := f.docs[c.New.Type]
	effect := "stored documents would not be found"
	meant := "if this is unintended, restore the tag, the JSON name, or the type of the field"
	if len(c.Places()) > 0 {
		if c.Old.Path == c.New.Path {
			effect = "stored documents would be read without their values there"
		}
		meant = "if this is unintended, restore the name in the bson tag or, without one, the JSON name"
	}
	otherwise := "if it is"
	reason := fmt.Sprintf("%s of type %s would change", c.What(), c.New.Type)
	switch {
	case c.Renamed() && c.Old.Container != c.New.Container:
		reason = fmt.Sprintf("type %s looks like %s under another name, which changes its container", c.New.Type, c.Old.Type)
		meant = fmt.Sprintf("to keep the container, write `_ struct{}` with `cosmos:\"container=%s\"` into the struct", c.Old.Container)
		if d.Options.At != nil {
			meant = fmt.Sprintf("to keep the container, add %q to the tag of the blank field", "container="+c.Old.Container)
		}
		otherwise = "if it is to be another"
	case c.Renamed():
		reason = fmt.Sprintf("type %s takes the place of %s in its container, but %s would change", c.New.Type, c.Old.Type, c.What())
	}
	advice := "\n\t" + meant + ";\n\t" + otherwise + ", the key of a stored document cannot change: make a new container, generate with -accept-key-change, and copy the documents by pkgen-data migrate;"
	if only := onlyChange(c); only != nil {
		effect, advice = only(c)
	}
	if text, grows := growthAdvice(c); grows {
		advice = text
	}
	switch {
	case c.OnlyAPI():
		effect, advice = apiChange(c)
	case c.OnlyRow():
		advice = rowChange(c)
	case c.New.API != "" && strings.Contains(advice, "pkgen-data migrate"):
		advice = "\n\t" + meant + ";\n\t" + otherwise + ", " + copyByProgram(c.New)
	case c.New.API == string(annotations.Gremlin) && c.SameKey():
		effect, advice = labelChange(c)
	}
	unless := "if nothing is stored yet, -accept-key-change is enough"
	if c.Old.Gone {
		reason = fmt.Sprintf("the layout of the removed type %s is still in %s, and ", c.Old.Type, lock.FileName) + reason
		unless = "if no document of it is stored, " + f.run.forgetting(f.dir, c.Old.Type) + " drops that layout"
	}
	if c.OnlyConflict() {
		unless = "if nothing is stored yet, drop the container, and generate with -accept-key-change"
	}
	was, now := examples(d.Document, c)
	keys := "\n\twas " + describeKey(c.Old, was) + "\n\tnow " + describeKey(c.New, now) + kindLines(c)
	if c.OnlyUnique() || c.OnlyConflict() {
		keys = ""
	}
	f.refuse(d.Position(), reason+", and "+effect+keys, advice+"\n\t"+unless)
}

// onlyChange returns the function that describes a change that does not affect the key, or nil for
// a change of the key.
func onlyChange(c lock.Change) func(lock.Change) (effect, advice string) {
	switch {
	case c.Old.OnlyDeleted(c.New):
		return deletedChange
	case c.Old.OnlyOwn(c.New):
		return ownChange
	case c.OnlyUnique():
		return uniqueChange
	case c.OnlyConflict():
		return conflictChange
	case c.OnlyPrefix():
		return prefixChange
	case c.SameKey():
		return discriminatorChange
	}
	return nil
}

// examples returns a key of each of two layouts, different if possible. The fields of d make them
// plausible; d is nil if the type is unknown.
func examples(d *facts.Document, c lock.Change) (was, now string) {
	old, next := keyOf(d, c.Old), keyOf(d, c.New)
	was, now = exampleOf(c.Old, old), exampleOf(c.New, next)
	if was == now && (c.Old.Layout != c.New.Layout || c.Old.Escape != c.New.Escape) {
		separated := c.Old.Escape != c.New.Escape
		was, now = exampleOf(c.Old, telling(old, separated)), exampleOf(c.New, telling(next, separated))
	}
	return was, now
}

// kindLines describes how stored and new texts of each component with a changed kind are made.
func kindLines(c lock.Change) string {
	var b strings.Builder
	for _, k := range c.Kinds() {
		_, old := lock.ValueOf(k.Old)
		_, next := lock.ValueOf(k.New)
		fmt.Fprintf(&b, "\n\tfor %s, stored keys have %s, and new keys would have %s", k.Property, old, next)
	}
	for _, p := range c.Places() {
		fmt.Fprintf(&b, "\n\tstored documents have %s at %s, and new documents would have it at %s", p.Property, p.Old, p.New)
	}
	return b.String()
}

// discriminatorChange describes the effect of a changed discriminator. A patch can set it in stored
// documents.
func discriminatorChange(c lock.Change) (effect, advice string) {
	was, now := c.Old.Discriminator, c.New.Discriminator
	effect = fmt.Sprintf("stored documents have the type %q, and would not be found", was)
	restore := fmt.Sprintf("put %q on the blank field", "type="+was)
	patch := fmt.Sprintf("set the property type of each stored document to %q", now)
	switch {
	case was == "":
		effect = "stored documents have no property type, and would not be found"
		restore = "remove \"type\" from the blank field"
		patch = fmt.Sprintf("add the property type, %q, to each stored document", now)
	case now == "":
		effect = fmt.Sprintf("stored documents have the type %q, and programs that query it would not find new documents", was)
		patch = "remove the property type from each stored document"
	}
	return effect, "\n\tif this is unintended, " + restore + ";\n\tif it is, " + patch + " by a patch, then generate with -accept-key-change;"
}

// prefixChange describes the effect of a changed prefix of ids.
func prefixChange(c lock.Change) (effect, advice string) {
	was, now := c.Old.Prefix, c.New.Prefix
	effect = fmt.Sprintf("queries find stored documents whose ids do not begin with %q, but every operation on a key refuses them", now)
	restore := fmt.Sprintf("put %q next to the word id", "prefix="+was)
	otherwise := "create the documents that a query finds again, under ids with the prefix, remove the old ones by DeleteFound, and then deploy code generated with -accept-key-change"
	switch {
	case was == "":
		restore = "remove \"prefix\" from the tag"
	case now == "":
		effect = "new ids could equal ids of other types, whose writes do not read first"
		otherwise = "remove the prefixes of all types of the container, and generate with -accept-key-change: their writes then read first"
	}
	return effect, "\n\tif this is unintended, " + restore + ";\n\tif it is, " + otherwise + ";"
}

// uniqueChange describes the effect of properties that are no longer unique.
func uniqueChange(c lock.Change) (effect, advice string) {
	names := strings.Join(c.NoLongerUnique(), " and ")
	effect = fmt.Sprintf("reservations of values of %s, and unfinished creations, would be read as documents", names)
	return effect, fmt.Sprintf("\n\tif this is unintended, put \"unique\" on the field of %s;\n\tif it is, stop the programs that write, remove the documents with the property _unique or _pending, and then generate with -accept-key-change: docs/unique.md has the steps;", names)
}

// conflictChange describes the effect of a changed conflict resolution policy.
func conflictChange(c lock.Change) (effect, advice string) {
	was, now := conflictPath(c.Old), conflictPath(c.New)
	restore := fmt.Sprintf("put \"conflict=lww:%s\" on the blank field", was)
	if c.Old.Conflict == "" {
		restore = "write \"conflict=lww\""
	}
	effect = fmt.Sprintf("container %q keeps the policy that it was created with: the greater %s wins, not the greater %s", c.Old.Container, was, now)
	return effect, fmt.Sprintf("\n\tif this is unintended, %s;\n\tif it is, name a new container by container=, generate with -accept-key-change, and copy the documents by pkgen-data migrate;", restore)
}

// conflictPath returns the path by which the last writer wins in the container of an entry.
func conflictPath(e lock.Entry) string { return cmp.Or(e.Conflict, annotations.TSPath) }

// apiChange describes the effect of a changed API.
func apiChange(c lock.Change) (effect, advice string) {
	was, now := annotations.API(c.Old.API), annotations.API(c.New.API)
	effect = fmt.Sprintf("documents are stored in an account of the %s API, and the %s API reads another account", was, now)
	restore := "remove \"api\" from the blank field"
	if was != "" {
		restore = fmt.Sprintf("put \"api=%s\" on the blank field", string(was))
	}
	return effect, "\n\tif this is unintended, " + restore + ";\n\tif it is, declare a type for the new account under another name, and copy the documents by a program that reads one repository and writes the other;"
}

// rowChange returns advice for a changed layout of row keys.
func rowChange(c lock.Change) (advice string) {
	restore := "remove \"row\" from the blank field"
	if c.Old.Row != "" {
		restore = "restore \"row\", which was " + c.Old.Row + " by JSON properties"
	}
	return "\n\tif this is unintended, " + restore + ";\n\tif it is, " + copyByProgram(c.New)
}

// copyByProgram describes how to copy documents in an API that pkgen-data migrate does not support.
func copyByProgram(e lock.Entry) string {
	place := map[string]string{"table": "table", "mongo": "collection", "gremlin": "graph"}[e.API]
	return fmt.Sprintf("the key of a stored document cannot change: name a new %s by container=, generate with -accept-key-change, and copy the documents by a program that reads the old %[1]s and writes the new one;", place)
}

// labelChange describes the effect of a changed label of vertices.
func labelChange(c lock.Change) (effect, advice string) {
	effect = fmt.Sprintf("stored vertices have the label %q, and would not be found", c.Old.Discriminator)
	return effect, fmt.Sprintf("\n\tif this is unintended, put %q on the blank field;\n\tif it is, the label of a vertex cannot change: store the vertices again under the new label, and then generate with -accept-key-change;", "type="+c.Old.Discriminator)
}

// ownChange describes the effect of a changed template of own containers.
func ownChange(c lock.Change) (effect, advice string) {
	effect = "tenants in their own containers would not be found"
	if c.New.Own != "" {
		effect = "tenants would not be found in the containers that they have now"
	}
	return effect, fmt.Sprintf("\n\tif this is unintended, restore the tag for %s;\n\tif it is, move each tenant back into container %s by pkgen-data move-tenant, and then generate with -accept-key-change;", c.Old.Own, c.Old.Container)
}

// deletedChange describes the effect of a changed mark of deleted documents.
func deletedChange(c lock.Change) (effect, advice string) {
	effect = fmt.Sprintf("documents marked as deleted by the property %s would be shown again", c.Old.Deleted)
	return effect, fmt.Sprintf("\n\tif this is unintended, put \"deleted\" on the field of the property %s;\n\tif it is, purge or restore each marked document, which WithDeleted finds, and then generate with -accept-key-change;", c.Old.Deleted)
}

// describeKey describes in one line how the keys of a type are made, with an example if there is
// one.
func describeKey(e lock.Entry, example string) string {
	kind := ""
	if e.Kind != hashKind {
		kind = " (" + e.Kind + ")"
	}
	place := "container"
	if e.API != "" {
		place = map[string]string{"table": "table", "mongo": "collection", "gremlin": "graph"}[e.API]
	}
	text := fmt.Sprintf("%s at %s%s in %s %s", e.Summary(), e.Path, kind, place, e.Container)
	switch {
	case example == "":
		return text
	case e.Kind == hashKind && e.Values == "":
		example = strconv.Quote(example)
	}
	return text + ", such as " + example
}

// exampleOf returns a plausible key of an entry, or "" if its layout cannot be read.
func exampleOf(e lock.Entry, k pk.Key) string {
	hierarchical := e.Kind != hashKind
	if len(k.Levels) == 0 || !hierarchical && len(k.Levels) > 1 { // a single value cannot have several levels
		return ""
	}
	return model.ExampleKey(k, hierarchical)
}

// keyOf returns the key of an entry, without levels if its layout cannot be read. The fields of d
// name the components, and provide kinds that the lock lacks.
func keyOf(d *facts.Document, e lock.Entry) pk.Key {
	k, err := e.Key()
	if err != nil {
		return pk.Key{}
	}
	for _, c := range k.Components() {
		c.Name = c.Property[strings.LastIndexByte(c.Property, '.')+1:]
		if ref := d.ByPropertyPath(strings.Split(c.Property, ".")); ref != nil {
			c.Name = ref.Name()
			if named, ok := types.Unalias(ref.Field().Type()).(*types.Named); ok && c.Value == pk.Any {
				c.Type.Name = named.Obj().Name()
			}
			if c.Value == pk.Any {
				c.Value = model.ValueOf(ref.Field().Type())
			}
		}
		switch {
		case c.Layout != "":
			c.Value = pk.Time
		case c.Value == pk.Any || c.Value == pk.Time:
			c.Value = pk.String
		}
	}
	return k
}

// telling returns a key whose texts are the names of its fields in upper case. They distinguish
// layouts that make the same key from plausible texts. With separated, a separator follows each
// name, which distinguishes escaping.
func telling(k pk.Key, separated bool) pk.Key {
	out := pk.Key{Escape: k.Escape}
	for _, level := range k.Levels {
		separators := level.Separators()
		text := func(c pk.Component) string {
			s := c.Property
			if separated {
				s += separators
			}
			if c.Lower {
				return strings.ToLower(s)
			}
			return strings.ToUpper(s)
		}
		told := pk.Level{Made: level.Made}
		for _, p := range level.Parts {
			told.Parts = append(told.Parts, tellingPart(p, text, k.Escape, separators))
		}
		out.Levels = append(out.Levels, told)
	}
	return out
}

// tellingPart returns a part with the texts of its fields as literal text.
func tellingPart(p pk.Part, text func(pk.Component) string, escape bool, separators string) pk.Part {
	switch {
	case p.Bucket != nil && p.Bucket.Hash != nil:
		var hash partition.Hash
		for _, c := range p.Bucket.Hash {
			hash = hash.Text(text(c))
		}
		return pk.Part{Literal: strconv.Itoa(hash.Bucket(p.Bucket.Count))}
	case p.Component == nil || p.Component.Value != pk.String:
		return p
	case escape:
		return pk.Part{Literal: string(partition.AppendEscaped(nil, text(*p.Component), separators))}
	}
	return pk.Part{Literal: text(*p.Component)}
}

// noteDraft notes a changed layout of a draft.
func (f *folder) noteDraft(c lock.Change) {
	if c.OnlyConflict() {
		return // Ensure compares the local container
	}
	d := f.docs[c.New.Type]
	effect := "documents stored on this machine are no longer found"
	if c.Old.OnlyDeleted(c.New) {
		if c.Old.Deleted == "" {
			return // no document is marked yet
		}
		effect = "documents marked on this machine are shown again"
	}
	was, now := examples(d.Document, c)
	f.run.Report.Add(d.Position(), diag.Note, fmt.Sprintf("the draft of type %s changes in %s: %s\n\twas %s\n\tnow %s%s",
		c.New.Type, c.What(), effect, describeKey(c.Old, was), describeKey(c.New, now), kindLines(c)))
}

// forgetting returns the command that removes the layout of a type of a folder.
func (r *Run) forgetting(dir, typ string) string {
	pattern := "."
	if rel := diag.Relative(r.Report.Dir, dir); rel != "." {
		pattern = "./" + filepath.ToSlash(rel)
		if filepath.IsAbs(rel) {
			pattern = rel
		}
	}
	return fmt.Sprintf("pkgen forget -type %s %s", typ, pattern)
}
