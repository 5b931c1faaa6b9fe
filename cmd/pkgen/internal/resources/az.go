package resources

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// writeAzureCLI writes a shell script for the Azure CLI, whose command creates containers with a
// single path. Containers with several paths or computed properties are created through the
// resource manager by az rest ("az cosmosdb sql container", "az rest"). For a template, the script
// loops over the ids in an environment variable, separated by spaces.
func writeAzureCLI(b *strings.Builder, all []container) {
	azureVariables(b, all)
	names := symbols(all, func(words []string) string { return strings.ToUpper(strings.Join(words, "_")) })
	for i, c := range all {
		fmt.Fprintf(b, "\n# %s\n", c.about())
		var command strings.Builder
		switch {
		case c.api != templates.NoSQL:
			c.azureOther(&command, names[i])
		case len(c.paths) > 1 || c.index != nil || c.computed != nil:
			c.azureRest(&command)
		default:
			c.azureCreate(&command)
		}
		if c.several == "" {
			b.WriteString(command.String())
			continue
		}
		fmt.Fprintf(b, "for ID in ${%s_IDS:?}; do\n", names[i])
		for line := range strings.Lines(command.String()) {
			b.WriteString("  " + line)
		}
		b.WriteString("done\n")
	}
}

// shellID returns the id of the container as a word: a text, or the variable of a loop.
func (c container) shellID() string {
	if c.several != "" {
		return `"$ID"`
	}
	return shellText(c.id)
}

// azureCreate writes the command that creates the container.
func (c container) azureCreate(b *strings.Builder) {
	b.WriteString("az cosmosdb sql container create \\\n")
	b.WriteString("  --resource-group \"$RESOURCE_GROUP\" --account-name \"$ACCOUNT\" --database-name \"$DATABASE\" \\\n")
	fmt.Fprintf(b, "  --name %s --partition-key-path %s --partition-key-version 2 \\\n", c.shellID(), shellText(c.paths[0]))
	if c.ttl != nil {
		fmt.Fprintf(b, "  --ttl %d \\\n", *c.ttl)
	}
	fmt.Fprintf(b, "  --idx %s", shellText(compactJSON(c.policy())))
	if embeddings := c.embeddings(); embeddings != nil {
		fmt.Fprintf(b, " \\\n  --vector-embeddings %s", shellText(compactJSON(embeddings)))
	}
	if policy := c.fullText(); policy != nil {
		fmt.Fprintf(b, " \\\n  --full-text-policy %s", shellText(compactJSON(policy)))
	}
	if c.conflicts != nil {
		fmt.Fprintf(b, " \\\n  --conflict-resolution-policy %s", shellText(compactJSON(c.conflicts)))
	}
	b.WriteString("\n")
}

// azureRest writes the request that creates the container. It returns before the container exists.
func (c container) azureRest(b *strings.Builder) {
	id := c.id
	if c.several != "" {
		id = loopID
	}
	resource := c.arm(id)
	properties := map[string]any{"resource": resource}
	if c.index != nil {
		properties["options"] = map[string]any{"autoscaleSettings": map[string]int{"maxThroughput": indexThroughput}}
	}
	body := map[string]any{"properties": properties}
	b.WriteString("az rest --method put \\\n")
	b.WriteString("  --url \"/subscriptions/{subscriptionId}/resourceGroups/$RESOURCE_GROUP/providers/Microsoft.DocumentDB/databaseAccounts/$ACCOUNT/sqlDatabases/$DATABASE/containers/\"")
	fmt.Fprintf(b, "%s'?api-version=%s' \\\n", c.shellID(), c.version())
	text := shellText(compactJSON(body))
	if c.several != "" {
		text = strings.Replace(text, loopID, `'"$ID"'`, 1)
	}
	fmt.Fprintf(b, "  --body %s\n", text)
}

// loopID is the placeholder for a loop's id in the body of a request. The shell inserts the id,
// which has only letters, digits, hyphens and underscores.
const loopID = "{id}"

// armResource is a container in the form of the resource manager.
type armResource struct {
	ID           string    `json:"id"`
	PartitionKey armKey    `json:"partitionKey"`
	TTL          *int      `json:"defaultTtl,omitempty"`
	Policy       armPolicy `json:"indexingPolicy"`

	Embeddings *armEmbeddings `json:"vectorEmbeddingPolicy,omitempty"`
	FullText   *armFullText   `json:"fullTextPolicy,omitempty"`

	Computed []containers.ComputedProperty `json:"computedProperties,omitempty"`

	Conflicts *containers.ConflictPolicy `json:"conflictResolutionPolicy,omitempty"`

	Index *containers.Index `json:"materializedViewDefinition,omitempty"`
}

type armKey struct {
	Kind    string   `json:"kind"`
	Paths   []string `json:"paths"`
	Version int      `json:"version"`
}

type armPolicy struct {
	Automatic  bool          `json:"automatic"`
	Mode       string        `json:"indexingMode"`
	Included   []armPath     `json:"includedPaths"`
	Excluded   []armPath     `json:"excludedPaths"`
	Composites [][]armPath   `json:"compositeIndexes,omitempty"`
	Vectors    []searchIndex `json:"vectorIndexes,omitempty"`
	Texts      []searchIndex `json:"fullTextIndexes,omitempty"`
}

type armPath struct {
	Path  string `json:"path"`
	Order string `json:"order,omitempty"`
}

// policy returns the indexing policy.
func (c container) policy() armPolicy {
	p := armPolicy{Automatic: true, Mode: "consistent", Vectors: c.vectorIndexes(), Texts: c.textIndexes()}
	for _, path := range c.included() {
		p.Included = append(p.Included, armPath{Path: path})
	}
	for _, path := range c.excluded() {
		p.Excluded = append(p.Excluded, armPath{Path: path})
	}
	for _, index := range c.composites {
		p.Composites = append(p.Composites, armPaths(index))
	}
	return p
}

func armPaths(index []templates.IndexPath) []armPath {
	paths := make([]armPath, len(index))
	for i, path := range index {
		paths[i] = armPath{path.Path, order(path)}
	}
	return paths
}

// compactJSON returns JSON on one line. Its input has only texts and numbers, which always marshal.
func compactJSON(value any) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value)
	return plain.JSON(strings.TrimSuffix(b.String(), "\n"))
}

// shellText returns a text as one word of a shell. Characters that must not reach a terminal are
// written by printf, which takes bytes as octal numbers in all shells.
func shellText(text string) string {
	word := "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
	return plain.Escaped(word, "", func(r rune) string {
		var b strings.Builder
		b.WriteString(`'"$(printf '`)
		for _, c := range []byte(string(r)) {
			fmt.Fprintf(&b, `\%03o`, c)
		}
		b.WriteString(`')"'`)
		return b.String()
	})
}
