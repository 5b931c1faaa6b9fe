package templates

import (
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
)

// This file writes the row key of a table whose row keys are more than the id.

// rowComponents returns the components of the row key in order, without the id.
func (t *Type) rowComponents() []placed {
	var all []placed
	for _, part := range t.Row {
		if part.Component != nil && part.Component.Selector != t.ID.Selector {
			all = append(all, placed{Component: *part.Component})
		}
	}
	return all
}

// newest reports whether the row key begins with a time counted backwards.
func (t *Type) newest() bool {
	return len(t.Row) > 0 && t.Row[0].Component != nil && t.Row[0].Component.Newest
}

// rowLayout writes the constant with the layout of the row key.
//
//	const EventRowLayout = "{at|newest}-{id}"
func (f *file) rowLayout() {
	if f.Row == nil {
		return
	}
	counted := ""
	if slices.ContainsFunc(f.Row, func(p pk.Part) bool { return p.Component != nil && p.Component.Newest }) {
		counted = "A newest time is counted backwards: 19 digits of the ticks of 100 ns from it to the end of year 9999."
	}
	f.declare(prose.Sentences(
		f.rowLayoutName()+" says how the row key of "+f.Name+" documents is made of their properties.", counted, "Stored documents depend on it."),
		constant(f.rowLayoutName(), jen.Lit(f.RowLayout)))
}

// rowKey writes the method that makes the row key of a key.
//
//	func (k EventKey) RowKey() string {
//		var buf [64]byte
//		b := partition.AppendNewest(buf[:0], k.At)
//		b = append(b, '-')
//		b = append(b, k.ID...)
//		return string(b)
//	}
func (f *file) rowKey() {
	if f.Row == nil {
		return
	}
	level := pk.Level{Made: true, Parts: f.Row}
	doc := "RowKey returns the row key of the " + f.Name + " that k identifies: " + describeLevel(level)
	if f.ExampleRow != "" {
		doc += ", such as " + strconv.Quote(f.ExampleRow)
	}
	order := ""
	if f.newest() {
		order = "So the newest document of a logical partition sorts first: Table Storage lists it first, while Cosmos DB promises no order."
	}
	f.declare(prose.Sentences(doc+".", order), f.keyMethod("RowKey").Params().String().Block(f.textOfParts(level, nil)...))
}
