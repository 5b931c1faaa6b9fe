// Command compose writes the types of the simulation: structs whose tags have the features
// of pkgen, so that each two features that go together are on one type.
package main

import (
	_ "embed"
	"fmt"
	"go/format"
	"log"
	"os"
	"slices"
	"strings"
)

// pairs has a line for each two features: "a b" if pkgen accepts them on one type, and
// "a b: message" if it refuses them. TestPairs compares it with what pkgen says.
//
//go:embed pairs.txt
var pairs string

// feature is a part of a struct.
type feature struct {
	name   string
	layout bool     // it says how the key is made: a type has exactly one such feature
	blank  string   // words of the blank field
	id     string   // words of the field ID
	line   string   // words of the field Line
	vin    string   // words of the field VIN
	number string   // words of the field Number
	fields []string // further fields
	method string   // of the type, with TYPE for its name
}

const stored = "Stored string `json:\"partitionKey\" cosmos:\"synthetic\"`"

var features = []feature{
	{name: "natural", layout: true, line: "pk"},
	{name: "concat", layout: true, blank: "note=ambiguous", line: "pk,concat,order=1", vin: "pk,concat,order=2", fields: []string{stored}},
	{name: "hash", layout: true, line: "pk,hashsuffix=VIN,buckets=4", fields: []string{stored}},
	{name: "forgetful", layout: true, line: "pk,hashsuffix=VIN,buckets=4", blank: "note=synthetic"},
	{name: "random", layout: true, line: "pk,randomsuffix,buckets=3", fields: []string{stored}},
	{name: "levels", layout: true, line: "pk,level=1", vin: "pk,level=2"},
	{name: "hashedlevel", layout: true, blank: "note=synthetic+levelsuffix", line: "pk,level=1", vin: "pk,level=2,hashsuffix=Number,buckets=3"},
	{name: "template", layout: true, blank: "key=v:{Line}:{VIN|lower%4},escape", fields: []string{stored}},

	{name: "etag", fields: []string{"ETag string `json:\"_etag,omitempty\"`"}},
	{name: "created", fields: []string{"Created repository.Time `json:\"created\" cosmos:\"created\"`"}},
	{name: "updated", fields: []string{"Updated repository.Time `json:\"updated\" cosmos:\"updated\"`"}},
	{name: "version", fields: []string{"Version int `json:\"version\" cosmos:\"version\"`"}},
	{name: "deleted", fields: []string{"Gone repository.Time `json:\"gone,omitzero\" cosmos:\"deleted\"`"}},
	{name: "purged", fields: []string{"Purged repository.Time `json:\"purged,omitzero\" cosmos:\"deleted,purge=720h\"`"}},
	{name: "unique", fields: []string{"Mail string `json:\"mail\" cosmos:\"unique\"`"}},
	{name: "schema", fields: []string{"Form int `json:\"form\" cosmos:\"schema=2\"`"}, method: "// Upgrade brings a document of form 1, which had half the value, to form 2.\nfunc (d *TYPE) Upgrade(_ int, _ json.RawMessage) error {\n\td.Value *= 2\n\treturn nil\n}\n"},
	{name: "former", fields: []string{"Title string `json:\"title\" cosmos:\"was=caption\"`"}},
	{name: "later", fields: []string{"Closed bool `json:\"closed\" cosmos:\"later\"`"}},
	{name: "ttl", fields: []string{"TTL int `json:\"ttl,omitempty\" cosmos:\"ttl\"`"}},
	{name: "rest", fields: []string{"Rest map[string]json.RawMessage `json:\"-\" cosmos:\"rest\"`"}},
	{name: "prefix", id: "id,prefix=d-"},
	{name: "shared", blank: "type=TYPE"},
	{name: "tenant", line: "tenant"},
}

// source returns a struct with these features, and its methods.
func source(name string, on []feature) string {
	blank, line, vin, number, id := []string{"container=" + strings.ToLower(name)}, []string{}, []string{}, []string{}, ""
	var fields, methods []string
	add := func(to *[]string, word string) {
		if word != "" {
			*to = append(*to, strings.ReplaceAll(word, "TYPE", strings.ToLower(name)))
		}
	}
	for _, f := range on {
		add(&blank, f.blank)
		add(&line, f.line)
		add(&vin, f.vin)
		add(&number, f.number)
		id += f.id
		fields = append(fields, f.fields...)
		if f.method != "" {
			methods = append(methods, strings.ReplaceAll(f.method, "TYPE", name))
		}
	}
	slices.SortStableFunc(line, func(a, b string) int { // "pk" comes first
		return strings.Compare(strings.TrimPrefix(b, "tenant"), strings.TrimPrefix(a, "tenant"))
	})
	var b strings.Builder
	field := func(goName, goType, property string, words ...string) {
		tag := fmt.Sprintf("json:%q", property)
		if all := strings.Join(words, ","); strings.Trim(all, ",") != "" {
			tag += fmt.Sprintf(" cosmos:%q", strings.Trim(all, ","))
		}
		fmt.Fprintf(&b, "\t%s %s `%s`\n", goName, goType, tag)
	}
	names := make([]string, len(on))
	for i, f := range on {
		names[i] = f.name
	}
	fmt.Fprintf(&b, "// %s has the features %s.\ntype %s struct {\n", name, strings.Join(names, ", "), name)
	fmt.Fprintf(&b, "\t_ struct{} `cosmos:%q`\n", strings.Join(blank, ","))
	field("ID", "string", "id", id)
	field("Line", "string", "line", line...)
	field("VIN", "string", "vin", vin...)
	field("Number", "int", "number", number...)
	field("Value", "int", "value")
	field("Tag", "string", "tag")
	for _, f := range fields {
		fmt.Fprintf(&b, "\t%s\n", f)
	}
	fmt.Fprint(&b, "}\n\n")
	for _, m := range methods {
		fmt.Fprintf(&b, "%s\n", m)
	}
	return b.String()
}

