package keychange

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/generator/internal/model"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// indexesPage describes how to make an index in two releases.
const indexesPage = "https://github.com/cosmos-pkgen/pkgen/blob/main/docs/indexes.md"

// indexesOf returns the indexes of a document, in the form of the lock.
func indexesOf(d *model.Model) []lock.Index {
	var out []lock.Index
	for _, x := range d.Rendered.Indexes {
		var kinds []string
		for _, c := range x.Entry.Components() {
			kinds = append(kinds, kindOf(d, c))
		}
		e := lock.Index{
			Name: x.Name, Container: x.Entry.Container, Layout: x.Entry.Layout(),
			Kinds: strings.Join(kinds, ","), Select: strings.Join(slices.Sorted(slices.Values(x.Selected)), ","), Later: x.Later,
		}
		if x.Field != nil {
			e.Property = jsonpointer.Names(x.Field.Pointer)[0]
		}
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b lock.Index) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// judgeIndexes refuses changes of indexes that may exist, and indexes on a property that stored
// documents lack. The service never changes an index. Drafts have no documents that matter.
func (f *comparedFolder) judgeIndexes() {
	for _, now := range f.entries {
		was, known := f.before(now)
		if !known || was.Draft || was.API != now.API {
			continue
		}
		d := f.docs[now.Type].Model
		for _, old := range was.Indexes {
			f.judgeIndex(d, old, now.Index(old.Name), was.Container != now.Container)
		}
		for _, x := range now.Indexes {
			if was.Index(x.Name) == nil && x.Property != "" && !x.Later {
				f.refuseUnwritten(d, x)
			}
		}
	}
}

// judgeIndex compares an index with its entry in the lock. Now is nil if the type no longer has it.
// Moved is set if the documents are in another container.
func (f *comparedFolder) judgeIndex(d *model.Model, old lock.Index, now *lock.Index, moved bool) {
	name := nameOf(d.Declaration) + "." + old.Name
	if now == nil {
		if !slices.Contains(f.run.Options.Forget, name) {
			f.refuse(d.Position(), fmt.Sprintf("the index %s of type %s is removed, but its container %s may still exist, and the service still writes to it", old.Name, d.Name(), old.Container), fmt.Sprintf(
				"\n\tif this is unintended, restore the blank field: it had the layout %s;\n\tif it is, remove the container from the account, and then run %s", old.Layout, f.run.forgetting(f.dir, name)))
		}
		return
	}
	pos := indexPosition(d, old.Name)
	what := old.Differences(*now)
	if moved && !old.Later && old.Container == now.Container {
		what = append(what, "the source")
	}
	if what != nil {
		f.refuse(pos, fmt.Sprintf("%s of the index %s of type %s would change, and an index never changes\n\twas %s\n\tnow %s", plain.And(what), old.Name, d.Name(), old.Summary(), now.Summary()),
			"\n\tif this is unintended, restore the tag, the JSON names, or the types of the fields;\n\tif it is, give the new index another name, container and property, and keep the old one until no program reads it;\n\tif no document is stored yet, and the container is not there, -accept-key-change is enough")
		return
	}
	switch {
	case now.Later && !old.Later:
		f.refuse(pos, fmt.Sprintf("the index %s of type %s would be \"later\" again, but by the lock programs read it", old.Name, d.Name()),
			"\n\tremove \"later\"")
	case old.Later && !now.Later:
		f.run.Report.Add(pos, diag.Note, fmt.Sprintf("from this release on, type %s has the index %s: release it only when every running program writes the property %s, and old documents have it", d.Name(), old.Name, old.Property))
	}
}

// refuseUnwritten reports an index on a property that stored documents lack.
func (f *comparedFolder) refuseUnwritten(d *model.Model, x lock.Index) {
	f.refuse(indexPosition(d, x.Name), fmt.Sprintf("the index %s of type %s uses the property %s, which stored documents lack, so the index would miss them", x.Name, d.Name(), x.Property),
		"\n\tfirst release the index with \"later\", which writes the property, write it into old documents by Upgrade, and then release the index without \"later\": see "+indexesPage+
			";\n\tif no document is stored yet, -accept-key-change is enough")
}

// indexPosition returns where the tag of an index is.
func indexPosition(d *model.Model, name string) token.Position {
	for _, x := range d.Indexes {
		if x.Index == name {
			return x.Value("index")
		}
	}
	return d.Position()
}

// forgetsIndexes adds the indexes of Options.Forget to forgotten, and reports those that still
// exist.
func (f *comparedFolder) forgetsIndexes(forgotten map[string]bool) {
	for _, e := range f.old {
		for _, x := range e.Indexes {
			name := e.Type + "." + x.Name
			if !slices.Contains(f.run.Options.Forget, name) {
				continue
			}
			forgotten[name] = true
			now, there := f.entries.Find(e.Type)
			switch {
			case there && now.Index(x.Name) != nil:
				f.run.Report.Errorf(f.position(e.Type), "the index %s still exists: remove its blank field from type %s first", x.Name, e.Type)
			case !there && !e.Gone && !f.gone(e.Type):
				f.run.Report.Errorf(f.position(e.Type), "type %s is not part of this run, so pkgen cannot tell whether it has the index %s: run pkgen for the build that has the type", e.Type, x.Name)
			}
		}
	}
}

// withoutForgotten removes forgotten indexes from types that are gone.
func (f *comparedFolder) withoutForgotten(next lock.Lock) {
	for i, e := range next {
		next[i].Indexes = slices.DeleteFunc(slices.Clone(e.Indexes), func(x lock.Index) bool {
			return slices.Contains(f.run.Options.Forget, e.Type+"."+x.Name)
		})
	}
}
