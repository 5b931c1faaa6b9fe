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

A type can have any two of these features: %d pairs work. pkgen refuses the others, which are below, with a message that has the way out.

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
		{combinations.Meaningless, "## What would have no meaning"},
		{combinations.NotYet, fmt.Sprintf("## What does not work yet\n\nThese are %d pairs.", pairs[combinations.NotYet])},
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
Types that share a container need not agree, except on `+"`own=`"+`: all of them have it or none, and with it none grows, has `+"`formerly=` or `unique`"+`.

The simulation, which has [a page of its own](decisions/simulation.md), has a type for each pair that works, with two exceptions: pairs of `+"`conflict=`, and pairs of `id,pk,level=` with several containers, `formerly=` or `purge=`"+`. `+"A `schema=` with `next=`, and a property with `next=`, are on six of its types, with most of what goes with them, but no several containers."+` Three of its types get more buckets. All have `+"`_etag`. One has a key that ends in the id, and one has stamps, `type=`, `schema=`, `later`, `rest` and a former name of a property."+`
`)
	return b.String()
}

// of returns why two features do not go together, nil if they do.
func of(a, b feature) *combinations.Refusal {
	return combinations.Of(combinations.Feature(a.name), combinations.Feature(b.name))
}
