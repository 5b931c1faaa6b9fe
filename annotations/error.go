package annotations

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Error is one problem in a tag, a format or a template. Offset and End are the
// bounds, in bytes, of the text that is wrong, counted in the string that was
// parsed: 0 <= Offset <= End <= len. Offset equals End where something is
// missing. Message is in lower case and says what to write instead. Instead is the
// word that the text was meant to be, or "" where that is not known.
type Error struct {
	Offset, End int
	Message     string
	Instead     string
}

// Error returns the message alone: the position is for the caller, who knows
// the file, to put in front of it.
func (e *Error) Error() string { return e.Message }

// span is a piece of the parsed string, and where it begins there.
type span struct {
	text   string
	offset int
}

// slice returns the part of the span from byte i to byte j of its text.
func (s span) slice(i, j int) span { return span{s.text[i:j], s.offset + i} }

// pieces returns the texts between separators, empty ones too.
func (s span) pieces(separator string) iter.Seq[span] {
	return func(yield func(span) bool) {
		at := 0
		for text := range strings.SplitSeq(s.text, separator) {
			if !yield(s.slice(at, at+len(text))) {
				return
			}
			at += len(text) + len(separator)
		}
	}
}

// errorf returns an error that covers the span.
func (s span) errorf(format string, args ...any) *Error {
	return &Error{Offset: s.offset, End: s.offset + len(s.text), Message: fmt.Sprintf(format, args...)}
}

// misspelt reports the span as a misspelling of a word. What says of what kind
// it is.
func (s span) misspelt(what, word string) *Error {
	err := s.errorf("unknown %s %q: did you mean %q?", what, s.text, word)
	err.Instead = word
	return err
}

// byOffset sorts errors by where they begin, those of one place in the order
// in which they were found.
func byOffset(errs []*Error) {
	slices.SortStableFunc(errs, func(a, b *Error) int { return a.Offset - b.Offset })
}
