package annotations

import (
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
)

// container reads the id of a container, or the template of ids.
func (p *parser) container(v span) {
	if !strings.ContainsAny(v.text, "{}") {
		p.typ.Container = check(p, v, containerID)
		return
	}
	p.typ.Containers, p.typ.ContainerPaths = p.containerTemplate(v)
}

// own reads the template of the ids of own containers, whose one field is the tenant.
func (p *parser) own(v span) {
	if !strings.ContainsAny(v.text, "{}") {
		p.fail(v, "%q is one container, and each tenant has one of its own: name the field of the tenant, as in own=orders-{TenantID}", v.text)
		return
	}
	t, paths := p.containerTemplate(v)
	if len(paths) > 1 {
		p.fail(span{paths[1].Text, paths[1].Offset}, "field %q is a second field, and an own container is that of a tenant: name the field of the tenant alone, as in own=orders-{TenantID}", paths[1].Text)
		return
	}
	for _, part := range slices.Concat(t.Levels...) {
		if part.Component != nil && part.Component.Format != "" {
			p.fail(v, "%s has a format, which is for times, and an own container is that of a tenant: name the field of the tenant, as in own=orders-{TenantID}", v.text)
			return
		}
	}
	p.typ.Own, p.typ.OwnPaths = t, paths
}

// containerTemplate reads a template of ids of containers. It returns nothing after an
// error.
func (p *parser) containerTemplate(v span) (Template, []Path) {
	var read templateParser
	t, err := read.template(v)
	if err != nil {
		p.errs = append(p.errs, err)
		return Template{}, nil
	}
	errs := len(p.errs)
	for _, path := range read.fields {
		if err := fieldPath(span{path.Text, path.Offset}); err != nil {
			p.errs = append(p.errs, err)
		}
	}
	p.containerParts(v, t.Levels[0], read.components)
	if len(p.errs) > errs {
		return Template{}, nil
	}
	return t, read.fields
}

// containerParts checks the parts of a template of ids, whose components are at the
// spans: ids hold few characters, and those of different components must differ.
func (p *parser) containerParts(whole span, l Level, at []span) {
	components := len(at)
	var texts []string
	var time string // the field of the component that is a time
	fixed := 0
	offset := 0
	for i, part := range l {
		c := part.Component
		if c == nil {
			text := whole.slice(offset, offset+len(part.Literal))
			offset += len(part.Literal)
			fixed += len(part.Literal)
			p.containerLiteral(text, i > 0 && components > 1 && i < len(l)-1)
			continue
		}
		s := at[0]
		at = at[1:]
		offset += len(s.text)
		switch {
		case c.Buckets > 0:
			p.fail(s, "%s is a bucket: a bucket spreads keys within a container; name a field, as in container=orders-{TenantID}", s.text)
			continue
		case c.Lower:
			p.fail(s, "%s is in lower case, so that texts which differ in case alone would share a container: remove \"|lower\"; the id has every capital letter in an encoding", s.text)
		case slices.Contains(texts, c.Fields[0]):
			p.fail(s, "field %q occurs here twice: its text is in the id already; remove one", c.Fields[0])
		case c.Format != "" && time != "":
			p.fail(s, "%s is a second time besides %s, and a window is a period of one time: keep one", s.text, time)
		case c.Format != "":
			time = c.Fields[0]
			p.window(s, c.Format)
		}
		texts = append(texts, c.Fields[0])
	}
	if fixed+components > maxContainerID {
		p.fail(whole, "the ids have %d characters or more: Cosmos DB allows %d", fixed+components, maxContainerID)
	}
}

// containerLiteral checks the fixed text of a template. Text between components must
// begin with a hyphen, which the components do not hold.
func (p *parser) containerLiteral(text span, between bool) {
	for i, r := range text.text {
		if !isContainerRune(r) {
			c := text.slice(i, i+len(string(r)))
			p.fail(c, "the fixed text of a container template may not hold %q: use lower-case letters a to z, digits and \"-\", so that ids differ in any letter case", c.text)
			return
		}
	}
	if between && text.text[0] != '-' {
		p.fail(text, "text %q between two fields does not begin with \"-\", so that different fields could make one id: write it as %q", text.text, "-"+text.text)
	}
}

// window checks that a format, which is in the component at the span, names a year, a
// month, a day or an hour, in the characters of ids.
func (p *parser) window(s span, format string) {
	finest := timelayout.Finest(format)
	field, _, _ := strings.Cut(strings.TrimPrefix(s.text, "{"), "|")
	write := func(format string) string { return "{" + field + "|" + format + "}" }
	switch {
	case finest > timelayout.Hour:
		p.fail(s, "%s is a window of a %s: a window is a year, a month, a day or an hour; write %s", s.text, finest, write(windowFormat(timelayout.Hour)))
	case !timelayout.FixedWidth(format):
		p.fail(s, "%s is without padding, so that ids do not sort as the times do: write 01 and 02", s.text)
	case strings.ContainsFunc(format, func(r rune) bool { return !isContainerRune(r) }):
		p.fail(s, "%s makes ids with other characters than a to z, digits and \"-\": write %s", s.text, write(windowFormat(finest)))
	}
}

// windowFormat returns the format of windows whose finest element is a unit.
func windowFormat(finest timelayout.Unit) string {
	return strings.ReplaceAll(finest.Layout(), "T", "-")
}

// isContainerRune reports whether the fixed text of a template may hold a character.
func isContainerRune(r rune) bool {
	return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '-'
}
