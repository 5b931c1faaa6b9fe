def globals = [:]
graph.createIndex('@KEY@', org.apache.tinkerpop.gremlin.structure.Vertex.class)
globals << [
  g: traversal().withEmbedded(graph).withStrategies(new pkgen.CosmosStrategy('@KEY@')),
  incr: org.apache.tinkerpop.gremlin.process.traversal.Order.asc,
  decr: org.apache.tinkerpop.gremlin.process.traversal.Order.desc,
]
