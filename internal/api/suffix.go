package api

import (
	"strconv"

	"github.com/cosmos-pkgen/pkgen/internal/chance"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// ChooseSuffix gives doc a random suffix, if its type has one: unless it remembers one that
// was chosen for the same id and the same text before the suffix, so that another attempt
// writes the same document. It keeps the suffix in doc before anything is sent.
//
// In a transaction, in is its logical partition, "" if it has none yet. The suffix that is
// chosen is the one which leads there. An error says that there is none, and leaves doc as
// it is.
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
		return err // and doc stays as it is
	}
	if text := c.Model.Text(key); *field != text {
		*field = text
	}
	noteUse(doc, use{c.ID(key), *field})
	return nil
}

// leadTo gives key the suffix with which it is that of a logical partition, and reports
// whether there is one. A key that is not valid stays as it is.
func (c *Container[T, K]) leadTo(in string, key *K) bool {
	if (*key).Validate() != nil {
		return true // the caller says what is wrong
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
