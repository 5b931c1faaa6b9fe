package resources

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/containers"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// searchVersion is the version of the resource types with policies of vectors and full text
// (Azure/azure-rest-api-specs; pulumi-azure-native#4404 lists the additions).
const searchVersion = "2025-04-15"

// tunedVersion is the version of the resource types with tuning of vector indexes, and float16
// ("Microsoft.DocumentDB databaseAccounts/sqlDatabases/containers 2025-11-01-preview").
const tunedVersion = "2025-11-01-preview"

// indexVersion is the version of the resource types with global secondary indexes, there called
// materialized views ("Microsoft.DocumentDB databaseAccounts/sqlDatabases/containers
// 2025-05-01-preview").
const indexVersion = "2025-05-01-preview"

// indexThroughput is the maximum throughput of an index in RU/s: the lowest that autoscale allows
// ("Global secondary indexes in Azure Cosmos DB" requires autoscale).
const indexThroughput = 1000

// version returns the version of the resource types that supports the container.
func (c container) version() string {
	switch {
	case c.index != nil:
		return indexVersion
	case slices.ContainsFunc(c.vectors, func(v templates.Vector) bool { return v.Tuned() || v.DataType == "float16" }):
		return tunedVersion
	case len(c.vectors)+len(c.texts) > 0:
		return searchVersion
	}
	return bicepVersion
}

// azapi reports whether Terraform creates the container by the provider Azure/azapi, because
// azurerm does not support all of it.
func (c container) azapi() bool { return c.version() != bicepVersion || c.computed != nil }

// included returns the paths of the ordinary index, which needs an explicit path for each computed
// property.
func (c container) included() []string {
	paths := []string{includedPath}
	for _, x := range c.computed {
		paths = append(paths, x.Included())
	}
	return paths
}

// computedProperties returns the computed properties in the form of the resource manager.
func (c container) computedProperties() (all []containers.ComputedProperty) {
	for _, x := range c.computed {
		all = append(all, containers.ComputedProperty{Name: x.Name, Query: x.Query})
	}
	return all
}

// excluded returns the paths that the ordinary index excludes.
func (c container) excluded() []string {
	paths := []string{excludedPath}
	for _, v := range c.vectors {
		paths = append(paths, v.Excluded())
	}
	return paths
}

// searchIndex is an index of vectors, or of full text, which has no type.
type searchIndex struct {
	Path string `json:"path"`
	Type string `json:"type,omitempty"`
	containers.VectorTuning
}

type armEmbeddings struct {
	Embeddings []armEmbedding `json:"vectorEmbeddings"`
}

type armEmbedding struct {
	Path       string `json:"path"`
	DataType   string `json:"dataType"`
	Metric     string `json:"distanceFunction"`
	Dimensions int    `json:"dimensions"`
}

type armFullText struct {
	Language string        `json:"defaultLanguage"`
	Paths    []armLanguage `json:"fullTextPaths"`
}

type armLanguage struct {
	Path     string `json:"path"`
	Language string `json:"language"`
}

func (c container) vectorIndexes() []searchIndex {
	var all []searchIndex
	for _, v := range c.vectors {
		all = append(all, searchIndex{v.Path, v.Index, v.Tuning()})
	}
	return all
}

func (c container) textIndexes() []searchIndex {
	var all []searchIndex
	for _, x := range c.texts {
		all = append(all, searchIndex{Path: x.Path})
	}
	return all
}

// embeddings returns the policy of vectors, or nil.
func (c container) embeddings() *armEmbeddings {
	if len(c.vectors) == 0 {
		return nil
	}
	var p armEmbeddings
	for _, v := range c.vectors {
		p.Embeddings = append(p.Embeddings, armEmbedding{v.Path, v.DataType, v.Metric, v.Dimensions})
	}
	return &p
}

// fullText returns the policy of full text, or nil.
func (c container) fullText() *armFullText {
	if len(c.texts) == 0 {
		return nil
	}
	p := armFullText{Language: c.texts[0].Language}
	for _, x := range c.texts {
		p.Paths = append(p.Paths, armLanguage(x))
	}
	return &p
}

// arm returns the container in the form of the resource manager.
func (c container) arm(id string) armResource {
	return armResource{
		ID: id, PartitionKey: armKey{c.kind, c.paths, 2}, TTL: c.ttl, Policy: c.policy(),
		Embeddings: c.embeddings(), FullText: c.fullText(), Conflicts: c.conflicts, Computed: c.computedProperties(), Index: c.index,
	}
}

// bicepIndex writes the container's definition as an index.
func (c container) bicepIndex(b *strings.Builder) {
	if c.index != nil {
		fmt.Fprintf(b, "      materializedViewDefinition: {\n        sourceCollectionId: %s\n        definition: %s\n      }\n", bicepText(c.index.Source), bicepText(c.index.Definition))
	}
}

