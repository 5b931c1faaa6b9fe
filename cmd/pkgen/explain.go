package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// explanation is what explain says of a type. Its JSON form is public.
type explanation struct {
	Package    string   `json:"package"` // import path
	Type       string   `json:"type"`
	Position   string   `json:"position"` // file:line:col of the type's name
	Output     string   `json:"output"`   // the generated file
	Container  string   `json:"container"`
	Paths      []string `json:"partitionKeyPaths"` // one for each level
	Kind       string   `json:"kind"`              // natural, id, synthetic or hierarchical
	Layout     string   `json:"layout"`
	ExampleKey string   `json:"exampleKey"`
	Methods    []method `json:"methods"`
	Notes      []string `json:"notes,omitempty"` // what is worth knowing of this key
}

type method struct {
	Name       string `json:"name"`
	Parameters string `json:"parameters"`
	Partitions int    `json:"logicalPartitions"` // 0: as many as there are
	Cost       string `json:"cost"`
}

// explaining holds the flags of pkgen explain.
type explaining struct {
	load   loading
	asJSON bool
}

// bindExplain is pkgen explain.
func bindExplain(flags *flag.FlagSet) action {
	x := &explaining{load: loadFlags(flags)}
	flags.BoolVar(&x.asJSON, "json", false, "print a JSON array with an object for each type")
	return x.run
}

func (x *explaining) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	const accept = true // nothing is written, so a key that changes is worth a note
	result, err := x.load.load(ctx, args, accept)
	if err != nil {
		return fail(stderr, err)
	}
	types := make([]explanation, len(result.Types))
	told := map[string]bool{}
	for i, t := range result.Types {
		types[i] = explain(t)
		for _, note := range t.Notes {
			told[note] = true
		}
	}
	others := slices.DeleteFunc(result.Diagnostics, func(d generator.Diagnostic) bool {
		return d.Severity == generator.Note && told[d.Message]
	})
	if code := report(stderr, others); code != exitDone {
		return code
	}
	write := writeText
	if x.asJSON {
		write = writeJSON
	}
	if err := write(stdout, types); err != nil {
		return fail(stderr, err)
	}
	return exitDone
}

func explain(t generator.TypeInfo) explanation {
	e := explanation{
		Package:    t.Model.PackagePath,
		Type:       t.Model.Name,
		Position:   t.Pos.String(),
		Output:     shown(t.Output),
		Container:  t.Model.Container,
		Kind:       kindNames[t.Model.Kind],
		Layout:     t.Model.Layout,
		ExampleKey: t.Model.ExampleKey,
		Notes:      append(t.Notes[:len(t.Notes):len(t.Notes)], advice(t.Model)...),
	}
	for _, level := range t.Model.KeyLevels() {
		e.Paths = append(e.Paths, level.Path)
	}
	for _, m := range t.Model.Methods() {
		e.Methods = append(e.Methods, method(m))
	}
	return e
}

var kindNames = map[templates.Kind]string{
	templates.Natural:      "natural",
	templates.ItemID:       "id",
	templates.Synthetic:    "synthetic",
	templates.Hierarchical: "hierarchical",
}

func writeJSON(w io.Writer, types []explanation) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(types)
}

func writeText(w io.Writer, types []explanation) error {
	if len(types) == 0 {
		_, err := fmt.Fprintln(w, "no struct type has cosmos tags: tag a field, for example `cosmos:\"pk\"`")
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i, t := range types {
		if i > 0 {
			fmt.Fprintln(table)
		}
		fmt.Fprintf(table, "%s.%s (%s)\n", t.Package, t.Type, t.Position)
		fmt.Fprintf(table, "  container\t%s\n", t.Container)
		fmt.Fprintf(table, "  partition key\t%s at %s, such as %s\n", t.Layout, strings.Join(t.Paths, ", "), t.ExampleKey)
		for _, m := range t.Methods {
			fmt.Fprintf(table, "  %s(%s)\t%s\n", m.Name, m.Parameters, m.Cost)
		}
		for _, note := range t.Notes {
			fmt.Fprintf(table, "  note\t%s\n", note)
		}
	}
	return table.Flush()
}
