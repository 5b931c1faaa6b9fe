package resources

import (
	"cmp"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// The languages.
const (
	Bicep     = "bicep"
	Terraform = "terraform"
	AzureCLI  = "az"
)

// container is a container, table, collection or graph that generated code expects.
type container struct {
	api        templates.API
	id         string   // "" for a graph, whose name programs choose
	several    string   // for a template of ids, an example; otherwise ""
	words      string   // for a template of ids, its texts and fields, for the names of resources; otherwise ""
	types      []string // the types of its documents, or other contents
	paths      []string // of the partition key, one for each level
	kind       string   // Hash or MultiHash
	ttl        *int     // seconds, -1, or nil
	composites [][]templates.IndexPath
	vectors    []templates.Vector
	texts      []templates.FullText
	computed   []templates.Computed
	conflicts  *containers.ConflictPolicy // nil for the service's default
	index      *containers.Index          // its definition as an index; nil for most
}

// The rest of the indexing policy is the service's default ("Indexing policies in Azure Cosmos
// DB").
const (
	includedPath = "/*"
	excludedPath = `/"_etag"/?`
)

// containersOf returns the containers of types, each once, in order. A container has the composite
// indexes of all its types. It returns an error if several containers have the same id, which must
// then be in different databases.
func containersOf(types []generator.TypeInfo) ([]container, error) {
	var all []container
	for _, c := range expected(types) {
		i := slices.IndexFunc(all, c.sameName)
		if i < 0 {
			all = append(all, c)
			continue
		}
		known := &all[i]
		if !known.same(c) {
			return nil, fmt.Errorf("container %q differs between databases: print it for the packages of one database at a time", c.id)
		}
		known.types = append(known.types, c.types...)
		for _, v := range c.vectors {
			if !slices.Contains(known.vectors, v) {
				known.vectors = append(slices.Clone(known.vectors), v)
			}
		}
		for _, x := range c.texts {
			if !slices.Contains(known.texts, x) {
				known.texts = append(slices.Clone(known.texts), x)
			}
		}
		for _, x := range c.computed {
			if i := slices.IndexFunc(known.computed, func(other templates.Computed) bool { return other.Name == x.Name }); i < 0 {
				known.computed = append(slices.Clone(known.computed), x)
			} else if !cosmossql.SameComputed(known.computed[i].Query, x.Query) {
				return nil, fmt.Errorf("container %q computes the property %s by different expressions in several packages: print it for the packages of one database at a time", c.id, x.Name)
			}
		}
		for _, index := range c.composites {
			if !slices.ContainsFunc(known.composites, func(other []templates.IndexPath) bool { return slices.Equal(other, index) }) {
				known.composites = append(slices.Clone(known.composites), index)
			}
		}
	}
	return all, nil
}

// expected returns the containers of each type: a single one, those of a template, or the shared
// one and the tenants' own.
func expected(types []generator.TypeInfo) []container {
	var all []container
	for _, t := range types {
		if t.Model.Edge != nil {
			continue // an edge is in the graph of its source
		}
		c := container{api: t.Model.API, id: t.Model.Container, kind: kindOf(t.Model), ttl: t.Model.TTL, composites: t.Model.Composites, vectors: t.Model.Vectors, texts: t.Model.Texts, computed: t.Model.Computed, conflicts: containers.LastWriter(t.Model.Conflict)}
		if c.api == templates.Gremlin {
			c.id, c.words = "", "graph"
		}
		if t.Model.Containers != nil {
			c.several, c.words = t.Model.ExampleContainer, wordsOf(t.Model.Containers)
		}
		c.paths = t.Model.Paths()
		if c.api == templates.Mongo {
			c.paths, c.composites = storedNames(t.Model)
		}
		c.types = []string{t.Model.Package + "." + t.Model.Name}
		for _, other := range types {
			if edge := other.Model.Edge; edge != nil && edge.From == t.Model.Name && other.Model.PackagePath == t.Model.PackagePath {
				c.types = append(c.types, other.Model.Package+"."+other.Model.Name)
			}
		}
		all = append(all, c)
		if t.Model.Own != nil {
			c.id, c.several, c.words = t.Model.OwnTemplate(), t.Model.ExampleOwn, wordsOf(t.Model.Own)
			all = append(all, c)
		}
		all = append(all, companions(t.Model)...)
		all = append(all, indexesOf(t.Model)...)
	}
	return all
}

// indexesOf returns the global secondary indexes of a type's container.
func indexesOf(t *templates.Type) []container {
	var all []container
	for _, x := range t.Indexes {
		if x.Later { // no program reads it yet
			continue
		}
		all = append(all, container{
			id: x.Entry.Container, types: []string{"the index " + x.Name + " of " + t.Package + "." + t.Name}, paths: x.Entry.Paths(), kind: kindOf(x.Entry),
			composites: x.Entry.Composites, index: containers.NewIndex(t.Container, x.Selected),
		})
	}
	return all
}

// kindOf returns the kind of a type's partition key.
func kindOf(t *templates.Type) string {
	if t.Kind == templates.Hierarchical {
		return containers.MultiHash
	}
	return containers.Hash
}

// source returns the number of the container of which c is an index.
func (c container) source(all []container) int {
	return slices.IndexFunc(all, func(other container) bool { return other.api == c.api && other.id == c.index.Source })
}

// companions returns the run time's containers that a type names.
func companions(t *templates.Type) []container {
	var all []container
	of := t.Package + "." + t.Name
	if t.Leases != "" {
		ttl := containers.LeasesTTL
		all = append(all, container{id: t.Leases, types: []string{"the leases of " + of}, paths: []string{containers.CompanionPath}, kind: "Hash", ttl: &ttl})
	}
	if t.Directory != "" {
		all = append(all, container{id: t.Directory, types: []string{"the directory of " + of}, paths: []string{containers.CompanionPath}, kind: "Hash"})
	}
	return all
}

// storedNames returns the shard key and the indexes of a collection, by stored names.
func storedNames(t *templates.Type) (paths []string, composites [][]templates.IndexPath) {
	for _, level := range t.Levels {
		paths = append(paths, t.StoredName(level.Path))
	}
	for _, composite := range t.Composites {
		index := slices.Clone(composite)
		for i := range index {
			index[i].Path = t.StoredName(index[i].Path)
		}
		composites = append(composites, index)
	}
	return paths, composites
}

// wordsOf returns the texts and fields of a template of ids.
func wordsOf(parts []pk.Part) string {
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

// sameName reports whether two containers are the same in one account. Graphs are the same if they
// have one key.
func (c container) sameName(other container) bool {
	return other.api == c.api && other.id == c.id && (c.api != templates.Gremlin || slices.Equal(c.paths, other.paths))
}

// same reports whether two containers are equal, except for their types and indexes.
func (c container) same(other container) bool {
	return c.kind == other.kind && slices.Equal(c.paths, other.paths) && reflect.DeepEqual(c.ttl, other.ttl) && reflect.DeepEqual(c.conflicts, other.conflicts) && reflect.DeepEqual(c.index, other.index)
}

// Write prints the containers of types in a language of infrastructure. It returns an error if
// several containers have the same id.
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

// apis are the APIs, each with the prefix of its parameters and a list of them.
var apis = []struct {
	api        templates.API
	prefix     string
	parameters []string
}{
	{templates.NoSQL, "", []string{"account", "database"}},
	{templates.Table, "table", []string{"account"}},
	{templates.Mongo, "mongo", []string{"account", "database"}},
	{templates.Gremlin, "gremlin", []string{"account", "database"}},
}

// uses reports whether a container belongs to an API.
func uses(all []container, api templates.API) bool {
	return slices.ContainsFunc(all, func(c container) bool { return c.api == api })
}

// indexes returns the indexes of a collection, the first one on the id, and the type's orders that
// are omitted: a resource lists the properties of an index without directions.
func (c container) indexes() (all [][]string, mixed []string) {
	all = [][]string{{"_id"}}
	for _, composite := range c.composites {
		keys, orders := make([]string, len(composite)), make([]string, len(composite))
		differ := false
		for i, path := range composite {
			keys[i] = path.Path
			orders[i] = keys[i] + " " + order(path)
			differ = differ || path.Descending != composite[0].Descending
		}
		if differ {
			mixed = append(mixed, plain.Word(fmt.Sprintf("A resource cannot declare the index of %s: the program creates it.", strings.Join(orders, ", "))))
		} else {
			all = append(all, keys)
		}
	}
	return all, mixed
}

// about returns a comment on the purpose of the container.
func (c container) about() string {
	if c.several != "" {
		return plain.Word(fmt.Sprintf("%s holds %s: a container for each id, such as %s. Their partition key can never be changed.", c.id, strings.Join(c.types, ", "), c.several))
	}
	if c.api == templates.Gremlin {
		return plain.Word(fmt.Sprintf("The graph of %s. Its partition key can never be changed.", strings.Join(c.types, ", ")))
	}
	return plain.Word(fmt.Sprintf("%s holds %s. Its partition key can never be changed.", c.id, strings.Join(c.types, ", ")))
}

// order returns the direction of a path in an index.
func order(p templates.IndexPath) string {
	if p.Descending {
		return "descending"
	}
	return "ascending"
}

// symbols returns a unique name for each container, made from the words of its id by join.
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
