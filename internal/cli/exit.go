package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"

	"github.com/cosmos-pkgen/pkgen/internal/plain"
)

// Exit codes; scripts depend on them.
const (
	Done    = 0
	Found   = 1 // the command reported findings, or left work undone
	Failed  = 2
	Refused = 3 // the key of stored documents would change, or one of their properties be lost
)

// Fail prints an error without a position and returns its exit code. It is silent if the reader of
// standard output has closed the pipe.
func Fail(stderr io.Writer, err error) int {
	if !errors.Is(err, syscall.EPIPE) {
		fmt.Fprintln(stderr, "pkgen:", Message(err))
	}
	return Failed
}

// Message returns the text of an error for people.
func Message(err error) string {
	if errors.Is(err, context.Canceled) {
		return "interrupted; nothing was written"
	}
	return plain.Text(strings.TrimSpace(err.Error()))
}
