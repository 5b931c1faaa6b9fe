package generator

import (
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// noteUnremembered notes that no field remembers the key that is made, where one
// could: whoever changes a field of the key and stores the document again gets a
// second one.
func (k *key) noteUnremembered(stored *templates.Field) {
	path, made := "", 0
	for _, level := range k.levels {
		if level.Made {
			path = level.Path
			made++
		}
	}
	if stored != nil || k.plain || made != 1 {
		return
	}
	field := fmt.Sprintf("Stored string `json:%q cosmos:\"synthetic\"`", path[1:])
	if names := strings.Split(path[1:], "/"); len(names) > 1 {
		field = "a string field with the property " + strings.Join(names, ".") + " and the tag `cosmos:\"synthetic\"`"
	}
	k.note(annotations.NoteSynthetic, k.keyPosition(), fmt.Sprintf(
		"no field of type %s remembers the key that a document is stored under: after a field of the key has changed, Upsert stores a second document, and Replace finds none; with %s both return repository.ErrKeyChanged", k.name(), field))
}
