package containers

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// Index describes a container that is a global secondary index: its source, and the properties that
// the service copies into it.
type Index struct {
	Source string `json:"sourceCollectionId"` // the id of a container of the same database

	// SourceRID is the resource id of the source, by which the service finds it, according to a
	// comment in the SDK for Python (_resolve_gsi_definition of azure-cosmos 4.17.1).
	SourceRID string `json:"sourceCollectionRid,omitempty"`

	// Definition is "SELECT * FROM c", or "SELECT c.a, c.b FROM c".
	Definition string `json:"definition"`

	// Status is the service's status of an index: Initializing, InitialBuildAfterCreate,
	// InitialBuildAfterRestore, Active or DeleteInProgress. Requests omit it.
	Status string `json:"status,omitempty"`

	properties []string // set by NewIndex
}

// MaxIndexes is the maximum number of indexes of a container, by Microsoft's page "Global secondary
// indexes in Azure Cosmos DB for NoSQL".
const MaxIndexes = 5

// Two statuses of an index.
const (
	Active   = "Active" // it has all documents of its source, except for the latest changes
	Deleting = "DeleteInProgress"
)

// NewIndex returns an index of top-level properties, of all of them if properties is empty. Check
// validates it.
func NewIndex(source string, properties []string) *Index {
	x := &Index{Source: source, Definition: "SELECT * FROM c", properties: properties}
	if len(properties) > 0 {
		x.Definition = "SELECT c." + strings.Join(properties, ", c.") + " FROM c"
	}
	return x
}

// Indexable reports whether a definition can have a property with a name. The name may still be a
// reserved word of the query language.
func Indexable(name string) bool { return cosmossql.IsName(name) }

// Check returns an error if the service refuses a new index with these partition key paths. Each
// path must be a top-level property in the index.
func (x *Index) Check(paths []string) error {
	if x.Source == "" {
		return errors.New("the index has no source: name the container of its documents")
	}
	for i, name := range x.properties {
		if !Indexable(name) {
			return fmt.Errorf("an index cannot have the property %q: name properties of the first level, of letters, digits and underscores", name)
		}
		if slices.Contains(x.properties[:i], name) {
			return fmt.Errorf("the property %q is listed twice", name)
		}
	}
	for _, path := range paths {
		switch names := Names(path); {
		case len(names) != 1:
			return fmt.Errorf("the partition key path %s of the index is nested: name a property of the first level", path)
		case len(x.properties) > 0 && !slices.Contains(x.properties, names[0]):
			return fmt.Errorf("the index lacks %s, its partition key: add %q to its properties", path, names[0])
		}
	}
	return nil
}

// definition matches the definitions that the service accepts, in the spelling of other tools too.
var definition = regexp.MustCompile(`(?is)^\s*SELECT\s+(\*|.+?)\s+FROM\s+([A-Za-z_]\w*)\s*;?\s*$`)

// selected returns the sorted properties of a definition, or all. Ok is false if it cannot read the
// definition.
func selected(text string) (all bool, properties []string, ok bool) {
	parts := definition.FindStringSubmatch(text)
	if parts == nil {
		return false, nil, false
	}
	if parts[1] == "*" {
		return true, nil, true
	}
	for term := range strings.SplitSeq(parts[1], ",") {
		name, found := strings.CutPrefix(strings.TrimSpace(term), parts[2]+".")
		if !found || !Indexable(name) {
			return false, nil, false
		}
		properties = append(properties, name)
	}
	slices.Sort(properties)
	return false, properties, true
}

// String describes the index.
func (x *Index) String() string {
	if x == nil {
		return "no index"
	}
	return fmt.Sprintf("an index of %q, %s", x.Source, x.Definition)
}

// same reports whether two indexes have the same documents.
func (x *Index) same(y *Index) bool {
	if x == nil || y == nil || x.Source != y.Source {
		return false
	}
	all, properties, ok := selected(x.Definition)
	otherAll, others, otherOK := selected(y.Definition)
	if !ok || !otherOK {
		return strings.TrimSpace(x.Definition) == strings.TrimSpace(y.Definition)
	}
	return all == otherAll && slices.Equal(properties, others)
}

// compareIndex compares index definitions, which are fixed when a container is created.
func compareIndex(have, want *Index) []Finding {
	if want == nil || have.same(want) {
		return nil
	}
	return []Finding{{Difference: Difference{
		Property: "globalSecondaryIndexDefinition", Have: have.String(), Want: want.String(),
		Why: "it cannot be changed: create another index, and remove this container when no program reads it",
	}}}
}

// IndexedBy returns the container's index definition, or nil. The service and SDKs have two names
// for it.
func (p *Properties) IndexedBy() *Index {
	if p.Index != nil {
		return p.Index
	}
	return p.View
}
