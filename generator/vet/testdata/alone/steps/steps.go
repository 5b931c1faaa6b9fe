// Package steps declares documents, one of which has a key that ends in the id; its
// repositories are generated.
package steps

// Step is alone in its logical partition.
type Step struct { // want Step:"key of ID, Tenant, User"
	ID     string `json:"id" cosmos:"id,pk,level=3"`
	Tenant string `json:"tenant" cosmos:"pk,level=1,tenant"`
	User   string `json:"user" cosmos:"pk,level=2"`
}

// Task is not.
type Task struct { // want Task:"key of ID, Tenant, User"
	ID     string `json:"id"`
	Tenant string `json:"tenant" cosmos:"pk,level=1"`
	User   string `json:"user" cosmos:"pk,level=2"`
}
