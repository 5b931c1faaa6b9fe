package failure

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// RewordedError is an error of encoding/json, of a property's type, or of the service, in words
// of our own: no text of an error holds a value of a document. errors.As still finds the
// original error.
type RewordedError struct {
	Says string
	Err  error // nil if it has no cause
}

func (f *RewordedError) Error() string { return f.Says }

// Unwrap returns the error itself.
func (f *RewordedError) Unwrap() error { return f.Err }

// Reworded returns err, which may be nil, as an error with a text that tells no value.
func Reworded(says string, err error) error { return &RewordedError{says, err} }

// Discreet returns err in words that tell no value; nil is nil.
func Discreet(err error) error {
	if err == nil {
		return nil
	}
	says := DiscreetText(err)
	if says == err.Error() {
		return err
	}
	return &RewordedError{says, err}
}

// DiscreetText returns the text of an error without values. The text of an error
// contains those of the errors that it wraps: DiscreetText replaces them by texts without
// values.
func DiscreetText(err error) string {
	if text, ok := LeafText(err); ok {
		return text
	}
	text := err.Error()
	switch wrapper := err.(type) { //nolint:errorlint // each error is looked at by itself
	case interface{ Unwrap() error }:
		text = replaceText(text, wrapper.Unwrap())
	case interface{ Unwrap() []error }:
		for _, inner := range wrapper.Unwrap() {
			text = replaceText(text, inner)
		}
	}
	return withoutPaths.ReplaceAllString(text, "$1")
}

func replaceText(text string, inner error) string {
	if inner == nil {
		return text
	}
	return strings.ReplaceAll(text, inner.Error(), DiscreetText(inner))
}

// withoutPaths finds URLs, of which paths hold the ids of documents.
var withoutPaths = regexp.MustCompile(`(https?://[^\s"/]+)/[^\s"]*`)

// LeafText is DiscreetText of errors whose texts hold values.
func LeafText(err error) (string, bool) {
	for _, word := range wordings {
		if text, ok := word(err); ok {
			return text, true
		}
	}
	switch err := err.(type) { //nolint:errorlint // each error is looked at by itself
	case *json.UnmarshalTypeError:
		kind, _, _ := strings.Cut(err.Value, " ") // the number comes after it
		text := fmt.Sprintf("a JSON %s does not fit the Go type %v", kind, err.Type)
		if err.Field != "" {
			text = "property " + err.Field + ": " + text
		}
		return text, true
	case *json.SyntaxError:
		return "it is not JSON at byte " + strconv.FormatInt(err.Offset, 10), true
	case *json.MarshalerError:
		text := strings.TrimSuffix(err.Error(), ": "+err.Err.Error())
		var own *RewordedError
		if errors.As(err.Err, &own) {
			text += ": " + own.Says
		}
		return text, true
	case *RewordedError:
		return err.Says, true
	case *time.ParseError:
		return fmt.Sprintf("a time is not of the layout %q", err.Layout), true
	case *strconv.NumError:
		return "a number is not one: " + err.Err.Error(), true
	}
	return "", false
}

// wordings are LeafText of errors that this package does not know.
var wordings []func(error) (string, bool)

// Word makes f tell the texts of errors of an SDK. An init function calls it, so that programs
// without that SDK do not link it.
func Word(f func(error) (string, bool)) { wordings = append(wordings, f) }
