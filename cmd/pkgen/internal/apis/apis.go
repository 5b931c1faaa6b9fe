package apis

import (
	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// Places are the names of containers in the APIs.
var Places = map[templates.API]string{
	templates.NoSQL: "container", templates.Table: "table", templates.Mongo: "collection", templates.Gremlin: "graph",
}

// Names are the APIs' names in tags.
var Names = map[templates.API]string{
	templates.Table: string(annotations.Table), templates.Mongo: string(annotations.Mongo), templates.Gremlin: string(annotations.Gremlin),
}
