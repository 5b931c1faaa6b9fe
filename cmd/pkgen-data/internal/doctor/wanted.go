package doctor

import (
	"cmp"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/writeregions"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// Container is a container, or the containers of a template, that generated code wants.
type Container struct {
	ID    string // the id, or a template of ids
	Types []string
	Want  containers.Properties
	// Template has the containers of a template; nil for one container.
	Template *layout.Containers

	relies  []reliance                       // features that require a single write region
	queried []string                         // paths that queries compare
	accepts func(property, have string) bool // accepted differences; nil for none
}

// reliance is a feature of a type that requires a single write region.
type reliance struct {
	of  string // the type
	use *writeregions.Use
}

// relies returns the features of a type that require a single write region.
func relies(m *templates.Type) (all []reliance) {
	of := m.Package + "." + m.Name
	for _, word := range m.OneWriteRegion() {
		all = append(all, reliance{of, writeregions.Named(word)})
	}
	if m.Conflict == "" {
		all = append(all, reliance{of, writeregions.Conditions})
	}
	return all
}

// name returns the name in reports.
func (c Container) name() string {
	if c.Template != nil {
		return fmt.Sprintf("containers %q", c.ID)
	}
	return fmt.Sprintf("container %q", c.ID)
}

// Wanted returns the NoSQL containers of types, sorted by id, each once, with the indexes of all
// its types. Locks are the locks of the packages' folders.
func Wanted(types []generator.TypeInfo, locks map[string]lock.Lock) ([]Container, error) {
	var out []Container
	elements := elementsOf(types)
	for _, t := range types {
		m := t.Model
		if m.API != templates.NoSQL {
			continue
		}
		c := Container{ID: m.Container, Types: []string{m.Package + "." + m.Name}, Want: properties(m), relies: relies(m), queried: elements.queried(nil, m.PackagePath, "", m.Properties)}
		entry, known := locks[filepath.Dir(t.Output)].Find(m.Name)
		var err error
		if m.Containers != nil && known {
			if c.Template, err = layout.ContainersOf(entry); err != nil {
				return nil, err
			}
		}
		for _, c := range slices.Concat([]Container{c}, companions(m), indexes(m, elements)) {
			if out, err = join(out, c); err != nil {
				return nil, err
			}
		}
		if m.Own == nil || !known {
			continue
		}
		c.ID = m.OwnTemplate()
		if c.Template, err = layout.OwnContainersOf(entry); err != nil {
			return nil, err
		}
		if out, err = join(out, c); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(out, func(a, b Container) int { return strings.Compare(a.ID, b.ID) })
	return out, nil
}

// companions returns the run time's containers that a type names.
func companions(m *templates.Type) []Container {
	var all []Container
	of := m.Package + "." + m.Name
	want := containers.Properties{PartitionKeyDefinition: containers.PartitionKeyDefinition{Paths: []string{containers.CompanionPath}, Kind: containers.Hash, Version: 2}}
	if m.Directory != "" {
		all = append(all, Container{ID: m.Directory, Types: []string{"the directory of " + of}, Want: want})
	}
	if m.Leases != "" {
		seconds := int32(containers.LeasesTTL)
		want.DefaultTimeToLive = &seconds
		all = append(all, Container{
			ID: m.Leases, Types: []string{"the leases of " + of}, Want: want, relies: []reliance{{of, writeregions.Leases}}, accepts: containers.AcceptsLeases,
		})
	}
	return all
}

// indexes returns the global secondary indexes of a type's container that programs read.
func indexes(m *templates.Type, elements elementTypes) []Container {
	var all []Container
	for _, x := range m.Indexes {
		if x.Later {
			continue
		}
		want := properties(x.Entry)
		want.Index = containers.NewIndex(m.Container, x.Selected)
		all = append(all, Container{ID: x.Entry.Container, Types: []string{"the index " + x.Name + " of " + m.Package + "." + m.Name}, Want: want, queried: elements.queried(nil, m.PackagePath, "", x.Entry.Properties)})
	}
	return all
}

// join adds a container to others, or merges it into the one with its id.
func join(all []Container, c Container) ([]Container, error) {
	i := slices.IndexFunc(all, func(other Container) bool { return other.ID == c.ID })
	if i < 0 {
		return append(all, c), nil
	}
	known := &all[i]
	if !reflect.DeepEqual(known.Want.PartitionKeyDefinition, c.Want.PartitionKeyDefinition) || !reflect.DeepEqual(known.Want.DefaultTimeToLive, c.Want.DefaultTimeToLive) ||
		!reflect.DeepEqual(known.Want.ConflictPolicy, c.Want.ConflictPolicy) {
		return nil, fmt.Errorf("container %q differs between databases: name the packages of one database", c.ID)
	}
	known.Types = append(slices.Clip(known.Types), c.Types...)
	known.relies = append(slices.Clip(known.relies), c.relies...)
	known.queried = append(slices.Clip(known.queried), c.queried...)
	known.Want = union(known.Want, c.Want)
	return all, nil
}

// union merges the settings that two types want.
func union(a, b containers.Properties) containers.Properties {
	if a.IndexingPolicy == nil || b.IndexingPolicy == nil {
		a.IndexingPolicy = cmp.Or(a.IndexingPolicy, b.IndexingPolicy)
	} else {
		policy := *a.IndexingPolicy
		policy.IncludedPaths = both(policy.IncludedPaths, b.IndexingPolicy.IncludedPaths)
		policy.ExcludedPaths = both(policy.ExcludedPaths, b.IndexingPolicy.ExcludedPaths)
		policy.CompositeIndexes = both(policy.CompositeIndexes, b.IndexingPolicy.CompositeIndexes)
		policy.VectorIndexes = both(policy.VectorIndexes, b.IndexingPolicy.VectorIndexes)
		policy.FullTextIndexes = both(policy.FullTextIndexes, b.IndexingPolicy.FullTextIndexes)
		a.IndexingPolicy = &policy
	}
	a.ComputedProperties = both(a.ComputedProperties, b.ComputedProperties)
	if a.VectorEmbeddingPolicy == nil || b.VectorEmbeddingPolicy == nil {
		a.VectorEmbeddingPolicy = cmp.Or(a.VectorEmbeddingPolicy, b.VectorEmbeddingPolicy)
	} else {
		a.VectorEmbeddingPolicy = &containers.VectorEmbeddingPolicy{VectorEmbeddings: both(a.VectorEmbeddingPolicy.VectorEmbeddings, b.VectorEmbeddingPolicy.VectorEmbeddings)}
	}
	if a.FullTextPolicy == nil || b.FullTextPolicy == nil {
		a.FullTextPolicy = cmp.Or(a.FullTextPolicy, b.FullTextPolicy)
	} else {
		a.FullTextPolicy = &containers.FullTextPolicy{
			DefaultLanguage: a.FullTextPolicy.DefaultLanguage, FullTextPaths: both(a.FullTextPolicy.FullTextPaths, b.FullTextPolicy.FullTextPaths),
		}
	}
	return a
}

// both returns the elements of two lists, each once.
func both[T any](a, b []T) []T {
	out := slices.Clone(a)
	for _, x := range b {
		if !slices.ContainsFunc(out, func(y T) bool { return reflect.DeepEqual(x, y) }) {
			out = append(out, x)
		}
	}
	return out
}

// properties returns the same settings as the generated function that describes the container.
func properties(m *templates.Type) containers.Properties {
	p := containers.Properties{
		PartitionKeyDefinition: containers.PartitionKeyDefinition{Paths: m.Paths(), Kind: containers.Hash, Version: 2},
		ConflictPolicy:         containers.LastWriter(m.Conflict),
	}
	if m.Kind == templates.Hierarchical {
		p.PartitionKeyDefinition.Kind = containers.MultiHash
	}
	if m.TTL != nil {
		seconds := int32(*m.TTL)
		p.DefaultTimeToLive = &seconds
	}
	if len(m.Composites)+len(m.Vectors)+len(m.Texts)+len(m.Computed) == 0 {
		return p
	}
	policy := &containers.IndexingPolicy{Automatic: true, IndexingMode: "consistent", IncludedPaths: []containers.Path{{Path: "/*"}}, ExcludedPaths: []containers.Path{{Path: `/"_etag"/?`}}}
	for _, composite := range m.Composites {
		index := make([]containers.CompositeIndex, len(composite))
		for i, by := range composite {
			index[i] = containers.CompositeIndex{Path: by.Path, Order: containers.Ascending}
			if by.Descending {
				index[i].Order = containers.Descending
			}
		}
		policy.CompositeIndexes = append(policy.CompositeIndexes, index)
	}
	for _, c := range m.Computed {
		policy.IncludedPaths = append(policy.IncludedPaths, containers.Path{Path: c.Included()})
		p.ComputedProperties = append(p.ComputedProperties, containers.ComputedProperty{Name: c.Name, Query: c.Query})
	}
	for _, v := range m.Vectors {
		if p.VectorEmbeddingPolicy == nil {
			p.VectorEmbeddingPolicy = &containers.VectorEmbeddingPolicy{}
		}
		policy.ExcludedPaths = append(policy.ExcludedPaths, containers.Path{Path: v.Excluded()})
		policy.VectorIndexes = append(policy.VectorIndexes, containers.VectorIndex{Path: v.Path, Type: v.Index, VectorTuning: v.Tuning()})
		p.VectorEmbeddingPolicy.VectorEmbeddings = append(p.VectorEmbeddingPolicy.VectorEmbeddings,
			containers.VectorEmbedding{Path: v.Path, DataType: v.DataType, DistanceFunction: v.Metric, Dimensions: int32(v.Dimensions)})
	}
	for _, x := range m.Texts {
		if p.FullTextPolicy == nil {
			p.FullTextPolicy = &containers.FullTextPolicy{DefaultLanguage: x.Language}
		}
		policy.FullTextIndexes = append(policy.FullTextIndexes, containers.Path{Path: x.Path})
		p.FullTextPolicy.FullTextPaths = append(p.FullTextPolicy.FullTextPaths, containers.FullTextPath{Path: x.Path, Language: x.Language})
	}
	p.IndexingPolicy = policy
	return p
}

// etag is the JSON pointer of the ETag.
const etag = "/_etag"

// elementTypes are the properties of list elements with conditions, by type name.
type elementTypes map[string][]templates.Property

// elementsOf returns the elementTypes of types. An element type is in the model of one document of
// its package, and other documents may have lists of it.
func elementsOf(types []generator.TypeInfo) elementTypes {
	all := make(elementTypes)
	for _, t := range types {
		for _, x := range t.Model.Elements {
			all[nameOf(t.Model.PackagePath, x.Type)] = x.Properties
		}
	}
	return all
}

// nameOf returns the qualified name of a type in a file of a package.
func nameOf(pkg string, t pk.GoType) string {
	names := []string{cmp.Or(t.Path, pkg) + "." + t.Name}
	for _, arg := range t.Args {
		names = append(names, nameOf(pkg, arg))
	}
	return strings.Join(names, ",")
}

// queried appends the paths of the properties that predicates compare directly: texts, numbers,
// booleans and times, of documents and of list elements. The properties are at a path, and within
// are the types around it. It omits the ETag, which no query compares and the container excludes by
// default.
func (e elementTypes) queried(paths []string, pkg, at string, properties []templates.Property, within ...string) []string {
	for _, p := range properties {
		if at == "" && p.Pointer == etag {
			continue
		}
		path := at
		if p.Pointer != templates.ElementPointer {
			path += `/"` + strings.Join(jsonpointer.Names(p.Pointer), `"/"`) + `"`
		}
		switch p.Kind.Name {
		case "Object":
			paths = e.queried(paths, pkg, at, p.Properties, within...)
		case "List":
			if p.Element != nil {
				paths = e.queried(paths, pkg, path+"/[]", []templates.Property{*p.Element}, within...)
			} else if of := nameOf(pkg, p.Kind.Value); !slices.Contains(within, of) { // a type may be recursive
				paths = e.queried(paths, pkg, path+"/[]", e[of], append(slices.Clip(within), of)...)
			}
		case "String", "Text", "Number", "Bool", "Time", "Instant", "Renamed", "RenamedString", "RenamedText", "RenamedInstant":
			paths = append(paths, path)
		}
	}
	return paths
}
