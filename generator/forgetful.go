package generator

import (
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/annotations"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// forgetful notes that no field of m remembers the key that is made, where one
// could: whoever changes a field of the key and stores the document again gets a
// second one.
func (d *document) forgetful(m *templates.Type) {
	path, made := "", 0
	for _, level := range m.KeyLevels() {
		if level.Made {
			path = level.Path
			made++
		}
	}
	if m.Stored != nil || d.plain || made != 1 {
		return
	}
	field := fmt.Sprintf("Stored string `json:%q cosmos:\"synthetic\"`", path[1:])
	if names := strings.Split(path[1:], "/"); len(names) > 1 {
		field = "a string field with the property " + strings.Join(names, ".") + " and the tag `cosmos:\"synthetic\"`"
	}
	d.note(annotations.NoteSynthetic, d.keyPosition(), fmt.Sprintf(
		"no field of type %s remembers the key that a document is stored under: after a field of the key has changed, Upsert stores a second document, and Replace finds none; with %s both return repository.ErrKeyChanged", d.name(), field))
}
