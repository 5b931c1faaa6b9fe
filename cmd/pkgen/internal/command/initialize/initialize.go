package initialize

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/cosmos-pkgen/pkgen/cmd/internal/load"
	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/generator/suggest"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/operations"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// Command is pkgen init.
func Command() cli.Command {
	return cli.Command{
		Name: "init", Arguments: "[packages]", Help: "propose tags for types without tags",
		About: "Proposes a partition key for each struct type that has JSON names, an id, and no cosmos tags. It prints the tags as a diff, " +
			"with reasons, the cost of reads, and questions that only you can answer. A key cannot be changed once documents are stored, " +
			"so review every proposal. A property whose name suggests that it changes, such as ownerId, is never proposed. " +
			"A struct that is stored within a document gets no key. Each document type gets its own container. Init writes nothing without -write.",
		Examples: [][2]string{{"pkgen init ./...", ""}, {"pkgen init -type Order -write ./shop", ""}},
		Bind:     bindInit,
	}
}

// bindInit declares the flags of pkgen init.
func bindInit(flags *flag.FlagSet) cli.Action {
	p := &proposing{load: load.NewFlags(flags)}
	flags.BoolVar(&p.write, "write", false, "write the tags into the source")
	p.format = cli.NewChoice(flags, "format", cli.FormatText, "how proposals are printed", cli.FormatText, cli.FormatJSON)
	return p.run
}

// proposing holds the flags of pkgen init.
type proposing struct {
	load   load.Flags
	write  bool
	format *cli.Choice
}

func (p *proposing) run(ctx context.Context, patterns []string, stdout, stderr io.Writer) int {
	result, err := suggest.Find(ctx, suggest.Options{Patterns: patterns, Types: cli.SplitList(*p.load.Types), Tags: *p.load.Tags})
	if err != nil {
		return cli.Fail(stderr, err)
	}
	show := printProposals
	if p.format.Value == cli.FormatJSON {
		show = writeProposals
	}
	if err := show(stdout, result); err != nil {
		return cli.Fail(stderr, err)
	}
	if result.Generated == nil {
		return cli.Done
	}
	if err := result.Generated.Err(); err != nil {
		fmt.Fprintln(stderr, err)
		code := cli.Fail(stderr, errors.New("nothing was written: correct this first, or leave the type out by -type"))
		if errors.Is(err, generator.ErrKeyChange) {
			code = cli.Refused
		}
		return code
	}
	if !p.write && p.format.Value == cli.FormatJSON {
		return cli.Done
	}
	if !p.write {
		fmt.Fprintln(stdout, "\nNothing was written. To write the tags, add -write, and -type to select types.")
		return cli.Done
	}
	if err := result.Commit(); err != nil {
		return cli.Fail(stderr, err)
	}
	if p.format.Value == cli.FormatJSON {
		return cli.Done
	}
	fmt.Fprintln(stdout)
	for _, f := range result.Files {
		fmt.Fprintln(stdout, "wrote", plain.Word(filepath.ToSlash(cli.Shown(f.Path))))
	}
	fmt.Fprintln(stdout, "\nNext: go get -tool github.com/cosmos-pkgen/pkgen/cmd/pkgen, unless go.mod has it, then go generate and go mod tidy.")
	return cli.Done
}

// proposals is what -format json prints.
type proposals struct {
	Proposals []proposal `json:"proposals"`
	Skipped   []skipped  `json:"skipped"`
}

type proposal struct {
	File         string   `json:"file"` // with slashes, relative to the working directory if it is below
	Line         int      `json:"line"` // of the type's name, from 1
	Package      string   `json:"package"`
	Type         string   `json:"type"`
	Layout       string   `json:"layout,omitempty"` // absent if the generator refuses the tags
	Container    string   `json:"container,omitempty"`
	ExampleKey   string   `json:"exampleKey,omitempty"`
	Reasons      []string `json:"reasons"`
	Rejected     []string `json:"rejected"`     // properties, and why they are in no key
	Unknown      []string `json:"unknown"`      // what only people know
	Alternatives []string `json:"alternatives"` // other keys
	Source       string   `json:"source"`       // of the file, with the tags of this type
}

