package resources

import (
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/templates"
)

// bicepParents writes the parameters of the resources, and their existing parents: the databases,
// and the account of tables.
func bicepParents(b *strings.Builder, all []container) {
	kinds := map[templates.API]string{templates.NoSQL: "sqlDatabases", templates.Mongo: "mongodbDatabases", templates.Gremlin: "gremlinDatabases"}
	for _, a := range apis {
		if !uses(all, a.api) {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n")
		}
		var names []string
		for _, parameter := range a.parameters {
			name := camelCase(strings.Fields(a.prefix + " " + parameter))
			names = append(names, "${"+name+"Name}")
			fmt.Fprintf(b, "param %sName string\n", name)
		}
		if a.api == templates.Table {
			fmt.Fprintf(b, "\nresource tableAccount 'Microsoft.DocumentDB/databaseAccounts@%s' existing = {\n  name: tableAccountName\n}\n", bicepVersion)
			continue
		}
		parent := camelCase(strings.Fields(a.prefix + " database"))
		fmt.Fprintf(b, "\nresource %s 'Microsoft.DocumentDB/databaseAccounts/%s@%s' existing = {\n  name: '%s'\n}\n", parent, kinds[a.api], bicepVersion, strings.Join(names, "/"))
	}
}

// bicepOther writes a table, a collection or a graph ("Microsoft.DocumentDB
// databaseAccounts/tables", "mongodbDatabases/collections", "gremlinDatabases/graphs").
func (c container) bicepOther(b *strings.Builder, name string) {
	resource := func(symbol, kind, parent, id string) {
		fmt.Fprintf(b, "\n// %s\n", c.about())
		if c.api == templates.Mongo {
			_, mixed := c.indexes()
			for _, text := range mixed {
				fmt.Fprintf(b, "// %s\n", text)
			}
		}
		fmt.Fprintf(b, "resource %s 'Microsoft.DocumentDB/databaseAccounts/%s@%s' = {\n", symbol, kind, bicepVersion)
		fmt.Fprintf(b, "  parent: %s\n  name: %s\n  properties: {\n    resource: {\n      id: %[2]s\n", parent, id)
	}
	switch c.api {
	case templates.Table:
		resource(name+"Table", "tables", "tableAccount", bicepText(c.id))
	case templates.Mongo:
		resource(name+"Collection", "mongodbDatabases/collections", "mongoDatabase", bicepText(c.id))
		fmt.Fprintf(b, "      shardKey: {\n        %s: 'Hash'\n      }\n      indexes: [\n", bicepText(c.paths[0]))
		indexes, _ := c.indexes()
		for _, keys := range indexes {
			b.WriteString("        {\n          key: {\n            keys: [\n")
			for _, key := range keys {
				fmt.Fprintf(b, "              %s\n", bicepText(key))
			}
			b.WriteString("            ]\n          }\n        }\n")
		}
		b.WriteString("      ]\n")
	case templates.Gremlin:
		fmt.Fprintf(b, "\nparam %sName string\n", name)
		resource(name, "gremlinDatabases/graphs", "gremlinDatabase", name+"Name")
		fmt.Fprintf(b, "      partitionKey: {\n        kind: 'Hash'\n        paths: [\n          %s\n        ]\n        version: 2\n      }\n", bicepText(c.paths[0]))
	}
	b.WriteString("    }\n  }\n}\n")
}
