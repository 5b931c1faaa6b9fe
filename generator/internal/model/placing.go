package model

import (
	"slices"

	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// containers returns the parts of the template of container ids, or nil if the document has one
// container. It reports fields that cannot determine the container.
func (d *subject) containers(of pk.Key) []pk.Part {
	if !d.Placed() {
		return nil
	}
	o, _ := d.outlineOf("container", d.Options.Containers, d.Options.ContainerPaths, d.ContainerPosition())
	var parts []pk.Part
	for _, p := range o.pieces {
		if p.Component == nil {
			parts = append(parts, pk.Part{Literal: p.Literal})
			continue
		}
		ref := p.operands[0].ref
		if ref == nil {
			continue
		}
		if slices.Equal(ref.Property, []string{facts.IDProperty}) {
			d.Errorf(p.pos, "field %s is the item id, so each document would have its own container, and an account has at most 500 databases and containers: name another field", ref.Selector)
			continue
		}
		c, ok := d.component(p.operands[0], placing, p.Component.Format, false)
		if ok {
			d.windowOfKey(of, c)
		}
		parts = append(parts, pk.Part{Component: &c})
	}
	return parts
}

// windowOfKey reports a key whose period of the window's time is longer than the window: a logical
// partition would be in several containers.
func (d *subject) windowOfKey(of pk.Key, window pk.Component) {
	for _, c := range of.Components() {
		if c.Selector == window.Selector && window.Value == pk.Time && timelayout.Finer(window.Layout, c.Layout) {
			d.Errorf(d.KeyPosition(), "the key has %s as %q, which is longer than the windows of the container, %q: a logical partition would be in several containers; write a period in the key that is not longer, or leave the time out of the key",
				c.Selector, c.Layout, window.Layout)
			return
		}
	}
}

// exampleContainer returns the container id of a plausible document from a template, or "".
func exampleContainer(template []pk.Part, separators string) string {
	var b []byte
	for _, p := range template {
		switch {
		case p.Component == nil:
			b = append(b, p.Literal...)
		case p.Component.Value == pk.Time:
			b = append(b, exampleText(*p.Component)...)
		default:
			b = partition.AppendContainerText(b, exampleText(*p.Component), separators)
		}
	}
	return string(b)
}
