package main

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// The values of -container.
const (
	bicep     = "bicep"
	terraform = "terraform"
	azureCLI  = "az"
)

// containerSpec is a container as the generated code takes it to be.
type containerSpec struct {
	id         string
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

// containersOf returns the containers of types, each once, in their order.
func containersOf(types []generator.TypeInfo) []containerSpec {
	var all []containerSpec
	for _, t := range types {
		c := containerSpec{id: t.Model.Container, kind: "Hash", ttl: t.Model.TTL, composites: t.Model.Composites}
		if t.Model.Kind == templates.Hierarchical {
			c.kind = "MultiHash"
		}
		for _, level := range t.Model.KeyLevels() {
			c.paths = append(c.paths, level.Path)
		}
		name := t.Model.Package + "." + t.Model.Name
		i := slices.IndexFunc(all, func(other containerSpec) bool {
			other.types = nil
			return reflect.DeepEqual(other, c)
		})
		if i < 0 {
			all = append(all, c)
			i = len(all) - 1
		}
		all[i].types = append(all[i].types, name)
	}
	return all
}

// writeContainers prints containers in a language of infrastructure.
func writeContainers(w io.Writer, language string, all []containerSpec) error {
	var b strings.Builder
	write := map[string]func(*strings.Builder, []containerSpec){bicep: writeBicep, terraform: writeTerraform, azureCLI: writeAzureCLI}
	write[language](&b, all)
	_, err := io.WriteString(w, b.String())
	return err
}

// about is a comment: what the container is for.
func (c containerSpec) about() string {
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
func symbols(all []containerSpec, join func(words []string) string) []string {
	taken := map[string]bool{}
	names := make([]string, len(all))
	for i, c := range all {
		words := strings.FieldsFunc(c.id, func(r rune) bool { return !isASCIILetter(r) && (r < '0' || r > '9') })
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
