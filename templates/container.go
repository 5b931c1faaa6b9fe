package templates

import (
	"strconv"

	"github.com/dave/jennifer/jen"
)

// container writes the function that describes the container.
//
//	func VehicleEventContainer() azcosmos.ContainerProperties {
//		ttl := int32(86400)
//		return azcosmos.ContainerProperties{
//			ID: "vehicle-event",
//			PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{
//				Kind:    azcosmos.PartitionKeyKindHash,
//				Paths:   []string{"/partitionKey"},
//				Version: 2,
//			},
//			DefaultTimeToLive: &ttl,
//		}
//	}
//
// It sets kind and version, because azcosmos takes their zero values for version 1,
// whose keys hash differently.
func (f *file) container() {
	kind, paths := "PartitionKeyKindHash", make([]jen.Code, len(f.Levels))
	for i, level := range f.Levels {
		paths[i] = jen.Lit(level.Path)
	}
	if f.Kind == Hierarchical {
		kind = "PartitionKeyKindMultiHash"
	}
	properties := []jen.Code{
		jen.Id("ID").Op(":").Lit(f.Container),
		jen.Id("PartitionKeyDefinition").Op(":").Qual(azcosmosPath, "PartitionKeyDefinition").Custom(multiLine,
			jen.Id("Kind").Op(":").Qual(azcosmosPath, kind),
			jen.Id("Paths").Op(":").Index().String().Values(paths...),
			jen.Id("Version").Op(":").Lit(2),
		),
	}
	var body []jen.Code
	if f.TTL != nil {
		body = append(body, jen.Id("ttl").Op(":=").Lit(int32(*f.TTL)))
		properties = append(properties, jen.Id("DefaultTimeToLive").Op(":").Op("&").Id("ttl"))
	}
	if len(f.Composites) > 0 {
		properties = append(properties, jen.Id("IndexingPolicy").Op(":").Add(f.indexingPolicy()))
	}
	body = append(body, jen.Return(jen.Qual(azcosmosPath, "ContainerProperties").Custom(multiLine, properties...)))
	f.declare(f.containerDoc(), jen.Func().Id(f.containerName()).Params().Qual(azcosmosPath, "ContainerProperties").Block(body...))
}

// containerDoc is the comment of the function that describes the container.
func (f *file) containerDoc() string {
	var expire, order string
	switch {
	case f.TTL == nil:
	case *f.TTL < 0:
		expire = "Documents that have a ttl of their own expire that many seconds after their last write."
	default:
		expire = "Documents expire " + strconv.Itoa(*f.TTL) + " seconds after their last write, unless they have a ttl of their own."
	}
	if len(f.Composites) > 0 {
		order = "Queries can have the order of each of its composite indexes, and the reverse."
	}
	return sentences(
		f.containerName()+" describes the container of "+f.Name+" documents, for "+f.ensureName()+" and azcosmos.DatabaseClient.CreateContainer.",
		order, expire)
}

// indexingPolicy writes the policy that has composite indexes. Otherwise it is the
// policy that the service gives to a container without one (Microsoft, "Indexing
// policies in Azure Cosmos DB").
//
//	&azcosmos.IndexingPolicy{
//		Automatic:     true,
//		IndexingMode:  azcosmos.IndexingModeConsistent,
//		IncludedPaths: []azcosmos.IncludedPath{{Path: "/*"}},
//		ExcludedPaths: []azcosmos.ExcludedPath{{Path: `/"_etag"/?`}},
//		CompositeIndexes: [][]azcosmos.CompositeIndex{
//			{
//				{Path: "/speed", Order: azcosmos.CompositeIndexDescending},
//				{Path: "/at", Order: azcosmos.CompositeIndexAscending},
//			},
//		},
//	}
func (f *file) indexingPolicy() *jen.Statement {
	indexes := make([]jen.Code, len(f.Composites))
	for i, composite := range f.Composites {
		paths := make([]jen.Code, len(composite))
		for j, path := range composite {
			order := "CompositeIndexAscending"
			if path.Descending {
				order = "CompositeIndexDescending"
			}
			paths[j] = jen.Values(pathItem(path.Path), jen.Id("Order").Op(":").Qual(azcosmosPath, order))
		}
		indexes[i] = jen.Custom(multiLine, paths...)
	}
	return jen.Op("&").Qual(azcosmosPath, "IndexingPolicy").Custom(multiLine,
		jen.Id("Automatic").Op(":").True(),
		jen.Id("IndexingMode").Op(":").Qual(azcosmosPath, "IndexingModeConsistent"),
		jen.Id("IncludedPaths").Op(":").Index().Qual(azcosmosPath, "IncludedPath").Values(jen.Values(pathItem("/*"))),
		jen.Id("ExcludedPaths").Op(":").Index().Qual(azcosmosPath, "ExcludedPath").Values(jen.Values(pathItem(`/"_etag"/?`))),
		jen.Id("CompositeIndexes").Op(":").Index().Index().Qual(azcosmosPath, "CompositeIndex").Custom(multiLine, indexes...),
	)
}

// pathItem writes a path of an indexing policy. A path that contains quotes is in
// back quotes.
//
//	Path: `/"my-prop"`
func pathItem(path string) *jen.Statement {
	item := jen.Id("Path").Op(":")
	if strconv.CanBackquote(path) && strconv.Quote(path) != `"`+path+`"` {
		return item.Op("`" + path + "`")
	}
	return item.Lit(path)
}

// ensure writes the function that creates the container, or checks it.
//
//	func EnsureVehicleEventContainer(
//		ctx context.Context,
//		db *azcosmos.DatabaseClient,
//		throughput repository.Throughput,
//		opts ...repository.EnsureOption,
//	) (*azcosmos.ContainerClient, error) {
//		return repository.Ensure(ctx, db, VehicleEventContainer(), throughput, opts...)
//	}
//
// For a draft it calls repository.EnsureDraft[VehicleEvent].
func (f *file) ensure() {
	ensure := jen.Qual(repositoryPath, "Ensure")
	doc := f.ensureName() + " creates the container that " + f.containerName() + " describes, or checks the one that is there: one to five requests. " +
		"A *repository.ContainerError names each difference; repository.FixDifferences makes those changes that are safe."
	if f.Draft {
		ensure = jen.Qual(repositoryPath, "EnsureDraft").Types(jen.Id(f.Name))
		doc += " The layout is a draft, so the error matches repository.ErrDraft at every endpoint but this machine."
	}
	f.declare(doc, jen.Func().Id(f.ensureName()).Params(
		f.ctx(),
		jen.Id("db").Op("*").Qual(azcosmosPath, "DatabaseClient"),
		jen.Id("throughput").Qual(repositoryPath, "Throughput"),
		jen.Id("opts").Op("...").Qual(repositoryPath, "EnsureOption"),
	).Params(jen.Op("*").Qual(azcosmosPath, "ContainerClient"), jen.Error()).Block(
		jen.Return(ensure.Call(
			jen.Id("ctx"), jen.Id("db"), jen.Id(f.containerName()).Call(), jen.Id("throughput"), jen.Id("opts").Op("..."),
		)),
	))
}
