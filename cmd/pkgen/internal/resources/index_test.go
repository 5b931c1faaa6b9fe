package resources

import (
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// TestIndexes prints a container with two indexes. No program reads the second one yet.
func TestIndexes(t *testing.T) {
	entry := func(container, path string) *templates.Type {
		return &templates.Type{Container: container, Key: pk.Key{Levels: []pk.Level{{Path: path}}}}
	}
	order := &templates.Type{
		Package: "m", Name: "Order", Container: "orders", Key: pk.Key{Levels: []pk.Level{{Path: "/tenantId"}}},
		Indexes: []templates.Index{
			{Name: "ByCustomer", Entry: entry("by-customer", "/customerId"), Selected: []string{"tenantId", "customerId"}},
			{Name: "ByDay", Entry: entry("by-day", "/day"), Later: true},
		},
	}
	all, err := containersOf([]generator.TypeInfo{{Model: order}})
	if err != nil {
		t.Fatal(err)
	}
	for language, wants := range map[string][]string{
		Bicep: {
			"// by-customer holds the index ByCustomer of m.Order.", "containers@2025-05-01-preview'", "paths: [\n          '/customerId'",
			"materializedViewDefinition: {\n        sourceCollectionId: 'orders'\n        definition: 'SELECT c.tenantId, c.customerId FROM c'\n      }",
			"maxThroughput: 1000", "  dependsOn: [\n    ordersContainer\n  ]\n}",
		},
		Terraform: {
			`resource "azapi_resource" "by_customer" {`, `containers@2025-05-01-preview"`, `\"materializedViewDefinition\":{\"sourceCollectionId\":\"orders\",\"definition\":\"SELECT c.tenantId, c.customerId FROM c\"}`,
			"options  = { autoscaleSettings = { maxThroughput = 1000 } }", "depends_on = [azurerm_cosmosdb_sql_container.orders]",
		},
		AzureCLI: {
			`"materializedViewDefinition":{"sourceCollectionId":"orders","definition":"SELECT c.tenantId, c.customerId FROM c"}`,
			"containers/\"'by-customer''?api-version=2025-05-01-preview'", `"options":{"autoscaleSettings":{"maxThroughput":1000}}`,
		},
	} {
		got := text(language, all)
		for _, want := range wants {
			if !strings.Contains(got, want) {
				t.Errorf("%s lacks %s:\n%s", language, want, got)
			}
		}
		if strings.Contains(got, "by-day") {
			t.Errorf("%s has an index that no program reads:\n%s", language, got)
		}
	}
}
