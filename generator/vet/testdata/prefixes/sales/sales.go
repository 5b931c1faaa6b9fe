// Package sales declares documents whose ids have prefixes; its repositories are
// generated.
package sales

// Base is part of documents.
type Base struct {
	ID string `json:"id"`
}

// Order has its id itself.
type Order struct { // want Order:"key of Customer, ID"
	_        struct{} `cosmos:"container=sales,type=order"`
	ID       string   `json:"id" cosmos:"id,prefix=order-"`
	Customer string   `json:"customer" cosmos:"pk"`
}

// Line embeds its id, and has a suffix that nobody knows.
type Line struct { // want Line:"key of Day, Base.ID"
	_ struct{} `cosmos:"container=lines,type=line,prefix=line-"`
	*Base
	Day    string `json:"day" cosmos:"pk,randomsuffix,buckets=4"`
	Stored string `json:"partitionKey" cosmos:"synthetic"`
}

// Note has no prefix.
type Note struct { // want Note:"key of Customer, ID"
	ID       string `json:"id"`
	Customer string `json:"customer" cosmos:"pk"`
}
