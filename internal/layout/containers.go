package layout

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/jsonscan"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// Containers says which containers have the documents of a type: the container with an id or, with
// a template, the one that their properties name. It is immutable, and safe for concurrent use.
type Containers struct {
	typ   string
	id    string // of a single container; "" for a template
	level level
	// separators are the characters that cannot occur in the texts of components.
	separators string

	ids   *regexp.Regexp // matches ids of a template, with a group for each component
	reads node
	slots int
}

// ContainersOf returns the containers of a type, from its lock entry.
func ContainersOf(e lock.Entry) (*Containers, error) {
	if !e.Placed() {
		return &Containers{typ: e.Type, id: e.Container}, nil
	}
	l, err := ofTemplate(e.Container, false, e)
	if err == nil && len(l.levels) != 1 {
		err = errors.New("the id of a container cannot have a comma: restore " + lock.FileName + " from version control")
	}
	if err != nil {
		return nil, fmt.Errorf("type %s: container %q: %w", e.Type, e.Container, err)
	}
	c := &Containers{typ: e.Type, level: l.levels[0], reads: l.reads, slots: l.slots}
	if len(c.level.components) > 1 {
		c.separators = "-"
	}
	var pattern strings.Builder
	for _, p := range c.level.Parts {
		if p.Component == nil {
			pattern.WriteString(regexp.QuoteMeta(p.Literal))
		} else {
			pattern.WriteString("(" + patternOf(p.Component, c.separators) + ")")
		}
	}
	if c.ids, err = regexp.Compile("^" + pattern.String() + "$"); err != nil {
		return nil, fmt.Errorf("type %s: container %q: %w", e.Type, e.Container, err)
	}
	return c, nil
}

// OwnContainersOf returns the tenants' own containers, from the type's lock entry, or nil if there
// are none.
func OwnContainersOf(e lock.Entry) (*Containers, error) {
	if e.Own == "" {
		return nil, nil
	}
	e.Container = e.Own
	return ContainersOf(e)
}

// patternOf returns a regular expression for the texts of a component in ids.
func patternOf(c *pk.Component, separators string) string {
	plain := "a-z0-9-"
	if separators != "" {
		plain = "a-z0-9"
	}
	switch c.Value {
	case pk.Time:
		var times strings.Builder
		for _, e := range timelayout.Scan(c.Layout) {
			if e.Unit == timelayout.Literal {
				times.WriteString(regexp.QuoteMeta(e.Text))
			} else {
				fmt.Fprintf(&times, `\d{%d}`, len(e.Text))
			}
		}
		return times.String()
	case pk.Bool:
		return "true|false"
	}
	return "(?:[" + plain + "]|_[0-9a-f]{2})+"
}

// Hold reports whether a container with an id has documents of the type.
func (c *Containers) Hold(id string) bool {
	if c.ids == nil {
		return id == c.id
	}
	groups := c.ids.FindStringSubmatch(id)
	if groups == nil {
		return false
	}
	for i, component := range c.level.components {
		text := groups[1+i]
		if component.Value == pk.Time {
			if t, err := time.Parse(component.Layout, text); err != nil || t.Format(component.Layout) != text {
				return false
			}
		} else if _, err := partition.ContainerText(text, c.separators); err != nil {
			return false
		}
	}
	return true
}

// ID returns the id of a document's container, like the generated method Container. The error is an
// [*Error], if the document's properties make none.
func (c *Containers) ID(document []byte) (string, error) {
	if c.ids == nil {
		return c.id, nil
	}
	slots := make([]span, c.slots)
	s := scanner{Checker: jsonscan.Check(document), slots: slots}
	if err := s.read(c.reads.children); err != nil {
		err.Type = c.typ
		return "", err
	}
	in := values{text: document, spans: slots}
	var id []byte
	components := c.level.components
	for _, p := range c.level.Parts {
		if p.Component == nil {
			id = append(id, p.Literal...)
			continue
		}
		text, err := components[0].appendTo(nil, in)
		components = components[1:]
		if err != nil {
			err.Type = c.typ
			return "", err
		}
		if p.Component.Value == pk.Time {
			id = append(id, text...)
		} else {
			id = partition.AppendContainerText(id, text, c.separators)
		}
	}
	if reason := reasonOf(partition.ContainerID("", string(id))); reason != "" {
		return "", &Error{Type: c.typ, Problem: Refused, Reason: reason}
	}
	return string(id), nil
}

// InContainer returns the entries of the types that may have documents in a container.
func InContainer(all lock.Lock, id string) (lock.Lock, error) {
	var out lock.Lock
	for _, e := range all {
		c, err := ContainersOf(e)
		if err != nil {
			return nil, err
		}
		own, err := OwnContainersOf(e)
		if err != nil {
			return nil, err
		}
		if c.Hold(id) || own != nil && own.Hold(id) {
			out = append(out, e)
		}
	}
	return out, nil
}
