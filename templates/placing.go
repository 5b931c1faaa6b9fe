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

// This file writes how the fields of a document name its container: the id, and the run
// time's description of it.

// placements are several containers, whose ids fields of documents make.
var placements = feature{
	in:     func(t *Type) bool { return t.Containers != nil },
	keys:   (*file).containerID,
	checks: func(f *file) []jen.Code { return f.checkContainerID(jen.Id("k").Dot("Container").Call()) },
	model: func(f *file) members {
		m := members{{"Containers", f.containersModel()}}
		if c := f.window(); c != nil {
			m = append(m, member{"At", oneLine(param(f.doc, ptr(jen.Id(f.Name))), jen.Qual(timePath, "Time"), f.timeOf(keyField{Component: c.Component}))})
		}
		return m
	},
}

// windowed are containers for periods of time.
var windowed = feature{
	in:        func(t *Type) bool { return t.window() != nil },
	functions: (*file).windows,
}

// containerComponents returns the components of the template of containers, in order.
// It is empty if the type has one container.
func (t *Type) containerComponents() []placed {
	return collect(componentsOf(t.Containers), func(c placed) placed { c.placing = true; return c })
}

// keyComponents returns the components of the containers, of the partition key, and of
// the row key, in this order.
func (t *Type) keyComponents() []placed {
	return slices.Concat(t.containerComponents(), t.components(), t.rowComponents())
}

// ContainerSeparators returns the characters that ids of containers escape in the texts of
// components: none if there is one component.
func (t *Type) ContainerSeparators() string {
	if len(t.containerComponents()) > 1 {
		return "-"
	}
	return ""
}

// window returns the component of the containers that is a time, or nil.
func (t *Type) window() *placed {
	for _, c := range t.containerComponents() {
		if c.Value == pk.Time {
			return &c
		}
	}
	return nil
}

// containerTexts returns the components of the containers that are no time.
func (t *Type) containerTexts() []placed {
	return choose(t.containerComponents(), func(c placed) bool { return c.Value != pk.Time })
}

// encoded reports whether the text of a component can hold characters that ids of
// containers write in another way.
func (t *Type) encoded(c pk.Component) bool {
	return c.Value == pk.String || c.Value == pk.Text || c.Value == pk.TextPtr || c.Value == pk.Int && t.ContainerSeparators() != ""
}

// containerID writes the method that makes the id of the container of a key.
//
//	func (k ReadingKey) Container() string { … }
//
// or
//
//	b = partition.AppendContainerText(b, k.TenantID, "")
func (f *file) containerID() {
	f.declare(f.containerIDDoc(), f.idMethod("Container", f.Containers))
}

// idMethod writes the method of the key that makes an id by a template.
func (f *file) idMethod(name string, template []pk.Part) *jen.Statement {
	copies := slices.ContainsFunc(template, func(p pk.Part) bool {
		return p.Component != nil && p.Component.Value != pk.String && f.encoded(*p.Component)
	})
	return f.keyMethod(name).Params().String().Block(joined(template, copies, func(to *jen.Statement, p pk.Part) *jen.Statement {
		return f.appendContainerText(to, *p.Component)
	})...)
}

// containerIDDoc is the comment of the method that makes the id of a container.
func (f *file) containerIDDoc() string {
	doc := "Container returns the id of the container of the " + f.Name + " that k identifies: " + describeLevel(pk.Level{Parts: f.Containers})
	if f.ExampleContainer != "" {
		doc += ", such as \"" + f.ExampleContainer + "\""
	}
	doc += "."
	if slices.ContainsFunc(f.containerComponents(), func(c placed) bool { return f.encoded(c.Component) }) {
		doc += " " + f.encodingDoc()
	}
	return doc
}

// encodingDoc says how ids of containers write texts.
func (f *file) encodingDoc() string {
	plain := "a letter a to z or a digit"
	if f.ContainerSeparators() == "" {
		plain = "a letter a to z, a digit or a hyphen"
	}
	return "Each byte other than " + plain + " is written as _ and two hexadecimal digits."
}

