package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"go/token"
	"io"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// bindSeal is pkgen seal.
func bindSeal(flags *flag.FlagSet) action {
	load := loadFlags(flags)
	rekeyed := flags.Bool("rekeyed", false, "bind no draft; drop earlier numbers of buckets")
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		result, code := load.generateBy(ctx, args, generator.Options{Seal: !*rekeyed, Rekeyed: *rekeyed}, stderr)
		if code != exitDone {
			return code
		}
		if err := result.Commit(); err != nil {
			return fail(stderr, err)
		}
		if *rekeyed {
			return exitDone // notes say what was dropped
		}
		sealed := 0
		for _, t := range result.Types {
			if t.Sealed {
				sealed++
				where := "in " + places[t.Model.API] + " " + plain.Word(t.Model.Container)
				if t.Model.API == templates.Gremlin {
					where = "as " + plain.Word(t.Model.Label) + " in a graph"
				}
				fmt.Fprintf(stdout, "sealed %s.%s: %s %s\n", t.Model.PackagePath, t.Model.Name, plain.Word(t.Model.Layout), where)
			}
		}
		unseen := unseenDrafts(result)
		for _, d := range unseen {
			fmt.Fprintf(stderr, "%s: %s: %s\n", plain.Word(d.pos.String()), d, otherBuild)
		}
		switch {
		case len(unseen) > 0:
			return exitStale
		case sealed == 0:
			fmt.Fprintln(stdout, "nothing to seal: no type is a draft")
		}
		return exitDone
	}
}

// bindForget is pkgen forget.
func bindForget(flags *flag.FlagSet) action {
	types := flags.String("type", "", "these types, a comma-separated `list`")
	tags := flags.String("tags", "", "build tags, a comma-separated `list`")
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		names := split(*types)
		if len(names) == 0 {
			return fail(stderr, errors.New("forget takes the types whose layouts the lock is to drop: give -type"))
		}
		none := ""
		load := loading{types: &none, tags: tags}
		result, code := load.generateBy(ctx, args, generator.Options{Forget: names}, stderr)
		if code != exitDone {
			return code
		}
		if err := result.Commit(); err != nil {
			return fail(stderr, err)
		}
		fmt.Fprintf(stdout, "forgot %s\n", strings.Join(names, ", "))
		return exitDone
	}
}

// draft is a type whose layout is one.
type draft struct {
	name   string
	pos    token.Position
	unseen bool // its file is part of other builds
}

// String says that the layout is a draft.
func (d draft) String() string {
	text := "the layout of type " + d.name + " is a draft"
	if d.unseen {
		text += ", and this build leaves its file out"
	}
	return text
}

// unseenDrafts returns the drafts that the build leaves out.
func unseenDrafts(result *generator.Result) []draft {
	var drafts []draft
	for _, u := range result.Unseen {
		drafts = append(drafts, draft{name: u.Name, pos: u.Pos, unseen: true})
	}
	return drafts
}

// otherBuild says how to seal a draft that the build leaves out.
const otherBuild = "run pkgen seal with -tags, or with the GOOS, of a build that has it"

// draftTypes returns the types of a result whose layouts are drafts, and the
// command that seals them.
func (g *generating) draftTypes(result *generator.Result, args []string) (drafts []draft, command string) {
	for _, t := range result.Types {
		if t.Model.Draft {
			drafts = append(drafts, draft{name: t.Model.Name, pos: t.Pos})
		}
	}
	drafts = append(drafts, unseenDrafts(result)...)
	words := []string{"pkgen", "seal"}
	if *g.load.tags != "" {
		words = append(words, "-tags", *g.load.tags)
	}
	if *g.load.types != "" {
		words = append(words, "-type", *g.load.types)
	}
	return drafts, strings.Join(append(words, args...), " ")
}

// listDrafts is the part of -check that is about drafts.
func (g *generating) listDrafts(result *generator.Result, args []string, p printer, stdout io.Writer) int {
	drafts, command := g.draftTypes(result, args)
	if len(drafts) == 0 {
		return exitDone
	}
	for _, d := range drafts {
		p.draft(d)
	}
	if g.format.value != formatJSON {
		what := "1 layout is a draft"
		if len(drafts) > 1 {
			what = fmt.Sprintf("%d layouts are drafts", len(drafts))
		}
		fmt.Fprintf(stdout, "%s: run %s when documents are to be stored for good, and commit what changes\n", what, command)
		if len(result.Unseen) > 0 {
			fmt.Fprintf(stdout, "for those that this build leaves out, %s\n", otherBuild)
		}
	}
	return exitStale
}
