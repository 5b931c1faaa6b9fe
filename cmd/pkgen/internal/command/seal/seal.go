package seal

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/cosmos-pkgen/pkgen/cmd/internal/load"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/apis"
	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/combinations"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// Command is pkgen seal.
func Command() cli.Command {
	return cli.Command{
		Name: "seal", Arguments: "[packages]",
		Help: "bind draft layouts for ever",
		About: "Binds the current layouts of types for ever, and generates code. A new layout is a draft: it can change, and clients made with " +
			"repository.Configure accept it only at endpoints on this machine. After seal, pkgen refuses to change it." +
			" Seal lists the features that the types can never have (docs/combinations.md)." +
			" With -rekeyed, seal only removes old bucket counts (was=) from the lock, once they are gone from the tags. Run it after Rekey has moved all documents.",
		Examples: [][2]string{{"pkgen seal ./...", ""}, {"pkgen seal -type Order ./shop", "one type"}, {"pkgen seal -rekeyed -type Order ./shop", "after removing was= from the tag"}},
		Bind:     bindSeal,
	}
}

// sealing holds the flags of pkgen seal.
type sealing struct {
	load    load.Flags
	rekeyed *bool
	format  *cli.Choice
}

// bindSeal declares the flags of pkgen seal.
func bindSeal(flags *flag.FlagSet) cli.Action {
	s := &sealing{
		load:    load.NewFlags(flags),
		rekeyed: flags.Bool("rekeyed", false, "bind nothing; remove old bucket counts"),
		format:  cli.NewChoice(flags, "format", cli.FormatText, "how the result is printed", cli.FormatText, cli.FormatJSON),
	}
	return s.run
}

func (s *sealing) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	result, code := s.load.Generate(ctx, args, generator.Options{Seal: !*s.rekeyed, Rekeyed: *s.rekeyed}, stderr)
	if code != cli.Done {
		return code
	}
	if err := result.Commit(); err != nil {
		return cli.Fail(stderr, err)
	}
	unseen := load.UnseenDrafts(result)
	if *s.rekeyed { // notes list what was dropped
		unseen = nil
	}
	for _, d := range unseen {
		fmt.Fprintf(stderr, "%s: %s: %s\n", plain.Word(d.Pos.String()), d, load.OtherBuild)
	}
	if err := s.print(stdout, sealedTypes(result), len(unseen) > 0); err != nil {
		return cli.Fail(stderr, err)
	}
	if len(unseen) > 0 {
		return cli.Found
	}
	return cli.Done
}

// sealed is what -format json prints of a type that was bound.
type sealed struct {
	Package   string `json:"package"`
	Type      string `json:"type"`
	Layout    string `json:"layout"`
	Container string `json:"container,omitempty"` // absent in a graph
	Label     string `json:"label,omitempty"`     // in a graph

	Never  []combinations.Feature `json:"never"`  // features that the bound ones exclude
	NotYet []combinations.Feature `json:"notYet"` // the same, until pkgen can do it

	place string // what the API calls a container
}

// sealedTypes returns the types that a run has bound.
func sealedTypes(result *generator.Result) []sealed {
	types := []sealed{}
	for _, t := range result.Types {
		if !t.Sealed {
			continue
		}
		one := sealed{Package: t.Model.PackagePath, Type: t.Model.Name, Layout: t.Model.Layout(), Container: t.Model.Container, place: apis.Places[t.Model.API]}
		one.Never, one.NotYet = []combinations.Feature{}, []combinations.Feature{}
		if t.Model.API == templates.NoSQL {
			never, notYet := combinations.Excluded(bound(t.Model))
			one.Never, one.NotYet = append(one.Never, never...), append(one.NotYet, notYet...)
		}
		if t.Model.API == templates.Gremlin {
			one.Container, one.Label = "", t.Model.Label
		}
		types = append(types, one)
	}
	return types
}

// bound returns the features that seal binds and that may exclude others.
func bound(t *templates.Type) (all []combinations.Feature) {
	switch first := t.Levels[0]; {
	case first.Random():
		all = append(all, combinations.Random)
	case first.Bucket() != nil:
		all = append(all, combinations.Hash)
	case len(first.Parts) > 1:
		all = append(all, combinations.Concat)
	}
	if len(t.Containers) > 0 {
		all = append(all, combinations.Windows)
	}
	if len(t.Own) > 0 {
		all = append(all, combinations.Own)
	}
	return all
}

// tags joins features as docs write them, for a message.
func tags(features []combinations.Feature) string {
	words := make([]string, len(features))
	for i, f := range features {
		words[i] = strings.ReplaceAll(f.Tag(), "`", "")
	}
	return strings.Join(words, ", ")
}

// print prints the bound types. More is set if drafts are left.
func (s *sealing) print(stdout io.Writer, types []sealed, more bool) error {
	if s.format.Value == cli.FormatJSON {
		return cli.WriteJSON(stdout, types)
	}
	for _, t := range types {
		where := "in " + t.place + " " + plain.Word(t.Container)
		if t.Label != "" {
			where = "as " + plain.Word(t.Label) + " in a graph"
		}
		fmt.Fprintf(stdout, "sealed %s.%s: %s %s\n", t.Package, t.Type, plain.Word(t.Layout), where)
		if len(t.Never) > 0 {
			fmt.Fprintf(stdout, "\tit can never have: %s\n", tags(t.Never))
		}
		if len(t.NotYet) > 0 {
			fmt.Fprintf(stdout, "\tit cannot have yet: %s\n", tags(t.NotYet))
		}
	}
	if len(types) == 0 && !more && !*s.rekeyed {
		fmt.Fprintln(stdout, "nothing to seal: no type is a draft")
	}
	return nil
}