// appendContainerText appends the text of the component c of key k to the bytes to.
func (f *file) appendContainerText(to *jen.Statement, c pk.Component) *jen.Statement {
	x := f.ofKey(c)
	switch {
	case !f.encoded(c):
		return appendComponent(to, c, x)
	case c.Value == pk.String:
		x = convert(c.Field, "string", x)
	default:
		x = appendComponent(jen.Id("text").Index(jen.Empty(), jen.Lit(0)), c, x)
	}
	return partition("AppendContainerText", to, x, jen.Lit(f.ContainerSeparators()))
}

// containerText writes the text of x, the component c, as ids of containers have it.
//
//	string(partition.AppendContainerText(nil, region, "-"))
//	strconv.FormatUint(uint64(number), 10)
func (f *file) containerText(c pk.Component, x *jen.Statement) *jen.Statement {
	text := func(x *jen.Statement) *jen.Statement {
		return jen.String().Call(partition("AppendContainerText", jen.Nil(), x, jen.Lit(f.ContainerSeparators())))
	}
	switch c.Value {
	case pk.Int:
		number := jen.Qual(strconvPath, "FormatInt").Call(convert(c.Field, "int64", x), jen.Lit(10))
		if f.encoded(c) {
			return text(number)
		}
		return number
	case pk.Uint:
		return jen.Qual(strconvPath, "FormatUint").Call(convert(c.Field, "uint64", x), jen.Lit(10))
	case pk.Bool:
		return jen.Qual(strconvPath, "FormatBool").Call(convert(c.Field, "bool", x))
	}
	return text(textOf(c.Field, x))
}

// checkContainerID writes the check of the length of a container's id, or nothing if
// no id can be too long.
//
//	partition.ContainerID("TenantID", k.Container())
func (f *file) checkContainerID(id *jen.Statement) []jen.Code {
	all := choose(f.containerComponents(), func(c placed) bool { return c.Value == pk.String || c.Value.Marshaled() }) // of any length
	if len(all) == 0 && f.longestContainerID() <= maxContainerID {
		return nil
	}
	field := ""
	if len(all) == 1 {
		field = all[0].Selector
	}
	return []jen.Code{partition("ContainerID", jen.Lit(field), id)}
}

// maxContainerID is partition.MaxContainerID, which this package does not import.
const maxContainerID = 255

// longestContainerID returns the length of the longest id, but for texts of any length.
func (t *Type) longestContainerID() int {
	n := 0
	for _, part := range t.Containers {
		switch c := part.Component; {
		case c == nil:
			n += len(part.Literal)
		case c.Value == pk.Time:
			n += len(c.Layout)
		case c.Value == pk.Bool:
			n += len("false")
		default:
			n += len("_2d9223372036854775808")
		}
	}
	return n
}

// containersModel writes the part of the model for several containers.
func (f *file) containersModel() *jen.Statement {
	items := []jen.Code{
		containerParts(f.Containers),
		named("Name", jen.Id(f.keyName).Dot("Container")),
	}
	if c := f.window(); c != nil {
		items = append(items,
			named("Time", oneLine(jen.Id("k").Id(f.keyName), jen.Qual(timePath, "Time"), f.ofKey(c.Component))),
			named("Property", jen.Lit(c.Pointer)),
		)
	}
	return addr(rows(generated("Containers").Types(jen.Id(f.keyName)), append(items,
		named("Properties", jen.Id(f.propertiesName)),
		named("Ensure", jen.Lit(f.ensureName)),
	)...))
}

// containerParts writes a template of ids for the model.
func containerParts(template []pk.Part) *jen.Statement {
	parts := make([]jen.Code, len(template))
	for i, part := range template {
		switch c := part.Component; {
		case c == nil:
			parts[i] = jen.Values(named("Text", jen.Lit(part.Literal)))
		case c.Layout != "":
			parts[i] = jen.Values(named("Field", jen.Lit(c.Selector)), named("Layout", jen.Lit(c.Layout)))
		default:
			parts[i] = jen.Values(named("Field", jen.Lit(c.Selector)))
		}
	}
	return named("Parts", rows(jen.Index().Add(generated("ContainerPart")), parts...))
}

