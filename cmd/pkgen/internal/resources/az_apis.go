package resources

import (
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/templates"
)

// azureVariables writes the beginning of the script, with the environment variables that it needs.
func azureVariables(b *strings.Builder, all []container) {
	b.WriteString("#!/bin/sh\nset -eu\n: \"${RESOURCE_GROUP:?}\"")
	for _, a := range apis {
		if !uses(all, a.api) {
			continue
		}
		for _, parameter := range a.parameters {
			fmt.Fprintf(b, " \"${%s:?}\"", strings.ToUpper(strings.Join(append(strings.Fields(a.prefix), parameter), "_")))
		}
	}
	b.WriteString("\n")
}

// azureOther writes the command that creates a table or a collection ("az cosmosdb table", "az
// cosmosdb mongodb collection"), or the request that creates a graph: "az cosmosdb gremlin graph"
// does not support the version of a partition key. The request returns before the graph exists.
func (c container) azureOther(b *strings.Builder, name string) {
	switch c.api {
	case templates.Table:
		b.WriteString("az cosmosdb table create \\\n")
		b.WriteString("  --resource-group \"$RESOURCE_GROUP\" --account-name \"$TABLE_ACCOUNT\" \\\n")
		fmt.Fprintf(b, "  --name %s\n", shellText(c.id))
	case templates.Mongo:
		indexes, mixed := c.indexes()
		for _, text := range mixed {
			fmt.Fprintf(b, "# %s\n", text)
		}
		list := make([]armIndex, len(indexes))
		for i, keys := range indexes {
			list[i].Key.Keys = keys
		}
		b.WriteString("az cosmosdb mongodb collection create \\\n")
		b.WriteString("  --resource-group \"$RESOURCE_GROUP\" --account-name \"$MONGO_ACCOUNT\" --database-name \"$MONGO_DATABASE\" \\\n")
		fmt.Fprintf(b, "  --name %s --shard %s \\\n", shellText(c.id), shellText(c.paths[0]))
		fmt.Fprintf(b, "  --idx %s\n", shellText(compactJSON(list)))
	case templates.Gremlin:
		id := name + "_NAME"
		resource := map[string]any{"id": loopID, "partitionKey": armKey{c.kind, c.paths, 2}}
		body := map[string]any{"properties": map[string]any{"resource": resource}}
		fmt.Fprintf(b, ": \"${%s:?}\"\n", id)
		b.WriteString("az rest --method put \\\n")
		b.WriteString("  --url \"/subscriptions/{subscriptionId}/resourceGroups/$RESOURCE_GROUP/providers/Microsoft.DocumentDB/databaseAccounts/$GREMLIN_ACCOUNT/gremlinDatabases/$GREMLIN_DATABASE/graphs/")
		fmt.Fprintf(b, "$%s?api-version=%s\" \\\n", id, bicepVersion)
		fmt.Fprintf(b, "  --body %s\n", strings.Replace(shellText(compactJSON(body)), loopID, `'"$`+id+`"'`, 1))
	}
}

// armIndex is an index of a collection in the form of the resource manager.
type armIndex struct {
	Key struct {
		Keys []string `json:"keys"`
	} `json:"key"`
}
