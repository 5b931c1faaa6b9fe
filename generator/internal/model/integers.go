package model

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator/internal/diag"
	"github.com/cosmos-pkgen/pkgen/generator/internal/facts"
	"github.com/cosmos-pkgen/pkgen/generator/internal/source"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// integers reports whether documents may have integers that Cosmos DB rounds, whether a tag
// acknowledges it or not. It notes fields of int64 and uint64, whose authors expect large values.
// It does not note int or any, which nearly every document has; the run time checks these as well.
func (d *subject) integers(levels []pk.Level) bool {
	w := &integerWalk{d: d}
	for _, level := range levels {
		if !level.Made { // the key type checks plain properties
			w.checked = append(w.checked, level.Parts[0].Component.Pointer)
		}
	}
	w.checked = append(w.checked, "/"+facts.TSProperty, "/"+facts.TTLProperty) // these hold seconds
	for _, t := range d.Roles {
		if t.Version || t.Schema > 0 || t.Computed != "" { // a counter of writes or releases, or not stored
			w.checked = append(w.checked, t.Ref.Pointer())
		}
	}
	w.strct(d.Struct, nil, "")
	return w.found
}

// integerWalk searches the types of a document for integers.
type integerWalk struct {
	d       *subject
	checked []string     // pointers of properties to skip
	seen    typeutil.Map // maps types to the places where they were visited, a map[string]bool
	found   bool
}

// maxIntegerTypes limits the visited types of a document.
const maxIntegerTypes = 1000

// deepestArguments limits the nesting of type arguments of a field. Source with an instantiation
// cycle, which does not compile, leads from G[A] to G[P[A, A]] and on without end, and the size of
// these types doubles each time.
const deepestArguments = 12

// nestedDeeper reports whether the type arguments of t are nested deeper than n.
func nestedDeeper(t types.Type, n int) bool {
	if n < 0 {
		return true
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			if nestedDeeper(arg, n-1) {
				return true
			}
		}
	case *types.Map:
		return nestedDeeper(t.Key(), n-1) || nestedDeeper(t.Elem(), n-1)
	case interface{ Elem() types.Type }: // a pointer, slice, array or channel
		return nestedDeeper(t.Elem(), n-1)
	}
	return false
}

// strct visits the fields of a struct at the end of a path.
func (w *integerWalk) strct(strct *types.Struct, way []*types.Var, at string) {
	for _, p := range facts.JSONFields(strct) {
		pointer := at + jsonpointer.Of(p.Name)
		if p.Quoted || slices.Contains(w.checked, pointer) {
			continue
		}
		w.acknowledgements(&p)
		w.look(p.Field().Type(), slices.Concat(way, p.Path), pointer)
	}
}

// acknowledgements reads the acknowledgements in the tag of a nested field. Those of top-level
// fields have been read.
func (w *integerWalk) acknowledgements(p *facts.Property) {
	v, notes := p.Field(), w.d.Said(p).Notes
	if notes == nil || slices.ContainsFunc(w.d.Acknowledged, func(a *diag.Acknowledgement) bool { return a.Field == v }) {
		return
	}
	at := func(int) token.Position { return w.d.Position() }
	if file, t, ok := w.d.Unit.TagAt(v); ok {
		if value, ok := t.Lookup(source.CosmosKey); ok {
			at = func(offset int) token.Position { return w.d.Unit.Offset(file, value.At(offset)) }
		}
	}
	w.d.Acknowledge(notes, v, at)
}

// look visits the type of the field at the end of a path.
func (w *integerWalk) look(t types.Type, way []*types.Var, at string) {
	t, _ = facts.Pointee(t)
	if nestedDeeper(t, deepestArguments) {
		w.found = true // it may contain integers
		return
	}
	switch facts.FormOf(t) {
	case facts.Time, facts.Instant, facts.Text, facts.Bytes:
		return
	case facts.Code, facts.TextAndCode, facts.Number:
		w.note(way, "") // its output is unknown
		return
	}
	if !w.visit(t, way, at) {
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		w.strct(u, way, at)
	case *types.Map:
		w.look(u.Elem(), way, at)
	case *types.Array:
		w.look(u.Elem(), way, at)
	case *types.Slice:
		w.look(u.Elem(), way, at)
	case *types.Interface:
		w.note(way, "")
	case *types.Basic:
		switch u.Kind() {
		case types.Int64, types.Uint64:
			w.found = true // the run time refuses rounding even if a tag acknowledges the note
			w.note(way, u.Name())
		case types.Int, types.Uint, types.Uintptr:
			w.found = true
			w.note(way, "")
		}
	}
}

// visit reports whether to visit t: on this path it may have integers that it did not have at
// earlier visits.
func (w *integerWalk) visit(t types.Type, way []*types.Var, at string) bool {
	if _, basic := t.Underlying().(*types.Basic); basic {
		return true
	}
	if w.seen.Len() == maxIntegerTypes {
		w.found = true // the others may contain integers
		return false
	}
	var where string
	for _, a := range w.d.Acknowledged {
		if a.Name == annotations.NoteInt64 && slices.Contains(way, a.Field) {
			where = fmt.Sprintf("%s %p", where, a)
		}
	}
	if slices.ContainsFunc(w.checked, func(pointer string) bool { return strings.HasPrefix(pointer, at+"/") }) {
		where += at
	}
	places, _ := w.seen.At(t).(map[string]bool)
	if places == nil {
		places = make(map[string]bool)
		w.seen.Set(t, places)
	}
	visited := places[where]
	places[where] = true
	return !visited
}

// note notes integers of a type at the end of a path. If typ is "", it only records that there may
// be some.
func (w *integerWalk) note(way []*types.Var, typ string) {
	d := w.d
	if d.Silent(annotations.NoteInt64, way...) {
		return
	}
	w.found = true
	if typ == "" {
		return
	}
	field, pos := way[len(way)-1], d.Position()
	for _, v := range way {
		if _, syntax := d.Unit.SyntaxOf(v); syntax != nil {
			pos = d.Unit.Position(v.Pos())
		}
	}
	d.NoteOf(annotations.NoteInt64, way, pos, fmt.Sprintf(
		"field %s holds integers of type %s, but Cosmos DB keeps numbers as float64: the run time refuses values beyond 2^53, and other programs would store them rounded; if you need larger values, store them as text in another property, by the option string of its json tag", field.Name(), typ))
}
