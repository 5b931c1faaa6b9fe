package failure_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// TestSentinels compares the sentinels with those of the NoSQL API: one value each, so that
// a program may match an error without knowing the API.
func TestSentinels(t *testing.T) {
	pairs := [][2]error{
		{failure.ErrNotFound, repository.ErrNotFound},
		{failure.ErrAlreadyExists, repository.ErrAlreadyExists},
		{failure.ErrPreconditionFailed, repository.ErrPreconditionFailed},
		{failure.ErrThrottled, repository.ErrThrottled},
		{failure.ErrTooLarge, repository.ErrTooLarge},
		{failure.ErrUnclear, repository.ErrUnclear},
		{failure.ErrNoContainer, repository.ErrNoContainer},
		{failure.ErrAmbiguous, repository.ErrAmbiguous},
		{failure.ErrKeyChanged, repository.ErrKeyChanged},
		{failure.ErrCursor, repository.ErrCursor},
		{failure.ErrDraft, repository.ErrDraft},
		{failure.ErrRolledBack, repository.ErrRolledBack},
	}
	for i, pair := range pairs {
		if pair[0] != pair[1] {
			t.Errorf("%q and %q are two errors", pair[0], pair[1])
		}
		for _, other := range pairs[i+1:] {
			if errors.Is(pair[0], other[0]) {
				t.Errorf("%q matches %q", pair[0], other[0])
			}
		}
	}
}

// TestAnswerOf makes an answer of any other error: only the end of a context leaves
// open whether the request took effect.
func TestAnswerOf(t *testing.T) {
	for err, unanswered := range map[error]bool{
		context.Canceled: true, context.DeadlineExceeded: true, errors.ErrUnsupported: false,
	} {
		a := failure.AnswerOf(fmt.Errorf("query: %w", err))
		if a.Unanswered != unanswered || a.Unsent || a.Kind != nil || !errors.Is(a, err) {
			t.Errorf("%v: %+v", err, a)
		}
	}
	if got := (&failure.Answer{Code: "412"}).Error(); got != "412" {
		t.Errorf("an answer without an error says %q", got)
	}
}

// TestDraft matches ErrDraft, by a text of its own and as the reason of an error.
func TestDraft(t *testing.T) {
	draft := &failure.DraftError{Host: "a.documents.azure.com", Command: "go tool pkgen seal -type Order ./..."}
	if err := fmt.Errorf("orders: %w", draft); !errors.Is(err, failure.ErrDraft) || errors.Is(err, failure.ErrNotFound) {
		t.Errorf("%v matches something else", err)
	}
	const rest = "a.documents.azure.com is not this machine, where documents can be thrown away: if it is what you want, for ever, run go tool pkgen seal -type Order ./..."
	if got, want := draft.Error(), "the layout is a draft, which may still change, and "+rest; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := draft.Reason(), "it may still change, and "+rest; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
