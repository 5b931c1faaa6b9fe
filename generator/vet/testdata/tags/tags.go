// Package tags has tags that pkgen refuses.
package tags

import (
	"encoding/json"
	"time"
)

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

type Format struct {
	ID string    `json:"id"`
	At time.Time `json:"at" cosmos:"pk,format=dya"` // want `unknown format "dya": did you mean "day"`
}

type Quoted struct {
	_  struct{} "cosmos:\"containe=x\"" // want `unknown word "containe": did you mean "container"`
	ID string   `json:"id" cosmos:"id,pk"`
}

type Unnamed struct {
	ID  string `json:"id" cosmos:"id,pk"`
	Tag string "cosmos:\"etag\"" // want `field Tag holds the ETag`
}

type Expiring struct {
	ID  string `json:"id" cosmos:"id,pk"`
	TTL int    `json:"ttl"` // want `field TTL cannot hold the time to live`
}

type Versioned struct {
	ID  string `json:"id" cosmos:"id,pk"`
	Tag string `json:"etag" cosmos:"etag"` // want `write .json:"_etag"`
}

func within() {
	type inner struct {
		ID string `json:"id" cosmos:"id,pk"` // want `tags are not read in a function`
	}
	_ = inner{}
}
