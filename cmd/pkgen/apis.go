package main

import (
	"fmt"
	"slices"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/generator"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// places are what the APIs call their containers.
var places = map[templates.API]string{
	templates.NoSQL: "container", templates.Table: "table", templates.Mongo: "collection", templates.Gremlin: "graph",
}

// apiNames are the APIs as tags name them.
var apiNames = map[templates.API]string{
	templates.Table: string(annotations.Table), templates.Mongo: string(annotations.Mongo), templates.Gremlin: string(annotations.Gremlin),
}

// A speaker is a command that speaks the REST protocol of the NoSQL API, which accounts
// of other APIs do not.
type speaker struct {
	command string
	instead string // what to do for a type of another API
}

// Commands that read or write accounts.
var (
	verifySpeaks  = speaker{"verify", "read its documents by the generated repository, and compare the PartitionKey of each with the one that it is stored under"}
	migrateSpeaks = speaker{"migrate", "copy its documents by a program that reads the repository of one type and writes that of another"}
	movingSpeaks  = speaker{"move-tenant", "copy the documents of a tenant by a program that reads one repository and writes the other"}
	upgradeSpeaks = speaker{"upgrade", "copy the property in the stored documents by a program"}
	analyzeSpeaks = speaker{"analyze -container", "write its documents as lines of JSON into a file, and name that by -in"}
)

// refuse returns the error for a type of another API.
func (s speaker) refuse(e lock.Entry) error {
	return fmt.Errorf("type %s is stored by the %s API, and pkgen %s speaks the NoSQL API alone: %s", e.Type, annotations.API(e.API), s.command, s.instead)
}

// ours returns the entries of the NoSQL API. It refuses if somebody names others, by
// their types or their container, or if there are only others.
func (s speaker) ours(all lock.Lock, types []string, container string) (lock.Lock, error) {
	var out lock.Lock
	var other *lock.Entry
	for i, e := range all {
		switch {
		case e.API == "":
			out = append(out, e)
		case slices.Contains(types, e.Type):
			return nil, s.refuse(e)
		case other == nil || container != "" && e.Container == container:
			other = &all[i]
		}
	}
	named := func(e lock.Entry) bool { return e.Container == container }
	if other != nil && (len(out) == 0 || container != "" && named(*other) && !slices.ContainsFunc(out, named)) {
		return nil, s.refuse(*other)
	}
	return out, nil
}

// withKey returns an error for a type that has no key of its own.
func withKey(t generator.TypeInfo) error {
	if e := t.Model.Edge; e != nil {
		return fmt.Errorf("type %s is an edge, which has no partition key of its own, and is stored with the vertex that it leads from: name that type, %s", t.Model.Name, e.From)
	}
	return nil
}

// ofLanguage returns an error for a language in which no document of the API of a type
// can be asked for.
func ofLanguage(t generator.TypeInfo, lang string) error {
	if name := apiNames[t.Model.API]; lang == "sql" && name != "" {
		return fmt.Errorf("type %s is stored by the %s API, and SQL is the query language of the NoSQL API: use another language", t.Model.Name, annotations.API(name))
	}
	return nil
}
