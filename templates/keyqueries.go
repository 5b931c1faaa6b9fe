package templates

import (
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/goname"
)

// keyQuery is a query that the key allows.
type keyQuery struct {
	name  string
	known []placed   // whose values are parameters
	args  []argument // these parameters
	level int        // the last value of the key that is known, from 0
	open  int        // the value whose suffix is not known, or -1
	// A range is over the periods of a component, which is not among the known
	// ones.
	between  *placed
	from, to string // the parameters that bound it
}

// keyQueries returns the queries, in the order of the file. Get does what queries by
// the item id would.
func (f *plan) keyQueries() []keyQuery {
	var all []keyQuery
	for i, level := range f.Levels {
		if !level.Made && level.Parts[0].Component.Selector == f.ID.Selector {
			break
		}
		for _, w := range f.queriesTo(i) {
			// Of two that take the same, the one that says more about the key.
			same := slices.IndexFunc(all, func(other keyQuery) bool {
				return other.name == w.name && slices.Equal(other.selectors(), w.selectors())
			})
			switch {
			case same < 0:
				all = append(all, w)
			case all[same].level < w.level:
				all[same] = w
			}
		}
	}
	return all
}

// queriesTo returns the queries by values 0 to i of the key: with the suffix of
// each, with that of one open, and both over ranges.
func (f *plan) queriesTo(i int) []keyQuery {
	until := choose(f.components(), func(c placed) bool { return c.level <= i })
	open := slices.IndexFunc(f.Levels[:i+1], Level.Random)
	var queries []keyQuery
	if open < 0 {
		queries = append(queries, keyQuery{known: until, level: i, open: -1})
		if f.Levels[i].Bucket() != nil {
			open = i
		}
	}
	if open >= 0 {
		known := choose(until, func(c placed) bool { return !c.hashed || c.level != open })
		queries = append(queries, keyQuery{known: known, level: i, open: open})
	}
	queries = slices.DeleteFunc(queries, func(w keyQuery) bool {
		// Whoever knows the period of a hashed time has no filter that finds its
		// documents among the others of the bucket: the JSON texts of times
		// differ in offset and precision.
		return len(w.known) == 0 || slices.ContainsFunc(w.known, func(c placed) bool { return c.hashed && c.Value == Time })
	})
	for _, w := range queries {
		if calendar := w.calendar(); calendar != nil {
			w.between = calendar
			w.known = choose(w.known, func(c placed) bool { return c.Selector != calendar.Selector })
			queries = append(queries, w)
		}
	}
	for n := range queries {
		f.nameQuery(&queries[n])
	}
	return queries
}

// calendar returns the one component of w that stands for years, months, days or
// hours, or nil.
func (w keyQuery) calendar() *placed {
	found := choose(w.known, func(c placed) bool { return c.Value == Time && unit(c.Layout) != "" })
	if len(found) != 1 {
		return nil
	}
	if same := choose(w.known, func(c placed) bool { return c.Selector == found[0].Selector }); len(same) > 1 {
		return nil
	}
	return &found[0]
}

// nameQuery fills in the parameters of w and its name.
func (f *plan) nameQuery(w *keyQuery) {
	taken := f.scope.inner()
	w.args = f.arguments(w.known, taken)
	w.name = methodName(w.args)
	if w.between == nil {
		return
	}
	w.from, w.to = "from", "to"
	if !taken.free(w.from) || !taken.free(w.to) {
		w.from, w.to = taken.take("start", "startTime"), taken.take("end", "endTime")
	}
	if len(w.args) == 0 {
		w.name = "By" + w.between.Name
	}
	w.name += "Between"
	if !w.exact() {
		w.name += goname.UpperFirst(unit(w.between.Layout)) + "s"
	}
}

// exact reports whether a range is of the instants that documents hold, and not
// of whole periods: their texts have to be in the order of time.
func (w keyQuery) exact() bool { return w.between.Instant && w.between.Hiding == "" }

// selectors names the fields of w's parameters.
func (w keyQuery) selectors() []string {
	all := make([]string, len(w.args))
	for i, a := range w.args {
		all[i] = a.Selector
	}
	return all
}

// complete reports whether w knows all values of the key, so that each query of
// it reads one logical partition.
func (f *plan) complete(w keyQuery) bool { return w.level == len(f.Levels)-1 }

// filters returns the components of w that its documents are filtered by: those
// of a bucket, which others have too, and where a key is ambiguous its texts.
// What is equal in all the others and in the key is equal in the times as well.
func (f *file) filters(w keyQuery) []placed {
	seen := names{}
	return choose(w.known, func(c placed) bool {
		if seen[c.Selector] || !c.hashed && (!f.Ambiguous || c.natural || c.Value == Time) {
			return false
		}
		seen.add(c.Selector)
		return true
	})
}

// argument is a field of the key type that is a parameter of a method.
type argument struct {
	keyField
	param string
}

// arguments returns the parameters for components, each once, in order, and
// takes their names.
func (f *plan) arguments(components []placed, taken scope) []argument {
	var all []argument
	seen := names{}
	for _, c := range components {
		if !seen[c.Selector] {
			seen.add(c.Selector)
			all = append(all, argument{f.keyField(c.Component), taken.parameter(c.Name)})
		}
	}
	return all
}

// methodName is the name of the query by args: ByDateAndVIN.
func methodName(args []argument) string {
	fields := make([]string, len(args))
	for i, a := range args {
		fields[i] = a.Name
	}
	return "By" + strings.Join(fields, "And")
}

// list names the parameters of w, as a call does.
func (w keyQuery) list() []string {
	var list []string
	for _, a := range w.args {
		list = append(list, a.param)
	}
	if w.between != nil {
		list = append(list, w.from, w.to)
	}
	return list
}
