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

// attemptProperty is the property of the document of an idempotency token that tells which
// transaction has created it.
const attemptProperty = "_pkgenAttempt"

// Witnessed returns i, the first operation of the transaction, which creates the document of
// its idempotency token, with a random text in that document: no other transaction has it, so
// that the document tells whether this one took effect, whatever its operations are.
func (tx *Transaction) Witnessed(i Operation) (Operation, error) {
	if text.Member(i.Body, attemptProperty) != nil {
		return i, fmt.Errorf("the property %s of a token is that of the run time: rename it", attemptProperty)
	}
	tx.token = rand.Text()
	var err error
	i.Body, err = text.SetProperty(i.Body, []string{attemptProperty}, []byte(strconv.Quote(tx.token)))
	return i, err
}

// told is shown for a transaction with a token: one read after a lost answer, or after the
// refusal of the token.
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
		c.unclear = false // the token is that of another transaction, and keeps this one from taking effect
		return nil, false
	}
	return c.resultsWith(ctx, 0, answer.ETag), true
}
