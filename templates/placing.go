package templates

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
	"github.com/cosmos-pkgen/pkgen/templates/internal/prose"
)

// This file writes how the fields of a document say in which container it is: the id of
// the container, and what the run time has to know of it.

// placements are several containers, whose ids fields of documents make.
var placements = feature{
	in:   func(t *Type) bool { return t.Containers != nil },
	keys: (*file).containerID,
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
	var all []placed
	for _, part := range t.Containers {
		if part.Component != nil {
			all = append(all, placed{Component: *part.Component, placing: true})
		}
	}
	return all
}

// keyComponents returns the components of the containers, then those of the partition
// key, and then those of the row key.
func (t *Type) keyComponents() []placed {
	return slices.Concat(t.containerComponents(), t.components(), t.rowComponents())
}

// ContainerSeparators returns the characters that the texts of components do not have
// in ids of containers: none if there is one component.
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

// unbounded returns the components of the containers whose texts may have any length.
func (t *Type) unbounded() []placed {
	return choose(t.containerComponents(), func(c placed) bool { return c.Value == pk.String || c.Value == pk.Text || c.Value == pk.TextPtr })
}

// encoded reports whether the text of a component can hold characters that ids of
// containers write in another way.
func (t *Type) encoded(c pk.Component) bool {
	return c.Value == pk.String || c.Value == pk.Text || c.Value == pk.TextPtr || c.Value == pk.Int && t.ContainerSeparators() != ""
}

// containerID writes the method that makes the id of the container of a key.
//
//	func (k ReadingKey) Container() string {
//		var buf [64]byte
//		b := append(buf[:0], "telemetry-"...)
//		b = partition.AppendTime(b, k.At, "2006-01")
//		return string(b)
//	}
//
// or
//
//	b = partition.AppendContainerText(b, k.TenantID, "")
func (f *file) containerID() {
	f.declare(f.containerIDDoc(), f.idMethod("Container", f.Containers))
}

// idMethod writes the method of the key that makes an id by a template.
func (f *file) idMethod(name string, template []pk.Part) *jen.Statement {
	body := []jen.Code{jen.Var().Id("buf").Index(jen.Lit(64)).Byte()}
	if slices.ContainsFunc(template, func(p pk.Part) bool { return p.Component != nil && f.buffered(*p.Component) }) {
		body = []jen.Code{jen.Var().List(jen.Id("buf"), jen.Id("text")).Index(jen.Lit(64)).Byte()}
	}
	to, assign := jen.Id("buf").Index(jen.Empty(), jen.Lit(0)), ":="
	for _, part := range template {
		var appended *jen.Statement
		switch {
		case part.Component != nil:
			appended = f.appendContainerText(to, *part.Component)
		case len(part.Literal) == 1:
			appended = jen.Append(to, jen.LitRune(rune(part.Literal[0])))
		default:
			appended = jen.Append(to, spread(jen.Lit(part.Literal)))
		}
		body = append(body, jen.Id("b").Op(assign).Add(appended))
		to, assign = jen.Id("b"), "="
	}
	return f.keyMethod(name).Params().String().Block(append(body, jen.Return(jen.String().Call(jen.Id("b"))))...)
}

// containerIDDoc is the comment of the method that makes the id of a container.
func (f *file) containerIDDoc() string {
	doc := "Container returns the id of the container that holds the " + f.Name + " that k identifies: " + describeLevel(pk.Level{Parts: f.Containers})
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

// buffered reports whether the text of a component has to be made in a buffer of its
// own before it can be encoded.
func (t *Type) buffered(c pk.Component) bool { return c.Value != pk.String && t.encoded(c) }

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
	return jen.Qual(partitionPath, "AppendContainerText").Call(to, x, jen.Lit(f.ContainerSeparators()))
}

