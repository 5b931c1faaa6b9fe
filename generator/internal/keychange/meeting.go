package keychange

import (
	"go/token"
	"path/filepath"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// This file finds containers that would be one: two templates of ids, or a template
// and a fixed id, that can make the same id.

// judgeNames reports types of one package whose containers can have one id.
func (f *folder) judgeNames(next lock.Lock) {
	if f.refused {
		return
	}
	for i, a := range next {
		for _, b := range next[:i] {
			if a.Elsewhere || b.Elsewhere {
				continue
			}
			if id, meet := meeting(a, b); meet {
				pos := token.Position{Filename: f.path, Line: 1, Column: 1}
				for _, e := range []lock.Entry{b, a} {
					if d := f.docs[e.Type]; d != nil {
						pos = d.ContainerPosition()
					}
				}
				f.run.Report.Errorf(pos, "the containers %s of type %s and %s of type %s can both be called %q, and would hold documents of both: give one template another text, such as another beginning",
					b.Container, b.Type, a.Container, a.Type, id)
				return
			}
		}
	}
}

// judgeMeeting reports a type whose container can have the id of one of another
// package. Of two packages of the run, the first reports.
func (f *mergedFolder) judgeMeeting(e lock.Entry, n other, x lock.Entry, told map[string]bool) {
	key := n.dir + "\x00" + e.Container + "\x00" + x.Container
	if n.folder != nil && n.dir < f.dir || told[key] || e.Gone && x.Gone {
		return
	}
	id, meet := meeting(e, x)
	if !meet {
		return
	}
	told[key] = true
	report := f.run.Report.Errorf
	if n.folder == nil && x.Draft {
		report = f.run.Report.Notef
	}
	report(f.position(e.Type), "the containers %s of type %s and %s of type %s in %s can both be called %q, and would hold documents of both: give one template another text, such as another beginning; if they are in different databases, put note=elsewhere on the blank field of one type",
		e.Container, e.Type, x.Container, x.Type, filepath.ToSlash(diag.Relative(f.run.Report.Dir, filepath.Join(n.dir, lock.FileName))), id)
}

// meeting returns an id that the containers of two entries can both have. It returns
// false if there is none, or if both have one text, which is one container or one
// template.
func meeting(a, b lock.Entry) (id string, meet bool) {
	if a.Container == b.Container || !a.Placed() && !b.Placed() {
		return "", false
	}
	for _, x := range idsOf(a) {
		for _, y := range idsOf(b) {
			if id, meet := common(x, y); meet {
				return id, true
			}
		}
	}
	return "", false
}

// letters are the characters of one place of an id, or of several in a row.
type letters struct {
	any  string
	many bool // one of them or more
}

// idsOf returns the forms of the ids of an entry's containers.
func idsOf(e lock.Entry) [][]letters {
	template, err := annotations.ParseTemplate(e.Container)
	if !e.Placed() || err != nil {
		return [][]letters{fixed(nil, strings.ToLower(e.Container))}
	}
	components := 0
	for _, part := range template.Levels[0] {
		if part.Component != nil {
			components++
		}
	}
	forms := [][]letters{nil}
	for _, part := range template.Levels[0] {
		var next [][]letters
		for _, form := range forms {
			if part.Component == nil {
				next = append(next, fixed(form, part.Literal))
				continue
			}
			next = append(next, textsOf(form, kindIn(e, part.Component.Fields[0]), part.Component.Format, components)...)
		}
		forms = next
	}
	return forms
}

// kindIn returns the kind of a property of an entry.
func kindIn(e lock.Entry, property string) string {
	for _, k := range e.Kinds {
		if k.Property == property {
			return k.Kind
		}
	}
	return lock.Text
}

// textsOf returns a form with the text of a component after it.
func textsOf(form []letters, kind, format string, components int) [][]letters {
	const digits = "0123456789"
	form = form[:len(form):len(form)]
	switch {
	case format != "":
		return [][]letters{fixed(form, "", timeLetters(format)...)}
	case kind == lock.Bool:
		return [][]letters{fixed(form, "true"), fixed(form, "false")}
	case kind == lock.Integer && components == 1:
		return [][]letters{append(form, letters{digits, true}), append(fixed(form, "-"), letters{digits, true})}
	case kind == lock.Integer:
		return [][]letters{append(form, letters{digits, true}), append(fixed(form, "_2d"), letters{digits, true})}
	case components == 1:
		return [][]letters{append(form, letters{digits + "abcdefghijklmnopqrstuvwxyz_-", true})}
	}
	return [][]letters{append(form, letters{digits + "abcdefghijklmnopqrstuvwxyz_", true})}
}

// fixed returns a form with text after it, and then more.
func fixed(form []letters, text string, more ...letters) []letters {
	form = form[:len(form):len(form)]
	for i := range len(text) {
		form = append(form, letters{any: text[i : i+1]})
	}
	return append(form, more...)
}

// timeLetters returns the places of a time's text. The elements of a layout for ids are
// those of fixed width.
func timeLetters(format string) []letters {
	const digits = "0123456789"
	places := map[string][]string{
		"2006": {digits, digits, digits, digits}, "01": {"01", digits}, "02": {"0123", digits}, "15": {"012", digits},
	}
	var out []letters
	for rest := format; rest != ""; {
		n := 1
		found := []string{rest[:1]}
		for element, all := range places {
			if strings.HasPrefix(rest, element) {
				n, found = len(element), all
			}
		}
		for _, place := range found {
			out = append(out, letters{any: place})
		}
		rest = rest[n:]
	}
	return out
}

// common returns a text that has both forms, and false if there is none.
func common(a, b []letters) (text string, found bool) {
	type place struct{ i, j int }
	type step struct {
		place
		text string
	}
	seen := map[place]bool{{0, 0}: true}
	for pending := []step{{}}; len(pending) > 0; pending = pending[1:] {
		at := pending[0]
		if at.i == len(a) && at.j == len(b) {
			return at.text, true
		}
		if at.i == len(a) || at.j == len(b) {
			continue
		}
		k := strings.IndexAny(a[at.i].any, b[at.j].any)
		if k < 0 {
			continue
		}
		text := at.text + a[at.i].any[k:k+1]
		for _, to := range []place{{at.i + 1, at.j + 1}, {at.i, at.j + 1}, {at.i + 1, at.j}, {at.i, at.j}} {
			if stays := to.i == at.i && !a[at.i].many || to.j == at.j && !b[at.j].many; !stays && !seen[to] {
				seen[to] = true
				pending = append(pending, step{to, text})
			}
		}
	}
	return "", false
}
