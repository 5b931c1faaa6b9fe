package documents

import (
	"math/rand/v2"
	"strconv"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// chooseSuffix gives doc a random suffix, if its type has one: unless it remembers one that
// was chosen for the same id and the same text before the suffix, so that another attempt
// writes the same document. It keeps the suffix in doc before anything is sent.
func (c *Collection[T, K]) chooseSuffix(doc *T) error {
	r := c.Model.Random
	if r == nil {
		return nil
	}
	key := c.Model.Key(doc)
	field := c.stored(doc)
	if field == nil {
		return c.failed(opCreate, Place{ID: c.ID(key)}, errNoSuffix)
	}
	suffix := r.Suffix(&key)
	if *suffix == 0 || *field != c.Model.Text(key) || isReused(doc, c.ID(key), *field) {
		*suffix = 1 + rand.IntN(r.Buckets)
	}
	if err := key.Validate(); err != nil {
		return err // and doc stays as it is
	}
	if text := c.Model.Text(key); *field != text {
		*field = text
	}
	noteUse(doc, use{c.ID(key), *field})
	return nil
}

var errNoSuffix = failure.Says("a nil pointer leads to the synthetic field, which must remember the random suffix: set the pointer first")

// stored returns the field of doc that remembers its key, or nil.
func (c *Collection[T, K]) stored(doc *T) *string {
	if c.Model.Stored == nil {
		return nil
	}
	return c.Model.Stored(doc)
}

func quoted(s string) string { return strconv.Quote(s) }
