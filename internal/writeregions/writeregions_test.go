package writeregions_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/writeregions"
)

var update = flag.Bool("update", false, "write docs/errors.md")

func TestNamed(t *testing.T) {
	for word, want := range map[string]*writeregions.Use{
		"unique": writeregions.Unique, "was": writeregions.Buckets, "next": writeregions.Buckets, "own": writeregions.Tenancy,
		"formerly": writeregions.Migrations, "created": writeregions.Stamps, "version": writeregions.Stamps, "": nil, "ttl": nil,
	} {
		if got := writeregions.Named(word); got != want {
			t.Errorf("%q is %v", word, got)
		}
	}
}

func TestRefusal(t *testing.T) {
	got := writeregions.Unique.Refusal([]string{"West Europe", "North Europe", "UK South"})
	const want = "the account has several write regions (West Europe, North Europe and UK South), and unique values rely on one: " +
		"two regions may each store a document with one value; use an account with one write region"
	if got != want {
		t.Errorf("got %q", got)
	}
	if one := writeregions.Regions([]string{"West Europe"}); one != "West Europe" {
		t.Errorf("one region is %q", one)
	}
}

// TestDocs compares the table in docs/errors.md.
func TestDocs(t *testing.T) {
	var b strings.Builder
	b.WriteString("| what | refused | with `conflict=` | why |\n|---|---|---|---|\n")
	for _, u := range writeregions.All {
		name, resolved := u.Name, "refused"
		if u.Tag != "" {
			name += ": `" + strings.ReplaceAll(u.Tag, ", ", "`, `") + "`"
		}
		if u.Resolved {
			resolved = "allowed"
		}
		b.WriteString("| " + name + " | " + u.Refused + " | " + resolved + " | " + u.Why + " |\n")
	}
	const page, begin, end = "../../docs/errors.md", "<!-- write regions -->\n", "<!-- end of write regions -->"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	_, after, ends := strings.Cut(rest, end)
	if !found || !ends {
		t.Fatalf("%s has no place for the table", page)
	}
	want := before + begin + b.String() + end + after
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if want != string(text) {
		t.Errorf("%s is not what the table says: run go test ./internal/writeregions -update", page)
	}
}