// containerText writes the text of x, the component c, as ids of containers have it.
//
//	string(partition.AppendContainerText(nil, region, "-"))
//	strconv.FormatUint(uint64(number), 10)
func (f *file) containerText(c pk.Component, x *jen.Statement) *jen.Statement {
	text := func(x *jen.Statement) *jen.Statement {
		return jen.String().Call(jen.Qual(partitionPath, "AppendContainerText").Call(jen.Nil(), x, jen.Lit(f.ContainerSeparators())))
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
	all := f.unbounded()
	if f.Containers == nil || len(all) == 0 && f.longestContainerID() <= maxContainerID {
		return nil
	}
	field := ""
	if len(all) == 1 {
		field = all[0].Selector
	}
	return []jen.Code{jen.Qual(partitionPath, "ContainerID").Call(jen.Lit(field), id)}
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

// containersModel writes what the model says of several containers.
//
//	&generated.Containers[ReadingKey]{
//		Parts: []generated.ContainerPart{
//			{Text: "telemetry-"},
//			{Field: "At", Layout: "2006-01"},
//		},
//		Name:       ReadingKey.Container,
//		Time:       func(k ReadingKey) time.Time { return k.At },
//		Property:   "/at",
//		Properties: readingProperties,
//		Ensure:     "EnsureReadingContainer",
//	}
func (f *file) containersModel() *jen.Statement {
	items := []jen.Code{
		containerParts(f.Containers),
		named("Name", jen.Id(f.keyName()).Dot("Container")),
	}
	if c := f.window(); c != nil {
		items = append(items,
			named("Time", oneLine(jen.Id("k").Id(f.keyName()), jen.Qual(timePath, "Time"), f.ofKey(c.Component))),
			named("Property", jen.Lit(c.Pointer)),
		)
	}
	return addr(rows(jen.Qual(generatedPath, "Containers").Types(jen.Id(f.keyName())), append(items,
		named("Properties", jen.Id(f.propertiesName())),
		named("Ensure", jen.Lit(f.ensureName())),
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
	return named("Parts", rows(jen.Index().Qual(generatedPath, "ContainerPart"), parts...))
}

// windows writes the functions for the windows of a type: the one that finds them, and
// the one that makes them and gives them throughput. A type without a time in the ids of
// its containers has none.
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
	taken := f.scope.Inner()
	taken.Add("db", "from", "to", "policy", "opts")
	args := f.arguments(f.containerTexts(), taken)
	list, names := []jen.Code{jen.Id("db")}, make([]string, len(args))
	of := ""
	if len(args) > 0 {
		for i, a := range args {
			list = append(list, jen.Id(a.param))
			names[i] = a.param
		}
		of = " of " + prose.Enumerate(names)
	}
	db := []jen.Code{param("db", ptr(jen.Qual(azcosmosPath, "DatabaseClient")))}
	f.declare(fmt.Sprintf("%s returns the containers of %s documents%s, one for each %s of %s: they can be made, listed with their sizes, and dropped. It sends nothing.",
		f.windowsName(), f.Name, of, timelayout.Period(window.Layout), window.Property),
		jen.Func().Id(f.windowsName()).Params(append(db, parameters(args)...)...).Add(ptr(jen.Qual(adminPath, "Windows"))).Block(
			jen.Return(jen.Qual(adminPath, "NewWindows").Call(jen.Id("db"), addr(jen.Id(f.modelName())),
				f.named(jen.Qual(generatedPath, "Keys").Values(), f.containerTexts(), valueIn(args)))),
		))
	params := append([]jen.Code{f.ctx()}, db...)
	params = append(params, parameters(args)...)
	often := "a " + timelayout.Period(window.Layout)
	if often == "a hour" {
		often = "an hour"
	}
	f.declare(fmt.Sprintf("%s makes the containers of %s documents%s from one time on and before another, and gives each the throughput of its age: admin.Windows.Ensure says what that costs. Call it at each start, or once %s.",
		f.ensureWindowsName(), f.Name, of, often),
		jen.Func().Id(f.ensureWindowsName()).Params(append(params,
			jen.List(jen.Id("from"), jen.Id("to")).Qual(timePath, "Time"),
			jen.Id("policy").Qual(adminPath, "WindowPolicy"),
			variadic("opts", jen.Qual(adminPath, "EnsureOption")),
		)...).Params(jen.Qual(adminPath, "WindowList"), jen.Error()).Block(
			jen.Return(jen.Id(f.windowsName()).Call(list...).Dot("Ensure").Call(
				jen.Id("ctx"), jen.Id("from"), jen.Id("to"), jen.Id("policy"), spread(jen.Id("opts")))),
		))
}
