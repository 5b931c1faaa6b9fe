package keys

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/cmd/internal/load"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/apis"
	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/keyfunc"
	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/cli"
)

// Command is pkgen keys.
func Command() cli.Command {
	return cli.Command{
		Name: "keys", Arguments: "[packages]",
		Help: "print a key function in another language",
		About: "Prints a function in another language that makes the partition key of one type, for programs that share the container. " +
			"It is short, has no dependencies, and makes the same key as the generated Go, byte for byte.",
		Examples: [][2]string{{"pkgen keys -lang python -type VehicleEvent ./fleet > vehicle_event_key.py", ""}},
		Bind:     bindKeys,
	}
}

// withKey returns an error for a type without a key of its own.
func withKey(t generator.TypeInfo) error {
	if e := t.Model.Edge; e != nil {
		return fmt.Errorf("type %s is an edge, which is stored under the partition key of the vertex that it leads from: name that type, %s", t.Model.Name, e.From)
	}
	return nil
}

// ofLanguage returns an error for a language that cannot access documents of the type's API.
func ofLanguage(t generator.TypeInfo, lang string) error {
	if name := apis.Names[t.Model.API]; lang == "sql" && name != "" {
		return fmt.Errorf("type %s is stored by the %s API, and SQL is the query language of the NoSQL API: use another language", t.Model.Name, annotations.API(name))
	}
	return nil
}

// bindKeys declares the flags of pkgen keys.
func bindKeys(flags *flag.FlagSet) cli.Action {
	loading := load.NewFlags(flags)
	var names []string
	for _, l := range keyfunc.Languages() {
		names = append(names, l.Name)
	}
	lang := cli.NewChoice(flags, "lang", "", "the `language`: "+strings.Join(names, ", "), names...)
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		return printKey(ctx, loading, lang.Value, args, stdout, stderr)
	}
}

// printKey prints the key function of the loaded type, which must be the only one.
func printKey(ctx context.Context, loading load.Flags, lang string, args []string, stdout, stderr io.Writer) int {
	if lang == "" {
		return cli.Fail(stderr, errors.New("no language: name one with -lang, such as -lang python"))
	}
	language, err := keyfunc.Lookup(lang)
	if err != nil {
		return cli.Fail(stderr, err)
	}
	result, code := loading.Generate(ctx, args, generator.Options{AcceptKeyChange: true}, stderr)
	if code != cli.Done {
		return code
	}
	t, err := only(result.Types)
	if err != nil {
		return cli.Fail(stderr, err)
	}
	if err := cmp.Or(withKey(t), ofLanguage(t, lang)); err != nil {
		return cli.Fail(stderr, err)
	}
	source, err := language.Write(t.Model)
	if err != nil {
		return cli.Fail(stderr, err)
	}
	if _, err := io.WriteString(stdout, source); err != nil {
		return cli.Fail(stderr, err)
	}
	return cli.Done
}

// only returns the single type.
func only(types []generator.TypeInfo) (generator.TypeInfo, error) {
	switch len(types) {
	case 0:
		return generator.TypeInfo{}, errors.New("no struct type has cosmos tags: name a package that has one, such as ./fleet")
	case 1:
		return types[0], nil
	}
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = t.Model.PackagePath + "." + t.Model.Name
	}
	return generator.TypeInfo{}, fmt.Errorf("keys prints one type at a time: choose it by -type and the package from %s", strings.Join(names, ", "))
}
