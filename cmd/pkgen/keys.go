package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/keyfunc"
)

const keysUsage = `Usage: pkgen keys -lang LANGUAGE [flags] [packages]

Prints a function that makes the partition key of one type in another language,
for programs that share the container: short, without dependencies, and equal
to the generated Go to the last byte.

	pkgen keys -lang python -type VehicleEvent ./fleet > vehicle_event_key.py
	pkgen keys -lang sql -type Reading ./telemetry

Languages:
`

// keysHelp is the usage text with the table of languages.
func keysHelp() string {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, l := range keyfunc.Languages() {
		fmt.Fprintf(table, "  %s\t%s\n", l.Name, l.About)
	}
	_ = table.Flush() // a strings.Builder takes everything
	return keysUsage + b.String() + "\nFlags:\n"
}

func runKeys(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := newFlags("pkgen keys", stderr, keysHelp())
	load := loadFlags(flags)
	name := flags.String("lang", "", "the `language`")
	if code, done := parse(flags, args, stdout); done {
		return code
	}
	if *name == "" {
		return fail(stderr, errors.New("no language: name one with -lang, such as -lang python"))
	}
	language, err := keyfunc.Lookup(*name)
	if err != nil {
		return fail(stderr, err)
	}
	result, code := load.generate(ctx, flags.Args(), true, stderr)
	if code != exitDone {
		return code
	}
	t, err := only(result.Types)
	if err != nil {
		return fail(stderr, err)
	}
	source, err := language.Write(t.Model)
	if err != nil {
		return fail(stderr, err)
	}
	if _, err := io.WriteString(stdout, source); err != nil {
		return fail(stderr, err)
	}
	return exitDone
}

// only returns the one type that there is.
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
	return generator.TypeInfo{}, fmt.Errorf("one type at a time: choose by -type and the package from %s", strings.Join(names, ", "))
}
