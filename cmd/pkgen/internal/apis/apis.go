package apis

import (
	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// Places are what the APIs call their containers.
var Places = map[templates.API]string{
	templates.NoSQL: "container", templates.Table: "table", templates.Mongo: "collection", templates.Gremlin: "graph",
}

// Names are the APIs as tags name them.
var Names = map[templates.API]string{
	templates.Table: string(annotations.Table), templates.Mongo: string(annotations.Mongo), templates.Gremlin: string(annotations.Gremlin),
}
