package write

import (
	"encoding/json"
	"reflect"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// SystemProperties are what the service adds to a document or replaces in it.
var SystemProperties = []string{"_rid", "_self", "_etag", "_attachments", "_ts"}

// sameDocument reports whether two documents are equal but for the properties
// of the system and others.
func sameDocument(a, b []byte, others ...string) bool {
	var left, right map[string]any
	if json.Unmarshal(a, &left) != nil || json.Unmarshal(b, &right) != nil {
		return false
	}
	for _, names := range [][]string{SystemProperties, others} {
		for _, name := range names {
			delete(left, name)
			delete(right, name)
		}
	}
	return reflect.DeepEqual(left, right)
}

// SamePlace reports whether two places are one to Cosmos DB.
func SamePlace(a, b wire.Place) bool { return a.ID == b.ID && a.Name == b.Name }
