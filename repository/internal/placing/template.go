package placing

import (
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/partition"
	"github.com/cosmos-pkgen/pkgen/repository/generated"
)

// Template is the container template of a type.
type Template []generated.ContainerPart

// Name is a parsed name of a container: the texts of components by field, and the period of
// its documents.
type Name struct {
	Text       string
	components map[string]string
	Start, End time.Time // zero if the template has no time
}

// layout returns the format of the template's time, or "" if it has none.
func (t Template) layout() string {
	for _, p := range t {
		if p.Layout != "" {
			return p.Layout
		}
	}
	return ""
}

// Read parses the name of a container. It returns false if the template cannot make it.
func (t Template) Read(name string) (Name, bool) {
	n := Name{Text: name, components: map[string]string{}}
	components := 0
	for _, p := range t {
		if p.Field != "" {
			components++
		}
	}
	ok := t.read(name, components > 1, &n)
	return n, ok
}

// read parses the rest of a name. Several says that the template has several components,
// which then have no hyphen.
func (t Template) read(rest string, several bool, n *Name) bool {
	if len(t) == 0 {
		return rest == ""
	}
	p := t[0]
	if p.Field == "" {
		after, ok := strings.CutPrefix(rest, p.Text)
		return ok && t[1:].read(after, several, n)
	}
	for i := 1; i <= len(rest); i++ {
		text := rest[:i]
		if !makes(p, text, several) || !t[1:].read(rest[i:], several, n) {
			continue
		}
		n.components[p.Field] = text
		if p.Layout != "" {
			n.Start, n.End, _ = period(text, p.Layout)
		}
		return true
	}
	return false
}

// makes reports whether a component may have this text in a name.
func makes(p generated.ContainerPart, text string, several bool) bool {
	if p.Layout != "" {
		_, _, ok := period(text, p.Layout)
		return ok
	}
	separators := ""
	if several {
		separators = "-"
	}
	_, err := partition.ContainerText(text, separators) // ContainerText is strict
	return err == nil
}

// period returns the period whose start has this text.
func period(text, layout string) (start, end time.Time, ok bool) {
	start, err := time.Parse(layout, text)
	if err != nil || start.Format(layout) != text {
		return start, end, false
	}
	return start, EndOf(start, layout), true
}

// EndOf returns the end of the period of a layout that begins at start.
func EndOf(start time.Time, layout string) time.Time {
	from := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	differs := func(later time.Time) bool {
		n, err := partition.CountPeriods(from, later, layout)
		return err == nil && n > 1
	}
	switch {
	case differs(from.Add(time.Hour)):
		return start.Add(time.Hour)
	case differs(from.AddDate(0, 0, 1)):
		return start.AddDate(0, 0, 1)
	case differs(from.AddDate(0, 1, 0)):
		return start.AddDate(0, 1, 0)
	}
	return start.AddDate(1, 0, 0)
}

// Name returns the name of the container for a period from start, and components with these
// texts. It returns false if the text of a component is missing.
func (t Template) Name(texts map[string]string, start time.Time) (string, bool) {
	var b strings.Builder
	for _, p := range t {
		switch text, known := texts[p.Field]; {
		case p.Field == "":
			b.WriteString(p.Text)
		case p.Layout != "":
			b.WriteString(start.UTC().Format(p.Layout))
		case known:
			b.WriteString(text)
		default:
			return "", false
		}
	}
	return b.String(), true
}
