package write

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// Computed are the names of properties that the service computes. No write stores them.
type Computed []string

// Without returns the document without these properties. If it has none of them, it returns
// body and does not allocate.
func (c Computed) Without(body []byte) []byte {
	if slices.ContainsFunc(c, func(name string) bool { return text.Member(body, name) != nil }) {
		return text.Without(body, c)
	}
	return body
}

// checkOperation returns an error if a patch would store one of the properties.
func (c Computed) checkOperation(o PatchOperation) error {
	for _, name := range c {
		if at := jsonpointer.Of(name); o.Path == at || strings.HasPrefix(o.Path, at+"/") {
			return fmt.Errorf("the service computes the property %s, and no document stores it: change what it is computed from", name)
		}
	}
	return nil
}

// checkCondition returns an error if the condition of a patch reads one of the properties:
// Microsoft documents them for queries only.
func (c Computed) checkCondition(sql string) error {
	for _, name := range c {
		if strings.Contains(sql, text.Column(name)) {
			return fmt.Errorf("the condition of a patch cannot read the property %s, which the service computes in queries: compare what it is computed from", name)
		}
	}
	return nil
}