// windows writes the functions for the windows of a type: one returns them, the other creates
// them and sets their throughput. A type without a time in the ids of its containers has no
// windows.
//
//	func ReadingWindows(db *azcosmos.DatabaseClient) *admin.Windows {
//		return admin.NewWindows(db, &readingModel, generated.Keys{})
//	}
//
//	func EnsureReadingWindows(
//		ctx context.Context,
//		db *azcosmos.DatabaseClient,
//		from, to time.Time,
//		policy admin.WindowPolicy,
//		opts ...admin.EnsureOption,
//	) (admin.WindowList, error) {
//		return ReadingWindows(db).Ensure(ctx, from, to, policy, opts...)
//	}
//
// If the ids have other fields too, both take their values:
//
//	return admin.NewWindows(db, &readingModel, generated.Keys{}.Named("Region", string(partition.AppendContainerText(nil, region, "-")),
//		partition.Text("Region", region),
//	))
func (f *file) windows() {
	window := f.window()
	taken := f.scope.Inner("db", "from", "to", "policy", "opts")
	args := f.arguments(f.containerTexts(), taken)
	names, of := collect(args, argument.parameter), ""
	list := append([]jen.Code{jen.Id("db")}, ids(names)...)
	if len(args) > 0 {
		of = " of " + prose.Enumerate(names)
	}
	db := []jen.Code{param("db", ptr(azcosmos("DatabaseClient")))}
	f.declare(fmt.Sprintf("%s returns an admin.Windows, which creates, lists, and drops the containers of the %s documents%s, one for each %s of %s. It sends nothing.",
		f.windowsName, f.Name, of, timelayout.Period(window.Layout), window.Property),
		jen.Func().Id(f.windowsName).Params(append(db, parameters(args)...)...).Add(ptr(admin("Windows"))).Block(
			jen.Return(admin("NewWindows").Call(jen.Id("db"), addr(jen.Id(f.modelName)),
				f.named(generated("Keys").Values(), f.containerTexts(), valueIn(args)))),
		))
	params := append([]jen.Code{f.ctx()}, db...)
	params = append(params, parameters(args)...)
	often := "a " + timelayout.Period(window.Layout)
	if often == "a hour" {
		often = "an hour"
	}
	f.declare(fmt.Sprintf("%s creates the containers of the %s documents%s for times in [from, to), and gives each the throughput of its age: see admin.Windows.Ensure for the cost. Call it at each start, or once %s.",
		f.ensureWindowsName, f.Name, of, often),
		jen.Func().Id(f.ensureWindowsName).Params(append(params,
			jen.List(jen.Id("from"), jen.Id("to")).Qual(timePath, "Time"),
			param("policy", admin("WindowPolicy")),
			options(admin("EnsureOption")),
		)...).Params(admin("WindowList"), jen.Error()).Block(
			jen.Return(jen.Id(f.windowsName).Call(list...).Dot("Ensure").Call(
				jen.Id("ctx"), jen.Id("from"), jen.Id("to"), jen.Id("policy"), spread(jen.Id("opts")))),
		))
}

// In queries of types with several containers, the fields that name a container come first. A query
// that does not know the time of the windows reads all of them, and a second query takes a range.

// placedQueries returns the queries of a key, and queries over containers.
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
	allContainers reach = iota // all existing containers of the type
	someTexts                  // containers whose ids have the texts that the query knows
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

// inContainers adds to keys the containers that w reads. If hasKey is true, the variable key
// has the arguments of w.
//
//	….In(key.Container(), …
//	….Named("Region", string(partition.AppendContainerText(nil, region, "-")), partition.Text("Region", region)).Between(from, to)
func (f *file) inContainers(keys *jen.Statement, w keyQuery, hasKey bool) *jen.Statement {
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
		return what + ", in one container: " + f.api().costs.scan.Words + "."
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
		return exactly(window, w)
	}
	return wholePeriods(unit, w)
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
			fmt.Sprintf("It reads only the windows%s that the range touches, in the order of time, each at this cost.", of),
			fmt.Sprintf("the %ss between %s and %s", unit, w.from, w.to) + of,
		}
	case someTexts:
		return containersRead{"It lists the containers" + of + " by one request and reads them in the order of time, each at this cost.", "all" + of}
	}
	order := ""
	if f.window() != nil {
		order = " in the order of time"
	}
	return containersRead{"It lists the windows by one request and reads them" + order + ", each at this cost.", "all"}
}

// containers says in a few words which containers an operation on documents reads or
// writes.
func (f *plan) containers(reach operations.Reach) string {
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
