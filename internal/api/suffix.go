package api

import (
	"strconv"

	"github.com/cosmos-pkgen/pkgen/internal/chance"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// ChooseSuffix sets a random suffix in doc, if its type has one, before anything is sent. It keeps
// a suffix that was chosen for the same id and base, so that another attempt writes the same
// document.
//
// In a transaction, in is its logical partition, or "" if it has none yet, and the suffix is the
// one that leads there. If there is none, ChooseSuffix returns an error and does not change doc.
func (c *Container[T, K]) ChooseSuffix(doc *T, in string) error {
	r := c.Model.Random
	if r == nil {
		return nil
	}
	key := c.Model.Key(doc)
	field := c.Stored(doc)
	if field == nil {
		return errNoSuffix
	}
	suffix := r.Suffix(&key)
	if *suffix == 0 || *field != c.Model.Text(key) || isReused(doc, c.ID(key), *field) {
		*suffix = 1 + chance.IntN(r.Buckets)
		if in != "" && !c.leadTo(in, &key) {
			return failure.Says("the transaction is in partition " + strconv.Quote(in) + ", and no suffix of this document gives that key")
		}
	}
	if err := key.Validate(); err != nil {
		return err // doc is unchanged
	}
	if text := c.Model.Text(key); *field != text {
		*field = text
	}
	noteUse(doc, use{c.ID(key), *field})
	return nil
}

// leadTo sets the suffix with which key belongs to a logical partition, and reports whether there
// is one. It does not change an invalid key.
func (c *Container[T, K]) leadTo(in string, key *K) bool {
	if (*key).Validate() != nil {
		return true // the caller reports the invalid key
	}
	suffix := c.Model.Random.Suffix(key)
	for n := 1; n <= c.Model.Random.Buckets; n++ {
		if *suffix = n; c.Model.Text(*key) == in {
			return true
		}
	}
	return false
}

var errNoSuffix = failure.Says("a nil pointer leads to the synthetic field, which must remember the random suffix: set the pointer first")
