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

// RewordedError is an error of encoding/json, of a property's type, or of the service, with a text
// that contains no value of a document. errors.As finds the original error.
type RewordedError struct {
	Says string
	Err  error // nil without a cause
}

func (f *RewordedError) Error() string { return f.Says }

// Unwrap returns the original error.
func (f *RewordedError) Unwrap() error { return f.Err }

// Reworded returns an error with the text says that wraps err, which may be nil.
func Reworded(says string, err error) error { return &RewordedError{says, err} }

// Discreet returns err with a text that contains no values; nil stays nil.
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

// DiscreetText returns the text of an error, with the texts of wrapped errors replaced by ones
// without values.
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

// withoutPaths matches URLs, whose paths contain ids of documents.
var withoutPaths = regexp.MustCompile(`(https?://[^\s"/]+)/[^\s"]*`)

// LeafText returns a text without values for an error of a known type that quotes values.
func LeafText(err error) (string, bool) {
	for _, word := range wordings {
		if text, ok := word(err); ok {
			return text, true
		}
	}
	switch err := err.(type) { //nolint:errorlint // each error is looked at by itself
	case *json.UnmarshalTypeError:
		kind, _, _ := strings.Cut(err.Value, " ") // the number follows
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

// wordings are implementations of LeafText for other packages.
var wordings []func(error) (string, bool)

// Word registers a LeafText for the errors of an SDK. It is called from init, so that programs
// without the SDK do not link it.
func Word(f func(error) (string, bool)) { wordings = append(wordings, f) }
