package failure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
)

// Says is an error whose text is pkgen's own, and holds no value of a document.
type Says string //nolint:errname // it reads as what it is: failure.Says("…")

func (s Says) Error() string { return string(s) }

// ErrNoSequence is the error of a bulk operation on a nil sequence.
const ErrNoSequence = Says("the sequence is nil: pass a sequence, such as documents.Items of a slice")

// Trusted returns err as an error whose text is shown: it holds no value of a document.
func Trusted(err error) error {
	if err == nil {
		return nil
	}
	return &trusted{err}
}

type trusted struct{ err error }

func (t *trusted) Error() string { return t.err.Error() }

// Unwrap returns the error itself.
func (t *trusted) Unwrap() error { return t.err }

// Text returns the text of an error as far as it certainly holds no value of a document:
// what pkgen says itself, what the network says, and the end of a context. Of any other
// error it names the type. Drivers quote documents, addresses with keys, and queries.
func Text(err error) string {
	var (
		said    Says
		shown   *trusted
		answer  *Answer
		network *net.OpError
		name    *net.DNSError
		number  syscall.Errno
	)
	switch {
	case errors.As(err, &shown):
		return shown.Error()
	case errors.As(err, &said):
		return said.Error()
	case errors.Is(err, context.DeadlineExceeded):
		return "the context has ended: " + context.DeadlineExceeded.Error()
	case errors.Is(err, context.Canceled):
		return "the context has ended: " + context.Canceled.Error()
	case errors.As(err, &network):
		return network.Error()
	case errors.As(err, &name):
		return name.Error()
	case errors.As(err, &number):
		return number.Error()
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "the connection ended before the answer did"
	case errors.As(err, &answer) && answer.Err != nil:
		err = answer.Err
	}
	return fmt.Sprintf("the driver returned a %T, which errors.As finds and whose text may hold values", err)
}

// IsGuarded reports whether Text is to be shown of err: the driver of an API has returned it,
// or pkgen has said what is to be shown. The texts of other errors are pkgen's own, or those
// that [DiscreetText] rewords.
func IsGuarded(err error) bool {
	var (
		shown  *trusted
		answer *Answer
	)
	return errors.As(err, &answer) || errors.As(err, &shown)
}
