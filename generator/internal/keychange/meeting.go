package keychange

import (
	"cmp"
	"go/token"
	"path/filepath"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
)

// This file finds containers that could have the same id: two templates of ids, or a template and a
// fixed id.

// judgeNames reports types of one package whose containers could have the same id.
func (f *folder) judgeNames(next lock.Lock) {
	if f.refused {
		return
	}
	places := placesOf(next)
	for i, a := range next {
		if m, meet := meeting(places[i], places[i]); meet {
			f.run.Report.Errorf(f.namesPosition(a), "a tenant's own container of type %s could be named %q by the template %s, like the shared container: change the text of one of them, such as its beginning", a.Type, m.id, m.b)
			return
		}
		for j, b := range next[:i] {
			if a.Elsewhere || b.Elsewhere || a.API != b.API {
				continue
			}
			pos := f.namesPosition(b, a)
			if m, meet := meeting(places[i], places[j]); meet {
				f.run.Report.Errorf(pos, "the containers %s of type %s and %s of type %s could both be named %q, and would hold documents of both: change the text of one template, such as its beginning",
					m.b, b.Type, m.a, a.Type, m.id)
				return
			}
			if oneOwn(a, b) {
				continue
			}
			f.run.Report.Errorf(pos, "types %s and %s share the container %q, and a tenant that moves takes the documents of both with it, but the first has %s and the second %s: give both the same \"own\"",
				b.Type, a.Type, a.Container, ownText(b), ownText(a))
			return
		}
	}
}

// oneOwn reports whether two entries agree on the tenants' own containers. Entries that share a
// container must agree, unless one of them is gone and nothing reads its documents.
func oneOwn(a, b lock.Entry) bool {
	return a.Container != b.Container || a.Own == b.Own || a.Gone || b.Gone
}

// ownText names the own containers of an entry.
func ownText(e lock.Entry) string {
	if e.Own == "" {
		return "no own containers"
	}
	return "own containers " + e.Own
}

// namesPosition returns the position of the container in the tags of the last entry that is in the
// source.
func (f *folder) namesPosition(of ...lock.Entry) token.Position {
	pos := token.Position{Filename: f.path, Line: 1, Column: 1}
	for _, e := range of {
		if d := f.docs[e.Type]; d != nil {
			pos = d.ContainerPosition()
		}
	}
	return pos
}

// judgeMeeting reports a type whose container could have the id of one in another package. At and
// there are their places. Of two packages of the run, the first reports.
func (f *mergedFolder) judgeMeeting(e lock.Entry, at []place, n other, x lock.Entry, there []place, told map[string]bool) {
	key := n.dir + "\x00" + e.Container + "\x00" + x.Container
	if n.folder != nil && n.dir < f.dir || told[key] || e.Gone && x.Gone {
		return
	}
	m, meet := meeting(at, there)
	if !meet {
		return
	}
	told[key] = true
	report := f.run.Report.Errorf
	if n.folder == nil && x.Draft {
		report = f.run.Report.Notef
	}
	report(f.position(e.Type), "the containers %s of type %s and %s of type %s in %s could both be named %q, and would hold documents of both: change the text of one template, such as its beginning; if they are in different databases, put note=elsewhere on the blank field of one type",
		m.a, e.Type, m.b, x.Type, filepath.ToSlash(diag.Relative(f.run.Report.Dir, filepath.Join(n.dir, lock.FileName))), m.id)
}

// sameID is an id that two places can both have.
type sameID struct{ id, a, b string }

// meeting returns an id that the places of two entries can both have. It returns false if there is
// none, or if the texts are equal, which is one container or one template.
func meeting(a, b []place) (m sameID, meet bool) {
	for i, x := range a {
		for j, y := range b {
			if same := i == j && x.template == y.template && a[0].template == b[0].template; same || x.fixed() && y.fixed() {
				continue
			}
			if id, meet := commonID(x.ids, y.ids); meet {
				return sameID{id, x.template, y.template}, true
			}
		}
	}
	return sameID{}, false
}

