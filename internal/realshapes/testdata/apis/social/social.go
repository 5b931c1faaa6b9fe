// Package social keeps people and what they do as a graph.
package social

import "time"

// Node has what all vertices have.
type Node struct {
	ID     string `json:"id"`
	Region string `json:"region"`
	Stored string `json:"partitionKey" cosmos:"synthetic"`
}

// Person is a member, spread over the buckets of a region.
type Person struct {
	_ struct{} `cosmos:"api=gremlin,key={Region}.{ID%16},type=person"`
	Node
	Name   string    `json:"name"`
	Born   time.Time `json:"born,omitzero"`
	Active bool      `json:"active"`
}

// Company is where people work.
type Company struct {
	_ struct{} `cosmos:"api=gremlin,key=c-{Region},type=company"`
	Node
	Staff int64   `json:"staff"`
	Score float64 `json:"score"`
}

// WorksAt leads from a person to a company.
type WorksAt struct {
	_     struct{}  `cosmos:"api=gremlin,edge,from=Person,to=Company"`
	ID    string    `json:"id"`
	Since time.Time `json:"since"`
	Role  string    `json:"role"`
}

// Follows leads from a person to another one.
type Follows struct {
	_  struct{} `cosmos:"api=gremlin,edge,from=Person,to=Person"`
	ID string   `json:"id"`
}

// FollowedBy is Follows in the other direction, which is read in one logical partition.
type FollowedBy struct {
	_  struct{} `cosmos:"api=gremlin,edge,from=Person,to=Person"`
	ID string   `json:"id"`
}
