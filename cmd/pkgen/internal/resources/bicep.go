package resources

import (
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// bicepVersion is the version of the resource types. It is generally available and supports
// hierarchical keys ("Microsoft.DocumentDB databaseAccounts/sqlDatabases/containers").
const bicepVersion = "2024-05-15"

// writeBicep writes a Bicep file with a resource for each container. A template becomes a loop over
// the ids in a parameter.
func writeBicep(b *strings.Builder, all []container) {
	bicepParents(b, all)
	names := symbols(all, camelCase)
	for i, c := range all {
		if c.api != templates.NoSQL {
			c.bicepOther(b, names[i])
			continue
		}
		kind := fmt.Sprintf("Container 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers@%s' = ", c.version())
		id, end := bicepText(c.id), "}\n"
		if c.several != "" {
			fmt.Fprintf(b, "\nparam %sIds string[]\n", names[i])
			kind = strings.Replace(kind, "Container", "Containers", 1) + "[for id in " + names[i] + "Ids: "
			id, end = "id", "}]\n"
		}
		fmt.Fprintf(b, "\n// %s\nresource %s%s{\n", c.about(), names[i], kind)
		fmt.Fprintf(b, "  parent: database\n  name: %s\n  properties: {\n    resource: {\n      id: %[1]s\n", id)
		fmt.Fprintf(b, "      partitionKey: {\n        kind: '%s'\n        paths: [\n", c.kind)
		for _, path := range c.paths {
			fmt.Fprintf(b, "          %s\n", bicepText(path))
		}
		b.WriteString("        ]\n        version: 2\n      }\n")
		if c.ttl != nil {
			fmt.Fprintf(b, "      defaultTtl: %d\n", *c.ttl)
		}
		if p := c.conflicts; p != nil {
			fmt.Fprintf(b, "      conflictResolutionPolicy: {\n        mode: %s\n        conflictResolutionPath: %s\n      }\n", bicepText(p.Mode), bicepText(p.Path))
		}
		c.bicepPolicy(b)
		c.bicepSearch(b)
		c.bicepComputed(b)
		c.bicepIndex(b)
		b.WriteString("    }\n")
		if c.index != nil {
			fmt.Fprintf(b, "    options: {\n      autoscaleSettings: {\n        maxThroughput: %d\n      }\n    }\n", indexThroughput)
			end = fmt.Sprintf("  dependsOn: [\n    %sContainer\n  ]\n", names[c.source(all)]) + end
		}
		b.WriteString("  }\n" + end)
	}
}

// bicepPolicy writes the indexing policy.
func (c container) bicepPolicy(b *strings.Builder) {
	b.WriteString("      indexingPolicy: {\n        automatic: true\n        indexingMode: 'consistent'\n")
	for _, list := range []struct {
		name  string
		paths []string
	}{{"includedPaths", c.included()}, {"excludedPaths", c.excluded()}} {
		fmt.Fprintf(b, "        %s: [\n", list.name)
		for _, path := range list.paths {
			fmt.Fprintf(b, "          {\n            path: %s\n          }\n", bicepText(path))
		}
		b.WriteString("        ]\n")
	}
	if len(c.composites) > 0 {
		b.WriteString("        compositeIndexes: [\n")
		for _, index := range c.composites {
			b.WriteString("          [\n")
			for _, path := range index {
				fmt.Fprintf(b, "            {\n              path: %s\n              order: '%s'\n            }\n", bicepText(path.Path), order(path))
			}
			b.WriteString("          ]\n")
		}
		b.WriteString("        ]\n")
	}
	c.bicepIndexes(b)
	b.WriteString("      }\n")
}

// bicepComputed writes the computed properties.
func (c container) bicepComputed(b *strings.Builder) {
	if c.computed == nil {
		return
	}
	b.WriteString("      computedProperties: [\n")
	for _, x := range c.computed {
		fmt.Fprintf(b, "        {\n          name: %s\n          query: %s\n        }\n", bicepText(x.Name), bicepText(x.Query))
	}
	b.WriteString("      ]\n")
}

// bicepText returns a text as a Bicep literal ("Data types in Bicep").
func bicepText(text string) string {
	text = strings.NewReplacer(`\`, `\\`, "'", `\'`, "${", `\${`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(text)
	return "'" + plain.Escaped(text, "", func(r rune) string { return fmt.Sprintf(`\u{%x}`, r) }) + "'"
}

// camelCase joins the words of an identifier.
func camelCase(words []string) string {
	var b strings.Builder
	for i, word := range words {
		if i == 0 {
			b.WriteString(strings.ToLower(word[:1]) + word[1:])
		} else {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}