// place is a container with documents of an entry: the container itself, then the tenants' own ones
// and the indexes.
type place struct {
	template string
	ids      [][]letters // their forms
}

func (p place) fixed() bool { return !strings.ContainsAny(p.template, "{}") }

// placesOf returns the places of each entry.
func placesOf(entries lock.Lock) [][]place {
	all := make([][]place, len(entries))
	for i, e := range entries {
		all[i] = []place{{e.Container, idsOf(e, e.Container)}}
		if e.Own != "" {
			all[i] = append(all[i], place{e.Own, idsOf(e, e.Own)})
		}
		for _, x := range e.Indexes {
			all[i] = append(all[i], place{x.Container, idsOf(e, x.Container)})
		}
	}
	return all
}

// commonID returns an id that matches forms of both, and false if there is none.
func commonID(a, b [][]letters) (id string, meet bool) {
	for _, x := range a {
		for _, y := range b {
			if id, meet := common(x, y); meet {
				return id, true
			}
		}
	}
	return "", false
}

// letters is the set of characters at one position of an id, or at several positions.
type letters struct {
	any  string
	many bool // one character or more
}

// idsOf returns the forms of the ids of an entry's template, or of a fixed id.
func idsOf(e lock.Entry, text string) [][]letters {
	template, err := annotations.ParseTemplate(text)
	if err != nil || len(template.Levels) == 0 {
		return [][]letters{fixed(nil, strings.ToLower(text))}
	}
	level := e.KeyOf(template).Levels[0]
	components := level.Components()
	forms := [][]letters{nil}
	for _, part := range level.Parts {
		var next [][]letters
		for _, form := range forms {
			if part.Component == nil {
				next = append(next, fixed(form, part.Literal))
				continue
			}
			next = append(next, textsOf(form, part.Component, len(components))...)
		}
		forms = next
	}
	return forms
}

// textsOf returns a form followed by the text of a component.
func textsOf(form []letters, c *pk.Component, components int) [][]letters {
	const digits = "0123456789"
	form = form[:len(form):len(form)]
	switch {
	case c.Layout != "":
		return [][]letters{fixed(form, "", timeLetters(c.Layout)...)}
	case c.Value == pk.Bool:
		return [][]letters{fixed(form, "true"), fixed(form, "false")}
	case c.Value == pk.Int && components == 1:
		return [][]letters{append(form, letters{digits, true}), append(fixed(form, "-"), letters{digits, true})}
	case c.Value == pk.Int:
		return [][]letters{append(form, letters{digits, true}), append(fixed(form, "_2d"), letters{digits, true})}
	case components == 1:
		return [][]letters{append(form, letters{digits + "abcdefghijklmnopqrstuvwxyz_-", true})}
	}
	return [][]letters{append(form, letters{digits + "abcdefghijklmnopqrstuvwxyz_", true})}
}

// fixed returns a form followed by text, and then by more.
func fixed(form []letters, text string, more ...letters) []letters {
	form = form[:len(form):len(form)]
	for i := range len(text) {
		form = append(form, letters{any: text[i : i+1]})
	}
	return append(form, more...)
}

// timeLetters returns the letters of a time's text. Layouts for ids have elements of fixed width.
func timeLetters(format string) []letters {
	const digits = "0123456789"
	first := map[timelayout.Unit]string{timelayout.Month: "01", timelayout.Day: "0123", timelayout.Hour: "012"}
	var out []letters
	for _, e := range timelayout.Scan(format) {
		if e.Unit == timelayout.Literal {
			out = fixed(out, e.Text)
			continue
		}
		out = append(out, letters{any: cmp.Or(first[e.Unit], digits)})
		for range len(e.Text) - 1 {
			out = append(out, letters{any: digits})
		}
	}
	return out
}

// common returns a text that matches both forms, and false if there is none.
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
