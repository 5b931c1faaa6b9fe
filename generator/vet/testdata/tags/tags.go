// Package tags has tags that pkgen refuses.
package tags

import "encoding/json"

type Misspelt struct {
	ID  string `json:"id"`
	Day string `json:"day" cosmos:"pk,hashsufix=VIN,buckets=4"` // want `unknown word "hashsufix": did you mean "hashsuffix"\?`
	VIN string `json:"vin"`
}

type Options struct {
	_  struct{} `cosmos:"containr=x"` // want `unknown word "containr": did you mean "container"\?`
	ID string   `json:"id" cosmos:"id,pk"`
}

type Rest struct {
	ID   string                     `json:"id" cosmos:"id,pk"`
	Rest map[string]json.RawMessage `cosmos:"rest"` // want `field Rest cannot keep unknown properties`
}

type RestNamed struct {
	ID   string                     `json:"id" cosmos:"id,pk"`
	Rest map[string]json.RawMessage `json:"rest,omitempty" cosmos:"rest"` // want `field Rest cannot keep unknown properties`
}

type Layout struct {
	ID string `json:"id"`
	At string `json:"at" cosmos:"pk,concat"` // want `nothing to concatenate`
}

func within() {
	type inner struct {
		ID string `json:"id" cosmos:"id,pk"` // want `tags are not read in a function`
	}
	_ = inner{}
}
