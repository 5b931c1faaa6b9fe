package generator

import (
	"strconv"
	"strings"
)

// prefix returns what the ids of a type in the container begin with.
func (p *peer) prefix() prefix {
	if p.document == nil {
		return p.prefixInSyntax()
	}
	return p.document.prefix()
}

// idPrefix returns what ids begin with, and reports a prefix by which they cannot
// be told from those of the other types in the container.
func (d *member) idPrefix() string {
	own := d.prefix()
	for _, t := range d.roles {
		if t.ID && t.Prefix != "" && d.options.Prefix != "" && len(t.ref.path) == 1 {
			d.errorf(own.pos, "the id of %s has the prefix %q in the tag of its field, and this is a second one: keep one of them", d.name(), t.Prefix)
			return own.text
		}
	}
	for _, p := range d.peers {
		if p.stated == d.stated {
			continue
		}
		other := p.prefix()
		silent := p.document == nil || d.inTest() && !p.inTest() // it does not report what concerns both
		switch {
		case other.unknown || own.text == "" && other.text == "":
		case own.text == "":
			d.errorf(own.pos, "types %s and %s share the container %q, and all ids of %s begin with %q, while those of %s may begin so as well: give its id a prefix of its own, such as %s; all types of a container have one, or none has",
				d.name(), p.name(), d.container(), p.name(), other.text, d.name(), d.suggestedPrefix())
		case other.text == "" && silent:
			d.errorf(own.pos, "types %s and %s share the container %q, and ids of %s, which has no prefix, may begin with %q as well: give it one, or remove this one; all types of a container have one, or none has",
				d.name(), p.name(), d.container(), p.name(), own.text)
		case other.text == "":
		case strings.HasPrefix(own.text, other.text) || strings.HasPrefix(other.text, own.text):
			d.errorf(own.pos, "types %s and %s share the container %q, and an id that begins with %q could be of both, since theirs begin with %q and %q: choose prefixes of which none is the beginning of another, such as %s",
				d.name(), p.name(), d.container(), longer(own.text, other.text), own.text, other.text, d.suggestedPrefix())
		default:
			continue
		}
		if d.failed {
			break
		}
	}
	return own.text
}

// suggestedPrefix returns the words of a tag that give ids of d a prefix.
func (d *subject) suggestedPrefix() string {
	for _, t := range d.roles {
		if t.ID && len(t.ref.path) > 1 {
			return "`_ struct{}` with `cosmos:\"prefix=" + defaultContainer(d.name()) + "-\"`"
		}
	}
	return "`cosmos:" + strconv.Quote("id,prefix="+defaultContainer(d.name())+"-") + "`"
}

// longer returns the longer of two texts.
func longer(a, b string) string {
	if len(a) > len(b) {
		return a
	}
	return b
}
