package templates

import (
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/goname"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
	"github.com/cosmos-pkgen/pkgen/templates/internal/scope"
)

// keyQuery is a query that the key allows.
type keyQuery struct {
	name  string
	known []placed   // the components whose values are parameters
	args  []argument // these parameters
	level int        // the number of the last known level, from 0; -1 if it knows none of the key
	open  int        // the number of the level whose suffix is unknown, or -1

	between  *placed // of a range: the component whose periods it covers, not among the known ones
	windows  bool    // it is a range over windows, whose periods are not in the key
	from, to string  // of a range: the parameters that bound it
}

// keyQueries returns the queries, in the order of the file. There is no query by
// the item id, because Get reads by it.
func (f *plan) keyQueries() []keyQuery {
	var all []keyQuery
	for i, level := range f.Levels {
		if !level.Made && level.Parts[0].Component.Selector == f.ID.Selector {
			break
		}
		for _, w := range f.queriesTo(i) {
			// Of two queries with the same parameters, keep the one that knows more levels.
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
	if f.Containers != nil {
		return f.placedQueries(all)
	}
	return all
}

// queriesTo returns the queries by levels 0 to i of the key: the query that knows
// every suffix, the query that leaves one suffix open, and both over ranges.
func (f *plan) queriesTo(i int) []keyQuery {
	until := choose(f.components(), func(c placed) bool { return c.level <= i })
	open := slices.IndexFunc(f.Levels[:i+1], pk.Level.Random)
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
		// No filter can find the documents of one period among the others of a
		// bucket, since the JSON texts of times differ in offset and precision. So
		// there is no query by a time that is hashed.
		return len(w.known) == 0 || slices.ContainsFunc(w.known, func(c placed) bool { return c.hashed && c.Value == pk.Time })
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

// calendar returns the one component of w that is a year, a month, a day or an
// hour. It returns nil if there is none, or more than one.
func (w keyQuery) calendar() *placed {
	found := choose(w.known, func(c placed) bool { return c.Value == pk.Time && timelayout.Period(c.Layout) != "" })
	if len(found) != 1 {
		return nil
	}
	if same := choose(w.known, func(c placed) bool { return c.Selector == found[0].Selector }); len(same) > 1 {
		return nil
	}
	return &found[0]
}

// nameQuery fills in the name of w and its parameters.
func (f *plan) nameQuery(w *keyQuery) { f.nameQueryIn(w) }

// nameQueryIn is nameQuery where more names are taken.
func (f *plan) nameQueryIn(w *keyQuery, more ...string) {
	taken := f.scope.Inner()
	taken.Add(more...)
	w.args = f.arguments(w.known, taken)
	w.name = methodName(w.args)
	if len(w.args) == 0 && w.windows {
		w.name = "Scan"
	}
	if !w.ranges() {
		return
	}
	w.from, w.to = "from", "to"
	if !taken.Free(w.from) || !taken.Free(w.to) {
		w.from, w.to = taken.Take("start", "startTime"), taken.Take("end", "endTime")
	}
	over := w.between
	if w.windows {
		over = f.window()
	} else if len(w.args) == 0 {
		w.name = "By" + w.between.Name
	}
	w.name += "Between"
	if !f.exact(over) {
		w.name += goname.UpperFirst(timelayout.Period(over.Layout)) + "s"
	}
}

// ranges reports whether w is over a range of time.
func (w keyQuery) ranges() bool { return w.between != nil || w.windows }

// exact reports whether a range over a component has exact bounds, and not whole
// periods. For that, the times in documents have to be in the order of time: the texts
// of a repository.Time are, and the other APIs store times as such.
func (f *plan) exact(c *placed) bool { return (c.Instant || f.api().typed) && c.Hiding == "" }

// selectors names the fields of w's parameters.
func (w keyQuery) selectors() []string {
	all := make([]string, len(w.args))
	for i, a := range w.args {
		all[i] = a.Selector
	}
	return all
}

// complete reports whether w knows all levels of the key, so that it reads single
// logical partitions.
func (f *plan) complete(w keyQuery) bool { return w.level == len(f.Levels)-1 }

// filters returns the components by which w filters documents: the hashed ones,
// since other values have the same bucket, and those of an ambiguous key. Times of
// an ambiguous key need no filter: documents of one key whose other components are
// equal have equal times.
func (f *plan) filters(w keyQuery) []placed {
	seen := scope.Names{}
	return choose(w.known, func(c placed) bool {
		if seen[c.Selector] || c.placing || !c.hashed && (!f.Ambiguous || c.natural || c.Value == pk.Time) {
			return false
		}
		seen.Add(c.Selector)
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
func (f *plan) arguments(components []placed, taken scope.Scope) []argument {
	var all []argument
	seen := scope.Names{}
	for _, c := range components {
		if !seen[c.Selector] {
			seen.Add(c.Selector)
			all = append(all, argument{f.keyField(c.Component), taken.Parameter(c.Name)})
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
	if w.ranges() {
		list = append(list, w.from, w.to)
	}
	return list
}

// findQuery has the item id and all components of the key as parameters.
func (f *plan) findQuery() keyQuery { return f.findQueryIn() }

// findQueryIn is findQuery where more names are taken.
func (f *plan) findQueryIn(more ...string) keyQuery {
	w := keyQuery{level: len(f.Levels) - 1, open: slices.IndexFunc(f.Levels, pk.Level.Random)}
	w.known = append([]placed{{Component: pk.Component{Field: f.ID}}}, f.keyComponents()...)
	taken := f.scope.Inner()
	taken.Add(more...)
	w.args = f.arguments(w.known, taken)
	return w
}
