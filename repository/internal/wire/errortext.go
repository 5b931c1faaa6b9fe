package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
)

// foreign is an error of encoding/json, of a property's type, or of the service, in words
// of our own: no text of an error holds a value of a document. errors.As still finds the
// original error.
type foreign struct {
	says string
	err  error // nil if it has no cause
}

func (f *foreign) Error() string { return f.says }

// Unwrap returns the error itself.
func (f *foreign) Unwrap() error { return f.err }

// Reworded returns err, which may be nil, as an error with a text that tells no value.
func Reworded(says string, err error) error { return &foreign{says, err} }

// Discreet returns err in words that tell no value; nil is nil.
func Discreet(err error) error {
	if err == nil {
		return nil
	}
	says := DiscreetText(err)
	if says == err.Error() {
		return err
	}
	return &foreign{says, err}
}

// DiscreetText returns the text of an error without values. The text of an error
// contains those of the errors that it wraps: DiscreetText replaces them by texts without
// values.
func DiscreetText(err error) string {
	if text, ok := leafText(err); ok {
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

// leafText is DiscreetText of errors whose texts hold values.
func leafText(err error) (string, bool) {
	switch err := err.(type) { //nolint:errorlint // each error is looked at by itself
	case *azcore.ResponseError:
		return responseText(err), true
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
		var own *foreign
		if errors.As(err.Err, &own) {
			text += ": " + own.says
		}
		return text, true
	case *foreign:
		return err.says, true
	case *time.ParseError:
		return fmt.Sprintf("a time is not of the layout %q", err.Layout), true
	case *strconv.NumError:
		return "a number is not one: " + err.Err.Error(), true
	}
	return "", false
}

// responseText says what the service has answered. Its own message may hold parts
// of the document or the query.
func responseText(response *azcore.ResponseError) string {
	text := "status " + strconv.Itoa(response.StatusCode)
	if n := Substatus(response); n != 0 {
		text += "/" + strconv.Itoa(n)
	}
	if name := http.StatusText(response.StatusCode); name != "" {
		text += ": " + name
	}
	if response.RawResponse != nil {
		if id := response.RawResponse.Header.Get("X-Ms-Activity-Id"); activityID.MatchString(id) {
			text += ", activity " + id
		}
	}
	return text + "; the service's own message, which may hold values, is in the *azcore.ResponseError"
}

var activityID = regexp.MustCompile(`^[0-9a-fA-F-]{1,64}$`)

// Undecoded says why unmarshal has not made v, a pointer to a zero value, of raw. Of
// what types of properties say, which may be anything, it names the property.
func Undecoded(unmarshal func([]byte, any) error, raw []byte, fresh func() any, err error) error {
	text, known := "", false
	for inner := err; inner != nil && !known; inner = errors.Unwrap(inner) {
		text, known = leafText(inner)
	}
	if !known {
		text = fmt.Sprintf("a type of it refuses what is stored with a %T, which errors.As finds", err)
	}
	if name := misfit(unmarshal, raw, fresh); name != "" && !strings.HasPrefix(text, "property ") {
		text = "property " + name + ": " + text
	}
	return &foreign{text, err}
}

// misfit returns the name of the first property that does not decode by itself,
// empty if all do.
func misfit(unmarshal func([]byte, any) error, raw []byte, fresh func() any) string {
	var properties map[string]json.RawMessage
	if json.Unmarshal(raw, &properties) != nil {
		return ""
	}
	first := ""
	for name, value := range properties {
		one, err := json.Marshal(map[string]json.RawMessage{name: value})
		if err == nil && unmarshal(one, fresh()) != nil && (first == "" || name < first) {
			first = name
		}
	}
	return first
}
