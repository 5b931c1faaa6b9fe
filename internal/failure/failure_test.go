package failure_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/repository"
)

// secret is a value of a document, which a text must not show.
const secret = "4111-1111"

// driver is an error as drivers make them: it quotes the document.
type driver struct{}

func (driver) Error() string { return "duplicate key {card: " + secret + "}" }

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

// TestText has what an error prints: the document's id and key, and no other value of it.
func TestText(t *testing.T) {
	of := func(err error) *failure.Error {
		return &failure.Error{Op: "create", Type: "Order", ID: "o1", PartitionKey: "acme", Err: err}
	}
	answer := &failure.Answer{Err: driver{}}
	network := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	tests := []struct {
		name string
		err  *failure.Error
		want string
	}{
		{"a sentinel", &failure.Error{Op: "get", Type: "Order", ID: "o1", Kind: failure.ErrNotFound, Err: driver{}}, `get Order "o1": document not found`},
		{"a sentinel with a code", &failure.Error{Op: "create", Type: "Order", Kind: failure.ErrAlreadyExists, Code: "11000", Err: driver{}}, "create Order: document already exists (11000)"},
		{"a sentinel and words", &failure.Error{Op: "use", Type: "Order", Kind: failure.ErrDraft, Err: fmt.Errorf("%w", failure.Says("seal it"))}, "use Order: the layout is a draft: seal it"},
		{"a code", &failure.Error{Op: "query", Type: "Order", Code: "2", Err: driver{}}, "query Order: the service refuses it (2)"},
		{"a note", &failure.Error{Op: "query", Type: "Order", Code: "2", Note: "which is an index"}, "query Order: the service refuses it (2), which is an index"},
		{"an unclear write", &failure.Error{Op: "delete", Type: "Order", Code: "50", Unclear: true}, "delete Order: the service refuses it (50), and it is not known whether it took effect"},
		{"nothing", &failure.Error{Op: "query", Type: "Order"}, "query Order: failed"},
		{"a driver's error", of(driver{}), `create Order "o1" in partition "acme": the driver returned a failure_test.driver, which errors.As finds and whose text may hold values`},
		{"a driver's error in an answer", of(answer), `create Order "o1" in partition "acme": the driver returned a failure_test.driver, which errors.As finds and whose text may hold values`},
		{"a wrapped error", of(fmt.Errorf("%w: %s", driver{}, secret)), `create Order "o1" in partition "acme": the driver returned a *fmt.wrapError, which errors.As finds and whose text may hold values`},
		{"our own words", of(fmt.Errorf("%s: %w", secret, failure.Says("it has no version"))), `create Order "o1" in partition "acme": it has no version`},
		{"a trusted error", of(fmt.Errorf("%s: %w", secret, failure.Trusted(errors.New("no such field")))), `create Order "o1" in partition "acme": no such field`},
		{"another operation's error", of(of(fmt.Errorf("%s: %w", secret, failure.Says("it is empty")))), `create Order "o1" in partition "acme": it is empty`},
		{"the network", of(fmt.Errorf("%s: %w", secret, network)), `create Order "o1" in partition "acme": dial tcp: connection refused`},
		{"a context", of(fmt.Errorf("%s: %w", secret, context.Canceled)), `create Order "o1" in partition "acme": the context has ended: context canceled`},
		{"a deadline", of(fmt.Errorf("%s: %w", secret, context.DeadlineExceeded)), `create Order "o1" in partition "acme": the context has ended: context deadline exceeded`},
	}
	for _, test := range tests {
		got := test.err.Error()
		if got != test.want {
			t.Errorf("%s: %s\nwant %s", test.name, got, test.want)
		}
		if strings.Contains(got, secret) {
			t.Errorf("%s: it shows a value of the document", test.name)
		}
	}
}

// TestUnwrap finds the sentinel, the cause and the driver's error.
func TestUnwrap(t *testing.T) {
	answer := &failure.Answer{Kind: failure.ErrThrottled, Code: "16500", Err: driver{}}
	err := fmt.Errorf("orders: %w", &failure.Error{Kind: failure.ErrThrottled, Err: answer, Unclear: true})
	for _, want := range []error{failure.ErrThrottled, failure.ErrUnclear, driver{}} {
		if !errors.Is(err, want) {
			t.Errorf("does not match %v", want)
		}
	}
	if errors.Is(err, failure.ErrNotFound) {
		t.Error("matches another sentinel")
	}
	if found := failure.AnswerOf(err); found != answer {
		t.Errorf("another answer: %+v", found)
	}
	if failure.Trusted(nil) != nil {
		t.Error("nil is an error")
	}
}

// TestAnswerOf makes an answer of any other error: only the end of a context leaves
// open whether the request took effect.
func TestAnswerOf(t *testing.T) {
	for err, unanswered := range map[error]bool{
		context.Canceled: true, context.DeadlineExceeded: true, driver{}: false,
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
