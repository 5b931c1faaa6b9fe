package resources

import (
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/templates"
)

// terraformVariables writes the variables that the resources need.
func terraformVariables(b *strings.Builder, all []container) {
	names := []string{"resource_group_name"}
	for _, a := range apis {
		if !uses(all, a.api) {
			continue
		}
		for _, parameter := range a.parameters {
			names = append(names, strings.Join(append(strings.Fields(a.prefix), parameter, "name"), "_"))
		}
	}
	for i, name := range names {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(b, "variable %q {\n  type = string\n}\n", name)
	}
}

// terraformOther writes a table, a collection or a graph ("azurerm_cosmosdb_table",
// "azurerm_cosmosdb_mongo_collection", "azurerm_cosmosdb_gremlin_graph").
func (c container) terraformOther(b *strings.Builder, name string) {
	kind, prefix, id := "", "", terraformText(c.id)
	var rows [][2]string
	switch c.api {
	case templates.Table:
		kind, prefix = "table", "table"
	case templates.Mongo:
		kind, prefix = "mongo_collection", "mongo"
		rows = [][2]string{{"database_name", "var.mongo_database_name"}, {"shard_key", terraformText(c.paths[0])}}
	case templates.Gremlin:
		kind, prefix, id = "gremlin_graph", "gremlin", "var."+name+"_name"
		rows = [][2]string{{"database_name", "var.gremlin_database_name"}, {"partition_key_path", terraformText(c.paths[0])}, {"partition_key_version", "2"}}
		fmt.Fprintf(b, "\nvariable %q {\n  type = string\n}\n", name+"_name")
	}
	indexes, mixed := c.indexes()
	fmt.Fprintf(b, "\n# %s\n", c.about())
	for _, text := range mixed {
		fmt.Fprintf(b, "# %s\n", text)
	}
	fmt.Fprintf(b, "resource \"azurerm_cosmosdb_%s\" %q {\n", kind, name)
	terraformRows(b, append([][2]string{
		{"name", id},
		{"resource_group_name", "var.resource_group_name"},
		{"account_name", "var." + prefix + "_account_name"},
	}, rows...))
	if c.api == templates.Mongo {
		for _, keys := range indexes {
			words := make([]string, len(keys))
			for i, key := range keys {
				words[i] = terraformText(key)
			}
			list := "[" + strings.Join(words, ", ") + "]"
			if keys[0] == "_id" {
				fmt.Fprintf(b, "\n  index {\n    keys   = %s\n    unique = true\n  }\n", list)
			} else {
				fmt.Fprintf(b, "\n  index {\n    keys = %s\n  }\n", list)
			}
		}
	}
	b.WriteString("}\n")
}

// terraformRows writes the arguments of a resource, as terraform fmt aligns them.
func terraformRows(b *strings.Builder, rows [][2]string) {
	width := 0
	for _, row := range rows {
		width = max(width, len(row[0]))
	}
	for _, row := range rows {
		fmt.Fprintf(b, "  %-*s = %s\n", width, row[0], row[1])
	}
}
