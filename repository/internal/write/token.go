package write

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// attemptProperty is the property of a token's document that identifies the transaction
// which created it.
const attemptProperty = "_pkgenAttempt"

// Witnessed adds a random text to the body of i, the operation that creates the document of
// the idempotency token and is the first of the transaction. No other transaction has this
// text, so the stored document shows whether this transaction took effect.
func (tx *Transaction) Witnessed(i Operation) (Operation, error) {
	if text.Member(i.Body, attemptProperty) != nil {
		return i, fmt.Errorf("the property %s of a token is that of the run time: rename it", attemptProperty)
	}
	tx.token = rand.Text()
	var err error
	i.Body, err = text.SetProperty(i.Body, []string{attemptProperty}, []byte(strconv.Quote(tx.token)))
	return i, err
}

// told is shown for a transaction with a token. After a lost answer or a refused token it
// costs one read, and one for each ETag that is wanted.
func (c *commit) told(ctx context.Context, failed *CommitError) ([]wire.Result, bool) {
	refused := failed.Operation == 0 && errors.Is(failed.OperationError, wire.ErrAlreadyExists)
	if !c.unclear && !refused {
		return nil, false
	}
	first := &c.Operations[0]
	answer, err := first.writer.ReadStored(ctx, OpCommit, first.place)
	switch {
	case err != nil:
		c.unread = !errors.Is(err, wire.ErrNotFound)
		c.unclear = c.unclear || refused
		return nil, false
	case string(text.Member(answer.Value, attemptProperty)) != strconv.Quote(c.token):
		c.unclear = false // another transaction has the token, so this one can never take effect
		return nil, false
	}
	return c.resultsWith(ctx, 0, answer.ETag), true
}
