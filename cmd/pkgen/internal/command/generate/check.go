package generate

import (
	"fmt"
	"io"
	"strings"

	"github.com/cosmos-pkgen/pkgen/cmd/internal/load"
	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// draftTypes returns the drafts of a result, and the command that seals them.
func (g *generating) draftTypes(result *generator.Result, args []string) (drafts []load.Draft, command string) {
	for _, t := range result.Types {
		if t.Model.Draft {
			drafts = append(drafts, load.Draft{Name: t.Model.Name, Pos: t.Pos})
		}
	}
	drafts = append(drafts, load.UnseenDrafts(result)...)
	words := []string{"pkgen", "seal"}
	if *g.load.Tags != "" {
		words = append(words, "-tags", *g.load.Tags)
	}
	if *g.load.Types != "" {
		words = append(words, "-type", *g.load.Types)
	}
	return drafts, strings.Join(append(words, args...), " ")
}

// listDrafts is the part of -check about drafts.
func (g *generating) listDrafts(result *generator.Result, args []string, p load.Printer, stdout io.Writer) int {
	drafts, command := g.draftTypes(result, args)
	if len(drafts) == 0 {
		return cli.Done
	}
	for _, d := range drafts {
		p.Draft(d)
	}
	if g.format.Value != cli.FormatJSON {
		fmt.Fprintln(stdout, toSeal(len(drafts), command))
		if len(result.Unseen) > 0 {
			fmt.Fprintf(stdout, "for those that this build leaves out, %s\n", load.OtherBuild)
		}
	}
	return cli.Found
}

// toSeal returns advice about drafts.
func toSeal(drafts int, command string) string {
	what := "1 layout is a draft"
	if drafts > 1 {
		what = fmt.Sprintf("%d layouts are drafts", drafts)
	}
	return fmt.Sprintf("%s: run %s before you store documents for good, and commit the changes", what, command)
}

// listStale is -check: it prints a line for each stale file, and then the command to run.
func (g *generating) listStale(result *generator.Result, args []string, p load.Printer, stdout io.Writer) int {
	files := load.StaleFiles(result)
	if len(files) == 0 {
		return cli.Done
	}
	for _, f := range files {
		p.Stale(f)
	}
	if g.format.Value != cli.FormatJSON {
		what := "1 file is"
		if len(files) > 1 {
			what = fmt.Sprintf("%d files are", len(files))
		}
		fmt.Fprintf(stdout, "%s out of date: run %s, and commit the changes\n", what, plain.Word(g.remedy(args)))
	}
	return cli.Found
}

// remedy returns the command that updates the checked files.
func (g *generating) remedy(args []string) string {
	words := []string{"pkgen"}
	if *g.load.Tags != "" {
		words = append(words, "-tags", *g.load.Tags)
	}
	if *g.load.Types != "" {
		words = append(words, "-type", *g.load.Types)
	}
	if g.accept {
		words = append(words, "-accept-key-change")
	}
	if g.ensure {
		words = append(words, "-ensure")
	}
	if g.admin {
		words = append(words, "-admin")
	}
	return strings.Join(append(words, args...), " ")
}
