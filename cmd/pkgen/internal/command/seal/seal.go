package seal

import (
	"context"
	"flag"
	"fmt"
	"io"

	"github.com/cosmos-pkgen/pkgen/cmd/internal/cli"
	"github.com/cosmos-pkgen/pkgen/cmd/internal/load"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/apis"
	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// Command is pkgen seal.
func Command() cli.Command {
	return cli.Command{
		Name: "seal", Arguments: "[packages]",
		Help: "bind layouts that are drafts, for ever",
		About: "Binds the present layouts of types for ever, and generates. A new layout is a draft: it can change, and clients made with " +
			"repository.Configure refuse it at every endpoint but this machine. After seal, pkgen refuses to change it." +
			" With -rekeyed it binds nothing: it drops the earlier numbers of buckets, was, that tags no longer have, from the lock. Run it when Rekey says that all documents have moved.",
		Examples: [][2]string{{"pkgen seal ./...", ""}, {"pkgen seal -type Order ./shop", "one type"}, {"pkgen seal -rekeyed -type Order ./shop", "was is no longer in the tag"}},
		Bind:     bindSeal,
	}
}

// bindSeal is pkgen seal.
func bindSeal(flags *flag.FlagSet) cli.Action {
	loading := load.NewFlags(flags)
	rekeyed := flags.Bool("rekeyed", false, "bind no draft; drop earlier numbers of buckets")
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		result, code := loading.GenerateBy(ctx, args, generator.Options{Seal: !*rekeyed, Rekeyed: *rekeyed}, stderr)
		if code != cli.Done {
			return code
		}
		if err := result.Commit(); err != nil {
			return cli.Fail(stderr, err)
		}
		if *rekeyed {
			return cli.Done // notes say what was dropped
		}
		sealed := 0
		for _, t := range result.Types {
			if t.Sealed {
				sealed++
				where := "in " + apis.Places[t.Model.API] + " " + plain.Word(t.Model.Container)
				if t.Model.API == templates.Gremlin {
					where = "as " + plain.Word(t.Model.Label) + " in a graph"
				}
				fmt.Fprintf(stdout, "sealed %s.%s: %s %s\n", t.Model.PackagePath, t.Model.Name, plain.Word(t.Model.Layout), where)
			}
		}
		unseen := load.UnseenDrafts(result)
		for _, d := range unseen {
			fmt.Fprintf(stderr, "%s: %s: %s\n", plain.Word(d.Pos.String()), d, load.OtherBuild)
		}
		switch {
		case len(unseen) > 0:
			return cli.Found
		case sealed == 0:
			fmt.Fprintln(stdout, "nothing to seal: no type is a draft")
		}
		return cli.Done
	}
}
