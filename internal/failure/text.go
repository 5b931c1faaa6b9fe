package failure

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
)

// Says is an error whose text is pkgen's own, without values of documents.
type Says string //nolint:errname // it reads as what it is: failure.Says("…")

func (s Says) Error() string { return string(s) }

// ErrNoSequence is returned by a bulk operation on a nil sequence.
const ErrNoSequence = Says("the sequence is nil: pass a sequence, such as documents.Items of a slice")

// Trusted marks err as an error whose text contains no value of a document and may be shown.
func Trusted(err error) error {
	if err == nil {
		return nil
	}
	return &trusted{err}
}

type trusted struct{ err error }

func (t *trusted) Error() string { return t.err.Error() }

// Unwrap returns the marked error.
func (t *trusted) Unwrap() error { return t.err }

// Text returns the parts of an error's text that certainly contain no value of a document: texts of
// pkgen, of the network, and of contexts. For any other error it returns the type, because drivers
// quote documents, addresses with keys, and queries.
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

// IsGuarded reports whether to show Text instead of err's own text: err is from the driver of an
// API, or is marked by pkgen. Texts of other errors are pkgen's own, or are reworded by
// [DiscreetText].
func IsGuarded(err error) bool {
	var (
		shown  *trusted
		answer *Answer
	)
	return errors.As(err, &answer) || errors.As(err, &shown)
}
