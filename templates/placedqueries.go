package templates

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/operations"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
)

// This file has the queries of types with several containers. The fields that name a
// container come first. A query that does not know the time of the windows reads all
// of them, and has one next to it that takes a range.

// placedQueries returns the queries of a key with those over containers.
func (f *plan) placedQueries(ofKey []keyQuery) []keyQuery {
	var all []keyQuery
	add := func(w keyQuery) {
		f.nameQuery(&w)
		if !slices.ContainsFunc(all, func(other keyQuery) bool {
			return other.name == w.name && slices.Equal(other.selectors(), w.selectors())
		}) {
			all = append(all, w)
		}
	}
	both := func(w keyQuery) {
		add(w)
		if f.reads(w) != oneContainer && f.window() != nil && !w.ranges() {
			w.windows = true
			add(w)
		}
	}
	for _, w := range ofKey {
		texts := choose(f.containerTexts(), func(c placed) bool { return !w.knows(c) })
		w.known = append(texts, w.known...)
		both(w)
	}
	nothing := keyQuery{level: -1, open: -1}
	if texts := f.containerTexts(); len(texts) > 0 {
		w := nothing
		w.known = texts
		both(w)
	}
	if f.window() != nil {
		nothing.windows = true
		add(nothing)
	}
	return all
}

// knows reports whether a component is a parameter of w.
func (w keyQuery) knows(c placed) bool {
	return slices.ContainsFunc(w.known, func(known placed) bool { return known.Selector == c.Selector })
}

// reach is which containers a query reads.
type reach int

const (
	allContainers reach = iota // those of the type that exist
	someTexts                  // those whose ids have the texts that the query knows
	someWindows                // the windows of a range, perhaps of known texts
	oneContainer
)

// reads returns which containers w reads.
func (f *plan) reads(w keyQuery) reach {
	window := f.window()
	switch {
	case w.windows, window != nil && w.between != nil && w.between.Selector == window.Selector:
		return someWindows
	case window == nil || w.knows(*window):
		return oneContainer
	case len(f.containerTexts()) > 0:
		return someTexts
	}
	return allContainers
}

// inContainers adds to keys the containers that w reads. The variable key has the
// arguments of w, if hasKey says so.
//
//	….In(key.Container(), …
//	….Named("Region", string(partition.AppendContainerText(nil, region, "-")), partition.Text("Region", region)).Between(from, to)
func (f *file) inContainers(keys *jen.Statement, w keyQuery, hasKey bool) *jen.Statement {
	if f.Containers == nil {
		return keys
	}
	placing := func(all []placed) []placed { return choose(all, func(c placed) bool { return c.placing }) }
	reads := f.reads(w)
	if reads == oneContainer {
		id := jen.Id("key")
		if !hasKey {
			id = f.keyOfArguments(argumentsFor(w.args, f.containerComponents()))
		}
		id = id.Dot("Container").Call()
		checks := append(f.checks(placing(w.known), w.value), f.checkContainerID(id.Clone())...)
		return keys.Dot("In").Call(append([]jen.Code{id}, checks...)...)
	}
	keys = f.named(keys, choose(f.containerTexts(), w.knows), w.value)
	if reads == someWindows {
		keys = keys.Dot("Between").Call(jen.Id(w.from), jen.Id(w.to))
		if w.windows && f.exact(f.window()) {
			keys = keys.Dot("Within").Call(jen.Lit(f.window().Pointer))
		}
	}
	return keys
}

// named adds to keys the texts of components in the ids of containers, and their checks:
// one after the call before, and several each on a line of its own.
func (f *file) named(keys *jen.Statement, components []placed, value func(pk.Component) *jen.Statement) *jen.Statement {
	for _, c := range components {
		keys = dot(keys, "Named", len(components) > 1).Call(append([]jen.Code{jen.Lit(c.Selector), f.containerText(c.Component, value(c.Component))}, f.checks([]placed{c}, value)...)...)
	}
	return keys
}

// argumentsFor returns the arguments for components.
func argumentsFor(args []argument, components []placed) []argument {
	return slices.DeleteFunc(slices.Clone(args), func(a argument) bool {
		return !slices.ContainsFunc(components, func(c placed) bool { return c.Selector == a.Selector })
	})
}

// placedDoc is the comment of a query of a type with several containers, after the
// documents that it selects.
func (f *file) placedDoc(w keyQuery, what string) string {
	if w.windows {
		what += f.windowsDoc(w)
	}
	switch {
	case w.level >= 0:
		what += f.whereDoc(w)
	case f.reads(w) == oneContainer:
		what += ", which are the whole of one container: " + f.api().costs.scan.Words + "."
	default:
		what += ": " + f.api().costs.scan.Words + "."
	}
	return what + " " + f.containersRead(w).sentence
}

// windowsDoc says which documents a range over windows selects.
func (f *file) windowsDoc(w keyQuery) string {
	window := f.window()
	unit := timelayout.Period(window.Layout)
	if f.exact(window) {
		return fmt.Sprintf(" whose %s is %s or later and before %s, as a repository.Time has written it", window.Property, w.from, w.to)
	}
	return fmt.Sprintf(" from the %s of %s to the %s of %s, whole %ss of UTC", unit, w.from, unit, w.to, unit)
}

// containersRead says which containers a query reads: in a sentence of its comment, and
// in a few words.
type containersRead struct{ sentence, words string }

func (f *plan) containersRead(w keyQuery) containersRead {
	texts := choose(w.known, func(c placed) bool {
		return slices.ContainsFunc(f.containerTexts(), func(text placed) bool { return text.Selector == c.Selector })
	})
	names := make([]string, 0, len(texts)+1)
	for _, c := range texts {
		names = append(names, w.argumentOf(c.Component).param)
	}
	of := ""
	if len(names) > 0 {
		of = " of " + prose.Enumerate(names)
	}
	switch f.reads(w) {
	case oneContainer:
		if window := f.window(); window != nil {
			names = append(names, w.argumentOf(window.Component).param)
		}
		return containersRead{"It reads one container.", "the one of " + prose.Enumerate(names)}
	case someWindows:
		unit := timelayout.Period(f.window().Layout)
		return containersRead{
			fmt.Sprintf("It reads the windows%s alone that the range touches, in the order of time, and that is the cost of each.", of),
			fmt.Sprintf("the %ss between %s and %s", unit, w.from, w.to) + of,
		}
	case someTexts:
		return containersRead{"It reads every container" + of + ", in the order of time, after a request that lists them, and that is the cost of each.", "all" + of}
	}
	order := ""
	if f.window() != nil {
		order = ", in the order of time"
	}
	return containersRead{"It reads every window" + order + ", after a request that lists them, and that is the cost of each.", "all"}
}

// containers says in a few words which containers an operation on documents reads or
// writes. It is "" if the type has one container.
func (f *plan) containers(reach operations.Reach) string {
	if f.Containers == nil {
		return ""
	}
	switch reach {
	case operations.Whole:
		return "all"
	case operations.BothKeys:
		return "those of both keys"
	case operations.OfKeys:
		return "those of the keys"
	}
	return "the one of the key"
}
