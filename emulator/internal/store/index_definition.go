package store

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
)

// indexProperties are the two names of the property that makes a container a global
// secondary index. Both have the same content: the Python SDK writes both and reads either.
var indexProperties = []string{"globalSecondaryIndexDefinition", "materializedViewDefinition"}

// indexDefinition is the value of that property. A client sends the query and the source, by
// its id or its resource id. The SDK for Python sends both, since the service uses the
// resource id. Answers have both.
type indexDefinition struct {
	SourceRID string `json:"sourceCollectionRid,omitempty"`
	Source    string `json:"sourceCollectionId"`
	Query     string `json:"definition"`
	Status    string `json:"status,omitempty"`
}

// The states of an index. Deletions take effect at once, so that no index is in
// DeleteInProgress, and nothing here restores an account from a backup.
const (
	indexInitializing = "Initializing"
	indexBuilding     = "InitialBuildAfterCreate"
	indexActive       = "Active"
)

// sourceID is the property of an entry that holds the id of the source's document.
const sourceID = "_id"

// sentIndex returns the definition that a client sent, or nil. It ignores the status, because
// clients send back the definition that they have read.
func sentIndex(sent map[string]json.RawMessage) (*indexDefinition, error) {
	var found *indexDefinition
	for _, name := range indexProperties {
		raw, ok := sent[name]
		if !ok || string(raw) == "null" {
			continue
		}
		var d indexDefinition
		if err := json.Unmarshal(raw, &d); err != nil {
			return nil, status.BadRequest("The %s is invalid: %v.", name, err)
		}
		if d.Source == "" && d.SourceRID == "" || d.Query == "" {
			return nil, status.BadRequest(`The %s is invalid: it needs "sourceCollectionId" and "definition", such as "SELECT c.a, c.b FROM c".`, name)
		}
		d.Status = ""
		if found != nil && *found != d {
			return nil, status.BadRequest("The properties %s differ: send one of them, or both with the same content.", strings.Join(indexProperties, " and "))
		}
		found = &d
	}
	return found, nil
}

// sourceOf returns the container that a definition names. The caller holds the lock of the
// account.
func (d *Database) sourceOf(x *indexDefinition) (*Container, error) {
	c, ok := d.containers.get(x.Source)
	if x.Source == "" {
		c, ok = d.containerOf(x.SourceRID), true
	}
	switch {
	case !ok || c == nil:
		return nil, status.BadRequest("The source container %q of the global secondary index does not exist in the database.", cmp.Or(x.Source, x.SourceRID))
	case x.SourceRID != "" && x.SourceRID != c.ridText:
		return nil, status.BadRequest("The source container %q of the global secondary index has the resource id %s, and not %s: it was recreated.", c.id, c.ridText, x.SourceRID)
	}
	return c, nil
}

// projection returns the names of the properties that a definition selects, or nil for all.
// It refuses everything but SELECT * FROM c, and properties of the first level.
func projection(text string) ([]string, error) {
	q, err := cosmossql.Parse(text)
	if err != nil {
		return nil, badDefinition("%v", err)
	}
	s := q.Main
	switch clauses := q.Combines(); {
	case len(clauses) > 0:
		return nil, badDefinition("it has %s", strings.Join(clauses, ", "))
	case s.Where != nil:
		return nil, badDefinition("it has WHERE")
	case len(s.Sources) != 1:
		return nil, badDefinition("FROM names the container, once")
	case s.Sources[0].Query != nil || s.Sources[0].Base != nil || s.Sources[0].Iterate || len(s.Sources[0].Steps) > 0:
		return nil, badDefinition("FROM names something else than the container")
	case s.Kind == cosmossql.SelectValue:
		return nil, badDefinition("it has VALUE")
	case s.Kind == cosmossql.SelectStar:
		return nil, nil
	}
	names := make([]string, 0, len(s.Items))
	for _, item := range s.Items {
		name, ok := firstLevel(item.Expr)
		switch {
		case item.Named:
			return nil, badDefinition("it has the alias %s", item.Name)
		case !ok:
			return nil, badDefinition("%s is not a property of the first level", text[item.Expr.At().Start:])
		case slices.Contains(systemProperties, name) || name == sourceID:
			return nil, badDefinition("each entry has a property %s of its own", name)
		}
		names = append(names, name)
	}
	return names, nil
}

// firstLevel returns the name of a property of the document itself.
func firstLevel(e cosmossql.Expr) (string, bool) {
	access, ok := e.(*cosmossql.Access)
	if !ok || len(access.Steps) != 1 || access.Steps[0].Index != nil {
		return "", false
	}
	_, ok = access.Base.(*cosmossql.Alias)
	return access.Steps[0].Name, ok
}

// badDefinition refuses the query of an index.
func badDefinition(format string, args ...any) error {
	return status.BadRequest("The definition of a global secondary index is SELECT * FROM c, or properties of the first level such as SELECT c.a, c.b FROM c, without any other clause, alias or function: "+format+".", args...)
}

// checkIndexKey refuses a partition key that entries of the index would lack.
func checkIndexKey(key KeyDefinition, properties []string) error {
	for i, path := range key.names() {
		switch name := path[0]; {
		case name == "id":
			return status.BadRequest("The partition key path %s is invalid: the service fills the id of each entry of a global secondary index. The id of the source is /%s.", key.Paths[i], sourceID)
		case slices.Contains(systemProperties, name):
			return status.BadRequest("The partition key path %s of a global secondary index is a system property.", key.Paths[i])
		case name != sourceID && properties != nil && !slices.Contains(properties, name):
			return status.BadRequest("The partition key path %s is not among the properties that the definition of the global secondary index selects: add c.%s to it.", key.Paths[i], name)
		}
	}
	return nil
}
