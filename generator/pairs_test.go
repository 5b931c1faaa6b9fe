package generator

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/generator/internal/goldentest"
	"github.com/cosmos-pkgen/pkgen/internal/combinations"
)

// Features that move, mark or hide documents.
const (
	grows     = combinations.Growing  // Rekey moves documents to more buckets
	crosses   = combinations.Formerly // a migration moves them to another container
	tiered    = combinations.Own      // tenancy.Move moves the documents of a tenant
	deletable = combinations.Deleted  // Delete hides them
	unique    = combinations.Unique   // creations are hidden, and reservations are stored with them
	formed    = combinations.Schema   // Upgrade stores them anew
	reads     = combinations.NextForm // Downgrade brings them back as they are read
	indexed   = combinations.Index    // an index shows those that the container shows
)

// typeWith is the source of a type with features, and of the type that its documents come
// from if they cross.
func typeWith(name string, shared bool, features ...combinations.Feature) string {
	has := map[combinations.Feature]bool{}
	for _, f := range features {
		has[f] = true
	}
	given := func(f combinations.Feature, text string) string {
		if has[f] {
			return text
		}
		return ""
	}
	one := func(name, container, options string) string {
		if shared {
			options += ",type=" + strings.ToLower(strings.TrimPrefix(name, "Old"))
		}
		return fmt.Sprintf("type %s struct {\n\t_ struct{} `cosmos:\"container=%s%s\"`\n", name, container, options) +
			given(indexed, "\t_ struct{} `cosmos:\"index=ByMail,key={Mail},select=name\"`\n") +
			"\tID string `json:\"id\"`\n" +
			"\tTenant string `json:\"tenant\" cosmos:\"pk,level=1" + given(tiered, ",tenant") + "\"`\n" +
			"\tName string `json:\"name\" cosmos:\"pk,level=2,hashsuffix=ID,buckets=4" + given(grows, ",next=12") + "\"`\n" +
			"\tMail string `json:\"mail\"" + given(unique, " cosmos:\"unique\"") + "`\n" +
			given(deletable, "\tGone repository.Time `json:\"gone,omitzero\" cosmos:\"deleted\"`\n") +
			given(formed, "\tForm int `json:\"form\" cosmos:\"schema=1\"`\n") +
			given(reads, "\tForm int `json:\"form\" cosmos:\"schema=1,next=2\"`\n") +
			"\tETag string `json:\"_etag,omitempty\"`\n}\n\n" +
			given(reads, "func (*"+name+") Downgrade(int, json.RawMessage) error { return nil }\n\n")
	}
	text := one(name, "docs", given(tiered, ",own=docs-{Tenant}")+given(crosses, ",formerly=Old"+name))
	if has[crosses] {
		text += one("Old"+name, "old", "")
	}
	return text
}

// TestPairs generates types with two of the features that move, mark or hide documents: on
// one type, and on two types of one container. A pair works, by the tests of package
// repository, or is refused here.
func TestPairs(t *testing.T) {
	type pair struct{ a, b combinations.Feature }
	pairs := []pair{
		{grows, crosses},
		{tiered, grows},
		{grows, deletable},
		{grows, unique},
		{grows, formed},
		{tiered, crosses},
		{crosses, deletable},
		{crosses, unique},
		{crosses, formed},
		{tiered, deletable},
		{tiered, unique},
		{tiered, formed},
		{deletable, unique},
		{deletable, formed},
		{unique, formed},
		{grows, reads},
		{crosses, reads},
		{tiered, reads},
		{deletable, reads},
		{unique, reads},
		{grows, indexed},
		{crosses, indexed},
		{tiered, indexed},
		{deletable, indexed},
		{unique, indexed},
		{formed, indexed},
	}
	dir := goldentest.Module(t, "..")
	run := func(source func(p pair) (one, two string)) *Result {
		o := Options{Dir: dir, Seal: true, AcceptKeyChange: true, alone: true}
		for i, p := range pairs {
			one, two := source(p)
			for name, text := range map[string]string{fmt.Sprintf("one%d", i): one, fmt.Sprintf("two%d", i): two} {
				const head = "package p\n\nimport (\n\t\"encoding/json\"\n\n\t\"github.com/cosmos-pkgen/pkgen/repository\"\n)\n\nvar (\n\t_ repository.Time\n\t_ json.RawMessage\n)\n\n"
				goldentest.Write(t, filepath.Join(dir, name, "t.go"), []byte(head+text))
				o.Patterns = append(o.Patterns, "./"+name)
			}
		}
		result, err := Generate(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	before := run(func(pair) (one, two string) { // what grows has been sealed
		return typeWith("A", false), typeWith("A", true) + typeWith("B", true)
	})
	if err := errors.Join(before.Err(), before.Commit()); err != nil {
		t.Fatal(err)
	}
	result := run(func(p pair) (one, two string) {
		one, two = typeWith("A", false, p.a, p.b), typeWith("A", true, p.a)
		if p.a == tiered { // types that share a container have one own=, or none
			return one, two + typeWith("B", true, p.a, p.b)
		}
		return one, two + typeWith("B", true, p.b)
	})
	for i, p := range pairs {
		one, two := "", "" // the messages about one type with both, and about two types
		if r := combinations.Of(p.a, p.b); r != nil {
			one = r.Why
		}
		if p.a == tiered { // the second type has both
			two = one
		}
		for name, want := range map[string]string{fmt.Sprintf("one%d", i): one, fmt.Sprintf("two%d", i): two} {
			var said []string
			for _, d := range result.within(dir, name).Diagnostics {
				if d.Severity == Error {
					said = append(said, d.Message)
				}
			}
			all := strings.Join(said, "\n")
			if (want == "") != (all == "") || !strings.Contains(all, want) {
				t.Errorf("%s and %s, %s: %q, want %q", p.a, p.b, name, all, want)
			}
		}
	}
}
