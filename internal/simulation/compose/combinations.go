package main

import (
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/combinations"
)

// page returns docs/combinations.md.
func page() string {
	var b strings.Builder
	pairs := map[combinations.Kind]int{}
	for i, a := range features {
		for _, c := range features[i+1:] {
			switch r := of(a, c); {
			case a.layout && c.layout:
			case r != nil:
				pairs[r.Kind]++
			default:
				pairs[""]++
			}
		}
	}
	fmt.Fprintf(&b, `# What goes together

<!-- Written by a test of internal/simulation/compose. -->

Look here before you combine features in one type. %d pairs of these features work. pkgen refuses the pairs in the tables below, and says what to do instead.

| tag | feature |
|---|---|
`, pairs[""])
	for _, d := range combinations.All {
		fmt.Fprintf(&b, "| %s | %s |\n", d.Tag, d.Does)
	}
	for _, k := range []struct {
		kind combinations.Kind
		head string
	}{
		{combinations.Service, "## What Azure Cosmos DB does not allow"},
		{combinations.Meaningless, "## What has no meaning"},
		{combinations.NotYet, fmt.Sprintf("## What does not work yet\n\n%d pairs may work in a later release.", pairs[combinations.NotYet])},
	} {
		fmt.Fprintf(&b, "\n%s\n\n| tag | not with | why |\n|---|---|---|\n", k.head)
		for _, r := range combinations.Refusals {
			if r.Kind != k.kind {
				continue
			}
			with := make([]string, len(r.With))
			for i, f := range r.With {
				with[i] = f.Tag()
			}
			fmt.Fprintf(&b, "| %s | %s | %s%s. |\n", r.Feature.Tag(), strings.Join(with, ", "), strings.ToUpper(r.Why[:1]), r.Why[1:])
		}
	}
	fmt.Fprint(&b, `
Types that share a container may have different features, except that all or none of them have `+"`own=`"+`. With it, none of them may have a growing number of buckets, `+"`formerly=` or `unique`"+`.

The [simulation](decisions/simulation.md) tests the pairs that work, except most pairs of `+"`conflict=`, and pairs of `id,pk,level=` with several containers, `formerly=` or `purge=`"+`.
`)
	return b.String()
}

// of returns why two features do not go together, nil if they do.
func of(a, b feature) *combinations.Refusal {
	return combinations.Of(combinations.Feature(a.name), combinations.Feature(b.name))
}
