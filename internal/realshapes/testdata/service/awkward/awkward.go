// Package awkward has names that a generator may stumble over.
package awkward

import (
	"time"

	repository "example.com/platform"
)

// URL is short, and an initialism.
type URL struct {
	Id   string `json:"id"`
	URL  string `json:"url" cosmos:"pk,concat"`
	HTTP HTTPS  `json:"http" cosmos:"pk,concat"`
	R    int    `json:"r"`
}

// HTTPS is an enumeration.
type HTTPS bool

// Type has fields that are keywords in lower case.
type Type struct {
	repository.Document

	Type   string `json:"kind" cosmos:"pk,concat"`
	Func   string `json:"func" cosmos:"pk,concat"`
	Range  uint32 `json:"range" cosmos:"pk,concat"`
	Select string `json:"select"`
	Err    string `json:"err"`
}

// Query shares its name with a type of the run time.
type Query struct {
	ID         string `json:"id"`
	Ctx        string `json:"ctx" cosmos:"pk,level=1"`
	Key_       string `json:"key_" cosmos:"pk,level=2"`
	Repository string `json:"repository"`
	Where      []struct {
		SQL string `json:"sql"`
	} `json:"where"`
}

// Größe has letters beyond ASCII, in names and in properties.
type Größe struct {
	ID    string `json:"id"`
	Länge string `json:"laenge" cosmos:"pk"`
	Breit int    `json:"größe"`
	Punkt string `json:"a.b/c~d-e"`
	Dollr string `json:"$select"`
}

// lowercase is not exported.
type lowercase struct {
	ID        string    `json:"id"`
	String    string    `json:"string" cosmos:"pk,concat"`
	Error     string    `json:"error" cosmos:"pk,concat"`
	Append    time.Time `json:"append" cosmos:"pk,concat,format=200601"`
	Length    int       `json:"len"`
	Documents int       `json:"documents"`
}

// Shadow has a field where a method would be.
type Shadow struct {
	_            struct{} `cosmos:"methods=none,path=/PartitionKey,container=Shadows_2"`
	ID           string   `json:"ID2"`
	Key          string   `json:"id" cosmos:"id"`
	Validate     string   `json:"validate" cosmos:"pk,concat"`
	PartitionKey string   `cosmos:"synthetic"`
	Suffix       int      `json:"suffix" cosmos:"pk,concat"`
}

// Key is itself a key.
type Key struct {
	ID    string `json:"id" cosmos:"id,pk"`
	Value int    `json:"value"`
}
