package documents

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/api"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// secret is a value of a document, which a text must not show.
const secret = "4111-1111"

// sdkError is an error as SDKs make them: it quotes the document.
type sdkError struct{}

func (sdkError) Error() string { return "duplicate key {card: " + secret + "}" }

// TestText has what an error prints: the document's id and key, and no other value of it.
func TestText(t *testing.T) {
	of := func(err error) *Error {
		return NewError("create", "Order", api.Place{Partition: "acme", ID: "o1"}, err)
	}
	answer := &failure.Answer{Err: sdkError{}}
	network := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	tests := []struct {
		name string
		err  *Error
		want string
	}{
		{"a sentinel", &Error{Op: "get", Type: "Order", ID: "o1", Kind: failure.ErrNotFound, Err: answer}, `get Order "o1": document not found`},
		{"a sentinel with a code", &Error{Op: "create", Type: "Order", Kind: failure.ErrAlreadyExists, Code: "11000", Err: answer}, "create Order: document already exists (11000)"},
		{"a sentinel and words", &Error{Op: "use", Type: "Order", Kind: failure.ErrDraft, Err: fmt.Errorf("%w", failure.Says("seal it"))}, "use Order: the layout is a draft: seal it"},
		{"a code", &Error{Op: "query", Type: "Order", Code: "2", Err: answer}, "query Order: the service refuses it (2)"},
		{"a note", &Error{Op: "query", Type: "Order", Code: "2", Note: "which is an index"}, "query Order: the service refuses it (2), which is an index"},
		{"an unclear write", &Error{Op: "delete", Type: "Order", Code: "50", Unclear: true}, "delete Order: the service refuses it (50), and it is not known whether it took effect"},
		{"nothing", &Error{Op: "query", Type: "Order"}, "query Order: failed"},
		{"a driver's error", of(sdkError{}), `create Order "o1" in partition "acme": the driver returned a documents.sdkError, which errors.As finds and whose text may hold values`},
		{"a driver's error in an answer", of(answer), `create Order "o1" in partition "acme": the driver returned a documents.sdkError, which errors.As finds and whose text may hold values`},
		{"a wrapped error", of(fmt.Errorf("%w: %s", sdkError{}, secret)), `create Order "o1" in partition "acme": the driver returned a *fmt.wrapError, which errors.As finds and whose text may hold values`},
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
	answer := &failure.Answer{Kind: failure.ErrThrottled, Code: "16500", Err: sdkError{}}
	err := fmt.Errorf("orders: %w", &Error{Kind: failure.ErrThrottled, Err: answer, Unclear: true})
	for _, want := range []error{failure.ErrThrottled, failure.ErrUnclear, sdkError{}} {
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

// TestRolledBack is the error of an item that is not stored because of another.
func TestRolledBack(t *testing.T) {
	refusal := &Error{Op: "create", Type: "Order", ID: "o2", PartitionKey: `"acme"`, Kind: failure.ErrAlreadyExists, Status: 409}
	because := NewTransactionError(1, 3, refusal)
	err := fmt.Errorf("orders: %w", NewRolledBackError("create", "Order", "o1", `"acme"`, because))
	var (
		named *TransactionError
		own   *Error
	)
	if !errors.As(err, &named) || named != because || !errors.As(err, &own) || own.ID != "o1" {
		t.Errorf("it names %+v and %+v", named, own)
	}
	if !errors.Is(err, ErrRolledBack) || errors.Is(err, ErrAlreadyExists) || errors.Is(err, ErrUnclear) {
		t.Errorf("%v matches something else", err)
	}
	const want = `orders: create Order "o1" in partition "acme": not stored, since another item of its transaction was refused: create of Order "o2" (operation 2 of 3): document already exists (status 409)`
	if err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	refusal.Unclear = true
	err = NewRolledBackError("create", "Order", "o1", `"acme"`, because)
	if errors.Is(err, ErrRolledBack) || !errors.Is(err, ErrUnclear) {
		t.Errorf("%v is not unclear", err)
	}
	const unclear = `create Order "o1" in partition "acme": create of Order "o2" (operation 2 of 3): document already exists (status 409), and it is not known whether it took effect`
	if err.Error() != unclear {
		t.Errorf("%v\nwant %s", err, unclear)
	}
}
