package explain

import (
	"context"
	"errors"
	"flag"
	"io"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/cmd/internal/load"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/apis"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/resources"
	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// Command is pkgen explain.
func Command() cli.Command {
	return cli.Command{
		Name: "explain", Arguments: "[packages]",
		Help: "show how keys are made and what methods cost",
		About: "Shows how the partition key of each type with cosmos tags is made, with an example, and what its methods cost. " +
			"With -container, it prints the container for Bicep, Terraform or the Azure CLI. Explain writes no files.",
		Examples: [][2]string{
			{"pkgen explain -type VehicleEvent ./fleet", "one type"},
			{"pkgen explain -format json ./... | jq '.[].layout'", "for programs"},
			{"pkgen explain -container bicep ./...", "for a deployment"},
		},
		Bind: bindExplain,
	}
}

// Explanation is what explain says of a type. Its JSON form is public: fields
// are added to it, and keep their names and meanings.
type Explanation struct {
	Package    string   `json:"package"` // import path
	Type       string   `json:"type"`
	Position   string   `json:"position"`                   // file:line:col of the type's name
	Output     string   `json:"output"`                     // the generated file
	API        string   `json:"api,omitempty"`              // table, mongo or gremlin; absent for NoSQL
	Container  string   `json:"container"`                  // or a template of ids; a table or collection; "" for a graph
	Label      string   `json:"label,omitempty"`            // of vertices and edges
	From       string   `json:"from,omitempty"`             // of an edge, the type of the vertices that it leads from
	To         string   `json:"to,omitempty"`               // and those that it leads to
	ExampleID  string   `json:"exampleContainer,omitempty"` // an id that the template makes
	Own        string   `json:"ownContainers,omitempty"`    // a template of ids, of those that tenants have of their own
	ExampleOwn string   `json:"exampleOwnContainer,omitempty"`
	DocType    string   `json:"documentType,omitempty"` // what documents say of their type
	IDPrefix   string   `json:"idPrefix,omitempty"`     // what every id begins with
	TTL        *int     `json:"ttl,omitempty"`          // the container's default, in seconds
	Conflict   string   `json:"conflict,omitempty"`     // the path by which the last writer wins, in several write regions
	Deleted    string   `json:"deleted,omitempty"`      // the property that marks documents as deleted
	Purge      int      `json:"purge,omitempty"`        // seconds after which the service removes them; 0 for never
	Paths      []string `json:"partitionKeyPaths"`      // one for each level
	Kind       string   `json:"kind"`                   // natural, id, synthetic, hierarchical, or edge
	Layout     string   `json:"layout"`
	ExampleKey string   `json:"exampleKey"`
	Row        string   `json:"rowKey,omitempty"` // the layout of row keys of a table, if it is not the id
	ExampleRow string   `json:"exampleRowKey,omitempty"`
	Draft      bool     `json:"draft,omitempty"`     // the layout may still change, until pkgen seal
	Escaped    bool     `json:"escaped"`             // components are percent-encoded
	Ambiguity  string   `json:"ambiguity,omitempty"` // different values that make one key
	Methods    []Method `json:"methods"`
	Indexes    []Index  `json:"indexes,omitempty"` // the global secondary indexes of the container
	Notes      []string `json:"notes,omitempty"`   // those that pkgen prints, too
	Advice     []string `json:"advice,omitempty"`  // on keys of this kind

	place  string // what the API calls a container
	shares bool   // ids may be those of documents of other types
}

// Index is a global secondary index: a container of its own that the service derives.
type Index struct {
	Name       string   `json:"name"`
	Entry      string   `json:"entry"` // the type of what it holds
	Container  string   `json:"container"`
	Paths      []string `json:"partitionKeyPaths"` // one for each level
	Layout     string   `json:"layout"`
	ExampleKey string   `json:"exampleKey"`
	Property   string   `json:"property,omitempty"` // of documents, which the run time writes for the key
	Selected   []string `json:"selected,omitempty"` // the properties that it has; absent for all
	Later      bool     `json:"later,omitempty"`    // this release only writes the property
	Methods    []Method `json:"methods"`
	Advice     []string `json:"advice,omitempty"`
}

// Method is a method of a repository, and what it costs.
type Method struct {
	Name       string `json:"name"`
	Parameters string `json:"parameters"`
	Partitions int    `json:"logicalPartitions"` // 0: as many as there are
	Cost       string `json:"cost"`
	Containers string `json:"containers,omitempty"` // which it reads or writes, each at this cost, if there are several
	Costs      []Cost `json:"costs"`
}

// Cost is what a method costs in a container of some size.
type Cost struct {
	Physical int `json:"physicalPartitions"`
	Requests int `json:"requests"`
	Units    int `json:"requestUnits"`
}

// physicalPartitions are the sizes of containers for which costs are shown.
var physicalPartitions = []int{1, 5, 50}

// explaining holds the flags of pkgen explain.
type explaining struct {
	load      load.Flags
	format    *cli.Choice
	container *cli.Choice
}

// bindExplain declares the flags of pkgen explain.
func bindExplain(flags *flag.FlagSet) cli.Action {
	x := &explaining{load: load.NewFlags(flags)}
	x.format = cli.NewChoice(flags, "format", cli.FormatText, "how types are printed", cli.FormatText, cli.FormatJSON)
	x.container = cli.NewChoice(flags, "container", "", "print the containers instead", resources.Bicep, resources.Terraform, resources.AzureCLI)
	return x.run
}

func (x *explaining) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if x.format.Value == cli.FormatJSON && x.container.Value != "" {
		return cli.Fail(stderr, errors.New("-format json and -container exclude each other: give one of them"))
	}
	const accept = true // nothing is written, so a changed key is only a note
	result, err := x.load.Load(ctx, args, generator.Options{AcceptKeyChange: accept}, stderr)
	if err != nil {
		return cli.Fail(stderr, err)
	}
	types := make([]Explanation, len(result.Types))
	var told []string
	for i, t := range result.Types {
		types[i] = explain(t)
		told = append(told, t.Notes...)
	}
	others := slices.DeleteFunc(result.Diagnostics, func(d generator.Diagnostic) bool {
		return d.Name != "" && slices.ContainsFunc(told, func(note string) bool { return strings.HasPrefix(d.Message, note) })
	})
	if code := load.Report(load.TextPrinter{Stderr: stderr}, others); code != cli.Done {
		return code
	}
	switch {
	case x.container.Value != "":
		err = resources.Write(stdout, x.container.Value, result.Types)
	case x.format.Value == cli.FormatJSON:
		err = cli.WriteJSON(stdout, types)
	default:
		err = writeText(stdout, types)
	}
	if err != nil {
		return cli.Fail(stderr, err)
	}
	return cli.Done
}