// typeName returns a name for a type with these features.
func typeName(on []feature) string {
	var b strings.Builder
	for _, f := range on {
		b.WriteString(strings.ToUpper(f.name[:1]) + f.name[1:])
	}
	return b.String()
}

// file returns a Go file of a package with these declarations.
func file(pkg, head, declarations string) string {
	var imports strings.Builder
	for name, path := range map[string]string{"json.RawMessage": "encoding/json"} {
		if strings.Contains(declarations, name) {
			fmt.Fprintf(&imports, "import %q\n", path)
		}
	}
	if strings.Contains(declarations, "repository.") {
		fmt.Fprintf(&imports, "import %q\n", "github.com/cosmos-pkgen/pkgen/repository")
	}
	return fmt.Sprintf("%spackage %s\n\n%s\n%s", head, pkg, imports.String(), declarations)
}

// accepted returns the pairs that pkgen accepts.
func accepted() map[[2]string]bool {
	out := map[[2]string]bool{}
	for line := range strings.Lines(pairs) {
		if two := strings.Fields(line); !strings.Contains(line, ":") && len(two) == 2 {
			out[[2]string{two[0], two[1]}] = true
			out[[2]string{two[1], two[0]}] = true
		}
	}
	return out
}

// types returns the features of each type: together they have each accepted pair, and some
// have few features.
func types(together map[[2]string]bool) [][]feature {
	open := map[[2]string]bool{}
	for p := range together {
		open[p] = true
	}
	var out [][]feature
	for {
		var best []feature
		most := 0
		for _, layout := range features {
			if !layout.layout {
				continue
			}
			on := filled([]feature{layout}, open, together)
			if n := gain(open, on); n > most {
				best, most = on, n
			}
		}
		if best == nil {
			return append(out, few()...)
		}
		for _, a := range best {
			for _, b := range best {
				delete(open, [2]string{a.name, b.name})
			}
		}
		out = append(out, best)
	}
}

// few returns types with few features. There are not many, since the compiler takes a second
// or two for each type.
func few() [][]feature {
	var out [][]feature
	for _, names := range []string{
		"hash etag",
		"levels etag updated",
		"natural etag created updated version deleted schema shared", // transactions take no type with unique values
		"concat etag version",
	} {
		var on []feature
		for name := range strings.FieldsSeq(names) {
			on = append(on, named(name))
		}
		out = append(out, on)
	}
	return out
}

func named(name string) feature {
	return features[slices.IndexFunc(features, func(f feature) bool { return f.name == name })]
}

// filled adds to the features of a type others that go with all of them, while one more makes
// new pairs.
func filled(on []feature, open, together map[[2]string]bool) []feature {
	for {
		next, most := -1, 0
		for i, f := range features {
			n := 0
			fits := !f.layout && !slices.ContainsFunc(on, func(o feature) bool { return o.name == f.name })
			for _, o := range on {
				fits = fits && together[[2]string{o.name, f.name}]
				if open[[2]string{o.name, f.name}] {
					n++
				}
			}
			if fits && n > most {
				next, most = i, n
			}
		}
		if next < 0 {
			return on
		}
		on = append(on, features[next])
	}
}

// gain returns how many new pairs a type has.
func gain(open map[[2]string]bool, on []feature) int {
	n := 0
	for i, a := range on {
		for _, b := range on[i+1:] {
			if open[[2]string{a.name, b.name}] {
				n++
			}
		}
	}
	return n
}

const head = "// Code generated by compose. DO NOT EDIT.\n\n"

func main() {
	log.SetFlags(0)
	var declarations, index strings.Builder
	for i, on := range types(accepted()) {
		name := fmt.Sprintf("%s%d", typeName(on[:1]), i+1)
		declarations.WriteString(source(name, on))
		names := make([]string, len(on))
		for j, f := range on {
			names[j] = f.name
		}
		fmt.Fprintf(&index, "\t{Name: %q, Features: %#v, Containers: []azcosmos.ContainerProperties{%sContainer()}, Lock: lock, Stages: Alone(func(db *azcosmos.DatabaseClient, o ...repository.Option) Store {\n\t\tr := New%sRepository(Container(db, %sContainer()), o...)\n\t\treturn Open(r.Documents, r)\n\t})},\n", name, names, name, name, name)
	}
	write("types.go", file("shapes", head, declarations.String()))
	write("index.go", head+"package shapes\n\nimport (\n\t_ \"embed\"\n\n\t\"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos\"\n\n\t\"github.com/cosmos-pkgen/pkgen/repository\"\n)\n\n//go:embed pkgen.lock\nvar lock string\n\n// All are the types, with the features that each has.\nvar All = []Shape{\n"+index.String()+"}\n")
}

// write writes a file of Go.
func write(name, text string) {
	formatted, err := format.Source([]byte(text))
	if err != nil {
		log.Fatalf("%s: %v\n%s", name, err, text)
	}
	if err := os.WriteFile(name, formatted, 0o644); err != nil { //nolint:gosec // source is read by all
		log.Fatal(err)
	}
}
