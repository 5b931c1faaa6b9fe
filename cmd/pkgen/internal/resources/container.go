package resources

import (
	"cmp"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// The languages.
const (
	Bicep     = "bicep"
	Terraform = "terraform"
	AzureCLI  = "az"
)

// container is a container as the generated code takes it to be.
type container struct {
	id         string
	several    string   // of a template of ids: an example of one; else ""
	words      string   // of a template of ids: its texts and fields, for the names of resources; else ""
	types      []string // whose documents it holds
	paths      []string // of the partition key, one for each level
	kind       string   // Hash or MultiHash
	ttl        *int     // seconds, -1, or nil
	composites [][]templates.IndexPath
}

// The rest of the indexing policy is what the service gives to a container
// without one ("Indexing policies in Azure Cosmos DB").
const (
	includedPath = "/*"
	excludedPath = `/"_etag"/?`
)

// containersOf returns the containers of types, each once, in their order. A
// container has the composite indexes of all its types. It is an error if several
// containers, which are in different databases then, have one id.
func containersOf(types []generator.TypeInfo) ([]container, error) {
	var all []container
	for _, c := range expected(types) {
		i := slices.IndexFunc(all, func(other container) bool { return other.id == c.id })
		if i < 0 {
			all = append(all, c)
			continue
		}
		known := &all[i]
		if !known.same(c) {
			return nil, fmt.Errorf("container %q is in several databases, as different ones: print it for the packages of one database at a time", c.id)
		}
		known.types = append(known.types, c.types...)
		for _, index := range c.composites {
			if !slices.ContainsFunc(known.composites, func(other []templates.IndexPath) bool { return slices.Equal(other, index) }) {
				known.composites = append(slices.Clone(known.composites), index)
			}
		}
	}
	return all, nil
}

// expected returns the containers of each type: the one, those of a template, or the
// shared one and the own ones of tenants.
func expected(types []generator.TypeInfo) []container {
	var all []container
	for _, t := range types {
		c := container{id: t.Model.Container, kind: "Hash", ttl: t.Model.TTL, composites: t.Model.Composites}
		if t.Model.Containers != nil {
			c.several, c.words = t.Model.ExampleContainer, wordsOf(t.Model.Containers)
		}
		if t.Model.Kind == templates.Hierarchical {
			c.kind = "MultiHash"
		}
		for _, level := range t.Model.Levels {
			c.paths = append(c.paths, level.Path)
		}
		c.types = []string{t.Model.Package + "." + t.Model.Name}
		all = append(all, c)
		if t.Model.Own != nil {
			c.id, c.several, c.words = t.Model.OwnTemplate(), t.Model.ExampleOwn, wordsOf(t.Model.Own)
			all = append(all, c)
		}
	}
	return all
}

// wordsOf returns the texts and fields of a template of ids.
func wordsOf(parts []templates.Part) string {
	var b strings.Builder
	for _, p := range parts {
		if p.Component != nil {
			b.WriteString(" " + p.Component.Name)
		} else {
			b.WriteString(p.Literal)
		}
	}
	return b.String()
}

// same reports whether two containers are alike, but for their types and indexes.
func (c container) same(other container) bool {
	return c.kind == other.kind && slices.Equal(c.paths, other.paths) && reflect.DeepEqual(c.ttl, other.ttl)
}

// Write prints the containers of types in a language of infrastructure. It is an error
// if several containers have one id.
func Write(w io.Writer, language string, types []generator.TypeInfo) error {
	all, err := containersOf(types)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, text(language, all))
	return err
}

// text returns containers in a language.
func text(language string, all []container) string {
	var b strings.Builder
	write := map[string]func(*strings.Builder, []container){Bicep: writeBicep, Terraform: writeTerraform, AzureCLI: writeAzureCLI}
	write[language](&b, all)
	return b.String()
}

// about is a comment: what the container is for.
func (c container) about() string {
	if c.several != "" {
		return plain.Word(fmt.Sprintf("%s holds %s: a container for each id, such as %s. Their partition key can never be changed.", c.id, strings.Join(c.types, ", "), c.several))
	}
	return plain.Word(fmt.Sprintf("%s holds %s. Its partition key can never be changed.", c.id, strings.Join(c.types, ", ")))
}

// order is the direction of a path in an index.
func order(p templates.IndexPath) string {
	if p.Descending {
		return "descending"
	}
	return "ascending"
}

// symbols returns a name for each container, made of the words of its id by
// join, and each only once.
func symbols(all []container, join func(words []string) string) []string {
	taken := map[string]bool{}
	names := make([]string, len(all))
	for i, c := range all {
		words := strings.FieldsFunc(cmp.Or(c.words, c.id), func(r rune) bool { return !isASCIILetter(r) && (r < '0' || r > '9') })
		if len(words) == 0 || !isASCIILetter(rune(words[0][0])) {
			words = append([]string{"container"}, words...)
		}
		name := join(words)
		for n := 2; taken[name]; n++ {
			name = join(append(words[:len(words):len(words)], fmt.Sprint(n)))
		}
		taken[name] = true
		names[i] = name
	}
	return names
}

func isASCIILetter(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}