func explain(t generator.TypeInfo) Explanation {
	e := Explanation{
		Package:    t.Model.PackagePath,
		Type:       t.Model.Name,
		Position:   t.Pos.String(),
		Output:     cli.Shown(t.Output),
		API:        apis.Names[t.Model.API],
		place:      apis.Places[t.Model.API],
		Label:      t.Model.Label,
		Row:        pk.Level{Parts: t.Model.Row}.Layout(),
		ExampleRow: t.Model.ExampleRow,
		Container:  t.Model.Container,
		ExampleID:  t.Model.ExampleContainer,
		Own:        t.Model.OwnTemplate(),
		ExampleOwn: t.Model.ExampleOwn,
		IDPrefix:   t.Model.Prefix,
		TTL:        t.Model.TTL,
		Conflict:   t.Model.Conflict,
		Kind:       kindNames[t.Model.Kind],
		Layout:     t.Model.Layout(),
		ExampleKey: t.Model.ExampleKey,
		Draft:      t.Model.Draft,
		Escaped:    t.Model.Escape,
		Ambiguity:  t.Ambiguity,
		Notes:      t.Notes,
		Advice:     advice(t.Model),
	}
	if t.Model.Discriminator != nil {
		e.DocType = t.Model.Discriminator.Value
		e.shares = t.Model.Prefix == ""
	}
	if edge := t.Model.Edge; edge != nil {
		e.From, e.To, e.Kind = edge.From, edge.To, "edge"
	}
	if d := t.Model.Deleted; d != nil {
		e.Deleted, e.Purge = d.Field.Pointer, d.Seconds
	}
	e.Paths = t.Model.Paths()
	for _, m := range slices.Concat(t.Model.Methods(), t.Model.Promoted(), t.Model.Scoped()) {
		e.Methods = append(e.Methods, newMethod(m))
	}
	for i := range t.Model.Indexes {
		e.Indexes = append(e.Indexes, newIndex(t.Model, &t.Model.Indexes[i]))
	}
	return e
}

func newIndex(t *templates.Type, x *templates.Index) Index {
	out := Index{
		Name: x.Name, Entry: x.Entry.Name, Container: x.Entry.Container, Paths: x.Entry.Paths(), Layout: x.Entry.Layout(), ExampleKey: x.Entry.ExampleKey,
		Selected: x.Selected, Later: x.Later, Methods: []Method{},
	}
	if x.Field != nil {
		out.Property = x.Field.Property
	}
	if x.Later {
		out.Advice = []string{"documents of earlier releases lack the property: run Upgrade, and remove \"later\" in the next release, which reads the index"}
		return out
	}
	for _, m := range t.IndexMethods(x) {
		out.Methods = append(out.Methods, newMethod(m))
	}
	out.Advice = indexAdvice(t.ScanAndWrite())
	return out
}

func newMethod(m templates.Method) Method {
	costs := make([]Cost, len(physicalPartitions))
	for i, physical := range physicalPartitions {
		requests, units := m.At(physical)
		costs[i] = Cost{physical, requests, units}
	}
	return Method{Name: m.Name, Parameters: m.Parameters, Partitions: m.Partitions, Cost: m.Cost, Containers: m.Containers, Costs: costs}
}

var kindNames = map[templates.Kind]string{
	templates.Natural:      "natural",
	templates.ItemID:       "id",
	templates.Synthetic:    "synthetic",
	templates.Hierarchical: "hierarchical",
}