// bicepIndexes writes the indexes of vectors and full text.
func (c container) bicepIndexes(b *strings.Builder) {
	for _, list := range []struct {
		name string
		all  []searchIndex
	}{{"vectorIndexes", c.vectorIndexes()}, {"fullTextIndexes", c.textIndexes()}} {
		if len(list.all) == 0 {
			continue
		}
		fmt.Fprintf(b, "        %s: [\n", list.name)
		for _, x := range list.all {
			fmt.Fprintf(b, "          {\n            path: %s\n", bicepText(x.Path))
			if x.Type != "" {
				fmt.Fprintf(b, "            type: '%s'\n", x.Type)
			}
			bicepTuning(b, x.VectorTuning)
			b.WriteString("          }\n")
		}
		b.WriteString("        ]\n")
	}
}

// bicepTuning writes the tuning of a vector index.
func bicepTuning(b *strings.Builder, t containers.VectorTuning) {
	if t.QuantizerType != "" {
		fmt.Fprintf(b, "            quantizerType: '%s'\n", t.QuantizerType)
	}
	if t.QuantizationByteSize > 0 {
		fmt.Fprintf(b, "            quantizationByteSize: %d\n", t.QuantizationByteSize)
	}
	if t.IndexingSearchListSize > 0 {
		fmt.Fprintf(b, "            indexingSearchListSize: %d\n", t.IndexingSearchListSize)
	}
	for _, path := range t.ShardKey {
		fmt.Fprintf(b, "            vectorIndexShardKey: [\n              %s\n            ]\n", bicepText(path))
	}
}

// bicepSearch writes the policies of vectors and full text.
func (c container) bicepSearch(b *strings.Builder) {
	if p := c.embeddings(); p != nil {
		b.WriteString("      vectorEmbeddingPolicy: {\n        vectorEmbeddings: [\n")
		for _, e := range p.Embeddings {
			fmt.Fprintf(b, "          {\n            path: %s\n            dataType: '%s'\n            distanceFunction: '%s'\n            dimensions: %d\n          }\n",
				bicepText(e.Path), e.DataType, e.Metric, e.Dimensions)
		}
		b.WriteString("        ]\n      }\n")
	}
	if p := c.fullText(); p != nil {
		fmt.Fprintf(b, "      fullTextPolicy: {\n        defaultLanguage: '%s'\n        fullTextPaths: [\n", p.Language)
		for _, x := range p.Paths {
			fmt.Fprintf(b, "          {\n            path: %s\n            language: '%s'\n          }\n", bicepText(x.Path), x.Language)
		}
		b.WriteString("        ]\n      }\n")
	}
}

// terraformNewer writes the container as a resource of the provider Azure/azapi, 2.0 or newer,
// since azurerm does not know the policies of vectors and full text (hashicorp/terraform-provider-azurerm
// #29597 and #28629), nor computed properties, nor indexes. An index comes after its source.
func (c container) terraformNewer(b *strings.Builder, name, source string) {
	id, each, value := terraformText(c.id), "", terraformText(c.id)
	if c.several != "" {
		fmt.Fprintf(b, "\nvariable %q {\n  type = set(string)\n}\n", name+"_ids")
		id, each, value = "each.value", "  for_each  = var."+name+"_ids\n", "each.value"
	}
	fmt.Fprintf(b, "\ndata \"azurerm_cosmosdb_account\" %q {\n  name                = var.account_name\n  resource_group_name = var.resource_group_name\n}\n", name)
	fmt.Fprintf(b, "\n# %s\nresource \"azapi_resource\" %q {\n%s", c.about(), name, each)
	fmt.Fprintf(b, "  type      = \"Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers@%s\"\n  name      = %s\n", c.version(), id)
	fmt.Fprintf(b, "  parent_id = \"${data.azurerm_cosmosdb_account.%s.id}/sqlDatabases/${var.database_name}\"\n", name)
	options, after := "", ""
	if c.index != nil {
		options = fmt.Sprintf("      options  = { autoscaleSettings = { maxThroughput = %d } }\n", indexThroughput)
		after = fmt.Sprintf("  depends_on = [%s]\n", source)
	}
	if slices.ContainsFunc(c.vectors, func(v templates.Vector) bool { return v.Quantizer != "" }) {
		b.WriteString("  schema_validation_enabled = false # quantizerType is newer than the schema\n")
	}
	fmt.Fprintf(b, "  body = {\n    properties = {\n%s      resource = merge(jsondecode(%s), { id = %s })\n    }\n  }\n%s}\n", options, terraformText(compactJSON(c.arm(c.id))), value, after)
}