type skipped struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Type   string `json:"type"`
	Reason string `json:"reason"`
}

// writeProposals prints a result as JSON.
func writeProposals(w io.Writer, r *suggest.Result) error {
	models := modelsOf(r)
	out := proposals{Proposals: []proposal{}, Skipped: []skipped{}}
	for _, p := range r.Proposals {
		one := proposal{
			File: filepath.ToSlash(p.Pos.Filename), Line: p.Pos.Line, Package: p.Package, Type: p.Type,
			Reasons: list(p.Reasons), Rejected: list(p.Rejected), Unknown: list(p.Unknown), Alternatives: list(p.Alternatives), Source: string(p.File.New),
		}
		if m := models[p.Package+"."+p.Type]; m != nil {
			one.Layout, one.Container, one.ExampleKey = m.Layout(), m.Container, m.ExampleKey
		}
		out.Proposals = append(out.Proposals, one)
	}
	for _, s := range r.Skipped {
		out.Skipped = append(out.Skipped, skipped{filepath.ToSlash(s.Pos.Filename), s.Pos.Line, s.Type, s.Reason})
	}
	return cli.WriteJSON(w, out)
}

// list returns lines that are never null in JSON.
func list(lines []string) []string { return append([]string{}, lines...) }

// modelsOf returns the models of proposals by package and type.
func modelsOf(r *suggest.Result) map[string]*templates.Type {
	models := make(map[string]*templates.Type)
	if r.Generated != nil {
		for _, t := range r.Generated.Types {
			models[t.Model.PackagePath+"."+t.Model.Name] = t.Model
		}
	}
	return models
}

// printProposals prints a result for people.
func printProposals(w io.Writer, r *suggest.Result) error {
	models := modelsOf(r)
	for i, p := range r.Proposals {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := printProposal(w, p, models[p.Package+"."+p.Type]); err != nil {
			return err
		}
	}
	if len(r.Proposals) == 0 {
		fmt.Fprintln(w, "nothing to propose: no struct type without cosmos tags has JSON names and a string with the JSON name id")
	}
	for i, s := range r.Skipped {
		if i == 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s: %s is skipped: %s\n", plain.Word(s.Pos.String()), s.Type, plain.Word(s.Reason))
	}
	return nil
}

// printProposal prints the proposal for a type. The model is nil if the generator refuses the
// proposal; diagnostics have the reason.
func printProposal(w io.Writer, p suggest.Proposal, model *templates.Type) error {
	fmt.Fprintf(w, "%s.%s (%s)\n", p.Package, p.Type, plain.Word(p.Pos.String()))
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if model != nil {
		fmt.Fprintf(table, "  partition key\t%s at %s in container %s, such as %s\n", model.Layout(), strings.Join(model.Paths(), ", "), model.Container, model.ExampleKey)
	}
	for _, list := range []struct {
		label string
		lines []string
	}{{"because", p.Reasons}, {"no key", p.Rejected}, {"not known", p.Unknown}, {"or else", p.Alternatives}} {
		for _, line := range list.lines {
			fmt.Fprintf(table, "  %s\t%s\n", list.label, plain.Word(line))
			list.label = ""
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	name := plain.Word(filepath.ToSlash(cli.Shown(p.File.Path)))
	_, text, _ := bytes.Cut(diff.Diff("a/"+name, p.File.Old, "b/"+name, p.File.New), []byte("\n")) // the first line repeats the names
	fmt.Fprintf(w, "\n%s", plain.Text(string(text)))
	if model == nil {
		return nil
	}
	fmt.Fprintln(w)
	for _, m := range model.Methods() {
		if o := operations.Named(m.Name); o == nil || o.Reads || o.Query {
			fmt.Fprintf(table, "  %s(%s)\t%s\n", m.Name, m.Parameters, m.Cost)
		}
	}
	return table.Flush()
}
