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
	Found   = 1 // the command found something, or left something undone
	Failed  = 2
	Refused = 3 // the key of stored documents would change, or a property of theirs be lost
)

// Fail reports an error that has no position. To a reader of standard output who
// has seen enough, there is nothing to report.
func Fail(stderr io.Writer, err error) int {
	if !errors.Is(err, syscall.EPIPE) {
		fmt.Fprintln(stderr, "pkgen:", Message(err))
	}
	return Failed
}

// Message is what an error says to people.
func Message(err error) string {
	if errors.Is(err, context.Canceled) {
		return "interrupted; nothing was written"
	}
	return plain.Text(strings.TrimSpace(err.Error()))
}
