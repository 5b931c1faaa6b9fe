package model

import (
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
)

// prefix returns the prefix of a peer's ids.
func (p *peer) prefix() facts.Prefix {
	if p.document == nil {
		return p.PrefixInSyntax()
	}
	return p.document.Prefix()
}

// idPrefix returns the prefix of ids. It reports one that does not distinguish them from the ids of
// other types in the container.
func (d *member) idPrefix() string {
	own := d.Prefix()
	for _, t := range d.Roles {
		if t.ID && t.Prefix != "" && d.Options.Prefix != "" && len(t.Ref.Path) == 1 {
			d.Errorf(own.Pos, "the id of %s has the prefix %q in the tag of its field, and this is a second one: keep one of them", d.Name(), t.Prefix)
			return own.Text
		}
	}
	for _, p := range d.peers {
		if p.Stated == d.Stated {
			continue
		}
		other := p.prefix()
		silent := p.document == nil || d.InTest() && !p.InTest() // the other type reports the problem
		switch {
		case other.Unknown || own.Text == "" && other.Text == "":
		case own.Text == "":
			d.Errorf(own.Pos, "types %s and %s share the container %q, and all ids of %s begin with %q, while those of %s may, too: give its id its own prefix, such as %s; either all types of a container have a prefix, or none has",
				d.Name(), p.Name(), d.Container(), p.Name(), other.Text, d.Name(), d.suggestedPrefix())
		case other.Text == "" && silent:
			d.Errorf(own.Pos, "types %s and %s share the container %q, and ids of %s, which has no prefix, may begin with %q as well: give it a prefix, or remove this one; either all types of a container have a prefix, or none has",
				d.Name(), p.Name(), d.Container(), p.Name(), own.Text)
		case other.Text == "":
		case strings.HasPrefix(own.Text, other.Text) || strings.HasPrefix(other.Text, own.Text):
			d.Errorf(own.Pos, "types %s and %s share the container %q, and an id that begins with %q could belong to both, because theirs begin with %q and %q: choose prefixes that do not begin with each other, such as %s",
				d.Name(), p.Name(), d.Container(), longer(own.Text, other.Text), own.Text, other.Text, d.suggestedPrefix())
		default:
			continue
		}
		if d.Failed {
			break
		}
	}
	return own.Text
}

// suggestedPrefix returns the words of a tag for a prefix of d's ids.
func (d *subject) suggestedPrefix() string {
	for _, t := range d.Roles {
		if t.ID && len(t.Ref.Path) > 1 {
			return "`_ struct{}` with `cosmos:\"prefix=" + facts.DefaultContainer(d.Name()) + "-\"`"
		}
	}
	return "`cosmos:" + strconv.Quote("id,prefix="+facts.DefaultContainer(d.Name())+"-") + "`"
}

// longer returns the longer of two texts.
func longer(a, b string) string {
	if len(a) > len(b) {
		return a
	}
	return b
}
