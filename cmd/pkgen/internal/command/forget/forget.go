package forget

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/cosmos-pkgen/pkgen/cmd/internal/load"
	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
)

// Command is pkgen forget.
func Command() cli.Command {
	return cli.Command{
		Name: "forget", Arguments: "[packages]",
		Help: "drop the layouts of removed types",
		About: "Drops the layout of a removed type from pkgen.lock. If a type is removed or moves to another container, pkgen.lock keeps its layout, marked as gone, " +
			"because its documents may still be stored. Run forget when none is left. " +
			"To drop a removed index, remove its container first, and name it with its type: Order.ByCustomer.",
		Examples: [][2]string{{"pkgen forget -type Order ./shop", ""}},
		Bind:     bindForget,
	}
}

// forgotten is what -format json prints.
type forgotten struct {
	Types []string `json:"forgot"`
}

// bindForget declares the flags of pkgen forget.
func bindForget(flags *flag.FlagSet) cli.Action {
	types := flags.String("type", "", "these types and indexes, a comma-separated `list`")
	tags := flags.String("tags", "", "build tags, a comma-separated `list`")
	format := cli.NewChoice(flags, "format", cli.FormatText, "how the result is printed", cli.FormatText, cli.FormatJSON)
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		names := cli.SplitList(*types)
		if len(names) == 0 {
			return cli.Fail(stderr, errors.New("forget needs the types whose layouts it drops: give -type"))
		}
		none := ""
		loading := load.Flags{Types: &none, Tags: tags}
		result, code := loading.Generate(ctx, args, generator.Options{Forget: names}, stderr)
		if code != cli.Done {
			return code
		}
		if err := result.Commit(); err != nil {
			return cli.Fail(stderr, err)
		}
		if format.Value == cli.FormatJSON {
			if err := cli.WriteJSON(stdout, forgotten{names}); err != nil {
				return cli.Fail(stderr, err)
			}
			return cli.Done
		}
		fmt.Fprintf(stdout, "forgot %s\n", strings.Join(names, ", "))
		return cli.Done
	}
}
