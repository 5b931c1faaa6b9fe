package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/cosmos-pkgen/pkgen/cmd/pkgen/internal/keyfunc"
	"github.com/cosmos-pkgen/pkgen/generator"
)

// bindKeys is pkgen keys.
func bindKeys(flags *flag.FlagSet) action {
	load := loadFlags(flags)
	var names []string
	for _, l := range keyfunc.Languages() {
		names = append(names, l.Name)
	}
	lang := newChoice(flags, "lang", "", "the `language`: "+strings.Join(names, ", "), names...)
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		return printKey(ctx, load, lang.value, args, stdout, stderr)
	}
}

// printKey prints the key function of the one type that is loaded.
func printKey(ctx context.Context, load loading, lang string, args []string, stdout, stderr io.Writer) int {
	if lang == "" {
		return fail(stderr, errors.New("no language: name one with -lang, such as -lang python"))
	}
	language, err := keyfunc.Lookup(lang)
	if err != nil {
		return fail(stderr, err)
	}
	result, code := load.generate(ctx, args, true, stderr)
	if code != exitDone {
		return code
	}
	t, err := only(result.Types)
	if err != nil {
		return fail(stderr, err)
	}
	if err := cmp.Or(withKey(t), ofLanguage(t, lang)); err != nil {
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
