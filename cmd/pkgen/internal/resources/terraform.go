package resources

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/plain"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// writeTerraform writes a Terraform file with a resource of the provider hashicorp/azurerm, 4.0 or
// newer, for each container. A template becomes a resource for each id in a variable.
func writeTerraform(b *strings.Builder, all []container) {
	terraformVariables(b, all)
	names := symbols(all, func(words []string) string { return strings.ToLower(strings.Join(words, "_")) })
	for i, c := range all {
		if c.api != templates.NoSQL {
			c.terraformOther(b, names[i])
			continue
		}
		if c.azapi() {
			source := ""
			if c.index != nil {
				source = c.terraformSource(all, names)
			}
			c.terraformNewer(b, names[i], source)
			continue
		}
		paths := make([]string, len(c.paths))
		for j, path := range c.paths {
			paths[j] = terraformText(path)
		}
		id := [][2]string{{"name", terraformText(c.id)}}
		if c.several != "" {
			fmt.Fprintf(b, "\nvariable %q {\n  type = set(string)\n}\n", names[i]+"_ids")
			id = [][2]string{{"for_each", "var." + names[i] + "_ids"}, {"name", "each.value"}}
		}
		fmt.Fprintf(b, "\n# %s\nresource \"azurerm_cosmosdb_sql_container\" %q {\n", c.about(), names[i])
		rows := slices.Concat(id, [][2]string{
			{"resource_group_name", "var.resource_group_name"},
			{"account_name", "var.account_name"},
			{"database_name", "var.database_name"},
			{"partition_key_paths", "[" + strings.Join(paths, ", ") + "]"},
			{"partition_key_kind", strconv.Quote(c.kind)},
			{"partition_key_version", "2"},
		})
		if c.ttl != nil {
			rows = append(rows, [2]string{"default_ttl", strconv.Itoa(*c.ttl)})
		}
		terraformRows(b, rows)
		b.WriteString("\n")
		if p := c.conflicts; p != nil {
			fmt.Fprintf(b, "  conflict_resolution_policy {\n    mode                     = %s\n    conflict_resolution_path = %s\n  }\n\n", terraformText(p.Mode), terraformText(p.Path))
		}
		c.terraformPolicy(b)
		b.WriteString("}\n")
	}
}

// terraformSource returns the resource of the container of which c is an index.
func (c container) terraformSource(all []container, names []string) string {
	i := c.source(all)
	if all[i].azapi() {
		return "azapi_resource." + names[i]
	}
	return "azurerm_cosmosdb_sql_container." + names[i]
}

// terraformPolicy writes the indexing policy, which is always automatic.
func (c container) terraformPolicy(b *strings.Builder) {
	b.WriteString("  indexing_policy {\n    indexing_mode = \"consistent\"\n")
	for _, path := range [][2]string{{"included_path", includedPath}, {"excluded_path", excludedPath}} {
		fmt.Fprintf(b, "\n    %s {\n      path = %s\n    }\n", path[0], terraformText(path[1]))
	}
	for _, index := range c.composites {
		b.WriteString("\n    composite_index {\n")
		for i, path := range index {
			if i > 0 {
				b.WriteString("\n")
			}
			fmt.Fprintf(b, "      index {\n        path  = %s\n        order = %q\n      }\n", terraformText(path.Path), order(path))
		}
		b.WriteString("    }\n")
	}
	b.WriteString("  }\n")
}

// terraformText returns a text as a Terraform literal ("Strings and Templates").
func terraformText(text string) string {
	text = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "${", "$${", "%{", "%%{", "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(text)
	return `"` + plain.Escaped(text, "", func(r rune) string { return fmt.Sprintf(`\U%08x`, r) }) + `"`
}
