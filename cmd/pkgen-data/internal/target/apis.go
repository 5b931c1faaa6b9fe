package target

import (
	"fmt"
	"slices"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/internal/lock"
)

// A speaker is a command that uses the REST protocol of the NoSQL API, which accounts of other APIs
// do not have.
type speaker struct {
	command string
	instead string // the alternative for a type of another API
}

// Commands that read or write accounts.
var (
	VerifySpeaks  = speaker{"verify", "read its documents by the generated repository, and compare the PartitionKey of each with its stored key"}
	MigrateSpeaks = speaker{"migrate", "copy its documents by a program that reads the repository of one type and writes that of another"}
	MovingSpeaks  = speaker{"move-tenant", "copy the documents of a tenant by a program that reads one repository and writes the other"}
	UpgradeSpeaks = speaker{"upgrade", "copy the property in the stored documents by a program"}
	AnalyzeSpeaks = speaker{"analyze -container", "write its documents as lines of JSON into a file, and name that by -in"}
)

// Refuse returns the error for a type of another API.
func (s speaker) Refuse(e lock.Entry) error {
	return fmt.Errorf("type %s is stored by the %s API, and pkgen-data %s supports only the NoSQL API: %s", e.Type, annotations.API(e.API), s.command, s.instead)
}

// Ours returns the entries of the NoSQL API. It returns an error if types or container select
// others, or if there are only others.
func (s speaker) Ours(all lock.Lock, types []string, container string) (lock.Lock, error) {
	var out lock.Lock
	var other *lock.Entry
	for i, e := range all {
		switch {
		case e.API == "":
			out = append(out, e)
		case slices.Contains(types, e.Type):
			return nil, s.Refuse(e)
		case other == nil || container != "" && e.Container == container:
			other = &all[i]
		}
	}
	named := func(e lock.Entry) bool { return e.Container == container }
	if other != nil && (len(out) == 0 || container != "" && named(*other) && !slices.ContainsFunc(out, named)) {
		return nil, s.Refuse(*other)
	}
	return out, nil
}
