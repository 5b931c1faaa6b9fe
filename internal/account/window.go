package account

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/partition"
)

// Window is an interval of effective partition keys: from Min, inclusive, to Max, exclusive.
type Window struct{ Min, Max string }

// The bounds of all effective partition keys.
const (
	lowest  = ""
	highest = "FF"
)

// All is the window of all effective partition keys.
func All() Window { return Window{lowest, highest} }

// Windows divides all effective partition keys of version 2 into n equal windows, n
// from 1 to 4,096.
func Windows(n int) []Window {
	all := make([]Window, n)
	bound := func(i int) string {
		switch i {
		case 0:
			return lowest
		case n:
			return highest
		}
		return fmt.Sprintf("%08X", uint64(i)*0x40000000/uint64(n)) // the top two bits of a key are zero
	}
	for i := range all {
		all[i] = Window{bound(i), bound(i + 1)}
	}
	return all
}

// intersect returns the intersection of two windows, and false if it is empty.
func (w Window) intersect(other Window) (Window, bool) {
	both := Window{slices.MaxFunc([]string{w.Min, other.Min}, partition.CompareEPK), slices.MinFunc([]string{w.Max, other.Max}, partition.CompareEPK)}
	return both, partition.CompareEPK(both.Min, both.Max) < 0
}

// epk returns the effective partition key of a document in a container of version 2, and false if
// it is unknown.
func (c *Container) epk(document json.RawMessage) (string, bool) {
	if c.PartitionKey.Version != Version {
		return "", false
	}
	values := make([]any, len(c.PartitionKey.Paths))
	for i, path := range c.PartitionKey.Paths {
		if strings.Contains(path, `"`) {
			return "", false // a quoted name, which may contain slashes
		}
		values[i] = valueAt(document, strings.Split(strings.TrimPrefix(path, "/"), "/"))
	}
	epk, err := partition.EPK(values...)
	return epk, err == nil
}

// valueAt returns the value of a property in the form that [partition.EPK] takes.
func valueAt(document json.RawMessage, names []string) any {
	for _, name := range names {
		var object map[string]json.RawMessage
		if json.Unmarshal(document, &object) != nil || object[name] == nil {
			return partition.Undefined{}
		}
		document = object[name]
	}
	var value any
	_ = json.Unmarshal(document, &value) // part of a valid document
	return value
}

// holds reports whether a document is in a window. It returns true if that is unknown.
func (w Window) holds(c *Container, document json.RawMessage) bool {
	epk, known := c.epk(document)
	return !known || partition.CompareEPK(w.Min, epk) <= 0 && partition.CompareEPK(epk, w.Max) < 0
}
