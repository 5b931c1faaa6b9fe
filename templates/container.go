package templates

import "github.com/dave/jennifer/jen"

// container writes the function that describes the container.
//
//	func VehicleEventContainer() azcosmos.ContainerProperties {
//		return azcosmos.ContainerProperties{
//			ID: "vehicle-event",
//			PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{
//				Kind:    azcosmos.PartitionKeyKindHash,
//				Paths:   []string{"/partitionKey"},
//				Version: 2,
//			},
//		}
//	}
//
// Kind and version are set because azcosmos takes their zero values for those of
// version 1, whose keys hash otherwise.
func (f *file) container() {
	kind, paths := "PartitionKeyKindHash", make([]jen.Code, len(f.levels))
	for i, level := range f.levels {
		paths[i] = jen.Lit(level.Path)
	}
	if f.Kind == Hierarchical {
		kind = "PartitionKeyKindMultiHash"
	}
	definition := jen.Qual(azcosmosPath, "PartitionKeyDefinition").Custom(multiLine,
		jen.Id("Kind").Op(":").Qual(azcosmosPath, kind),
		jen.Id("Paths").Op(":").Index().String().Values(paths...),
		jen.Id("Version").Op(":").Lit(2),
	)
	f.declare(f.containerName()+" describes the container of "+f.Name+" documents, for azcosmos.DatabaseClient.CreateContainer.",
		jen.Func().Id(f.containerName()).Params().Qual(azcosmosPath, "ContainerProperties").Block(
			jen.Return(jen.Qual(azcosmosPath, "ContainerProperties").Custom(multiLine,
				jen.Id("ID").Op(":").Lit(f.Container),
				jen.Id("PartitionKeyDefinition").Op(":").Add(definition),
			)),
		))
}
