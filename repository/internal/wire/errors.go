package wire

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
)

// Noted adds a note to an operation's error, after the reason, and a second cause, which may
// be nil.
func Noted(err error, note string, cause error) error {
	var own *documents.Error
	if errors.As(err, &own) {
		own.Note = note
		if cause != nil {
			own.Err = errors.Join(own.Err, cause)
		}
	}
	return err
}

// Substatus values from "HTTP status codes for Azure Cosmos DB" and the SDKs' SubStatusCodes:
// for a 400, and for a 404 that does not mean a missing document.
const (
	substatusKeyMismatch             = 1001
	substatusReadSessionNotAvailable = 1002
	substatusOwnerNotFound           = 1003
)

const noContainer = "the container or its database does not exist"

// NewError returns the failure of an operation whose request returned err, with the status of
// the answer and its meaning.
func NewError(op, typ, id, key string, err error) *documents.Error {
	f := &documents.Error{Op: op, Type: typ, ID: id, PartitionKey: key, Err: err}
	var response *azcore.ResponseError
	if errors.As(err, &response) {
		f.Status = response.StatusCode
		f.Substatus = Substatus(response)
		f.Kind = kindOf(f.Status, f.Substatus)
		f.Reason = hint(f, response)
	}
	return f
}

// hint returns a remedy for an answer whose own text has none, or "" for other answers.
func hint(f *documents.Error, response *azcore.ResponseError) string {
	status := fmt.Sprintf("status %d", f.Status)
	if f.Substatus != 0 {
		status += fmt.Sprintf("/%d", f.Substatus)
	}
	switch {
	case f.Status == http.StatusNotFound && f.Substatus == substatusOwnerNotFound:
		return noContainer + " (" + status + ")"
	case f.Status == http.StatusBadRequest && f.Substatus == substatusKeyMismatch:
		return "the container finds another partition key in the document: Ensure says what is wrong with the container (" + status + ")"
	case f.Op == OpPatch && f.Status == http.StatusBadRequest:
		return "the service refuses the patch, as it does where a value that is to be removed, replaced or appended to is absent or null: set it as a whole, or ask by PatchIf whether it is there: " + responseText(response)
	case f.Status == http.StatusBadRequest && strings.Contains(response.Error(), "corresponding composite index"):
		return "an order by several properties needs a composite index: declare it by orders= in the tag of the type, and have Ensure add it (" + status + ")"
	}
	return ""
}

func init() { //nolint:gochecknoinits // programs without azcore do not link this package
	failure.Word(func(err error) (string, bool) {
		response, ok := err.(*azcore.ResponseError) //nolint:errorlint // each error is looked at by itself
		if !ok {
			return "", false
		}
		return responseText(response), true
	})
}

// NewContainerError is NewError for a request for a container or its documents as a whole:
// status 404 means that there is no container, and does not match ErrNotFound.
func NewContainerError(op, typ, key string, err error) *documents.Error {
	f := NewError(op, typ, "", key, err)
	if errors.Is(f.Kind, ErrNotFound) {
		f.Kind, f.Note = nil, noContainer
	}
	return f
}

// kindOf returns the sentinel of a status, or nil if it has none.
func kindOf(status, substatus int) error {
	switch status {
	case http.StatusNotFound:
		if substatus != substatusOwnerNotFound && substatus != substatusReadSessionNotAvailable {
			return ErrNotFound
		}
	case http.StatusConflict:
		return ErrAlreadyExists
	case http.StatusPreconditionFailed:
		return ErrPreconditionFailed
	case http.StatusTooManyRequests:
		return ErrThrottled
	case http.StatusRequestEntityTooLarge:
		return ErrTooLarge
	}
	return nil
}

const headerSubstatus = "X-Ms-Substatus"

// Substatus returns the substatus of an answer, or 0 if it has none. It reads the header,
// since the ErrorCode of azcosmos is only the text of the status.
func Substatus(response *azcore.ResponseError) int {
	if response.RawResponse == nil {
		return 0
	}
	n, err := strconv.Atoi(response.RawResponse.Header.Get(headerSubstatus))
	if err != nil {
		return 0
	}
	return n
}

// Rejected returns the failure of an operation that made a batch fail with this status.
func Rejected(op, typ, id, key string, status int) *documents.Error {
	f := NewError(op, typ, id, key, &azcore.ResponseError{StatusCode: status, ErrorCode: http.StatusText(status)})
	if f.Kind == nil { // the error of azcore would miss the response
		f.Err = fmt.Errorf("status %d: %s", status, http.StatusText(status))
	}
	return f
}

// StillUnclear marks err as unclear if an earlier write of the operation had an unclear
// outcome.
func StillUnclear(err error, unclear bool) error {
	var own *documents.Error
	if unclear && errors.As(err, &own) {
		own.Unclear = true
	}
	return err
}

// The meanings of the service's answers. Package repository documents the errors of the same
// names.
var (
	ErrNotFound           = failure.ErrNotFound           // status 404
	ErrAlreadyExists      = failure.ErrAlreadyExists      // status 409
	ErrPreconditionFailed = failure.ErrPreconditionFailed // status 412
	ErrThrottled          = failure.ErrThrottled          // status 429
	ErrTooLarge           = failure.ErrTooLarge           // status 413
	ErrUnclear            = failure.ErrUnclear            // whether a write took effect is not known

	ErrNoContainer = failure.ErrNoContainer // status 404/1003, where one may be missing

	ErrOutOfBounds      = failure.ErrOutOfBounds
	ErrOtherType        = errors.New("the document of this id there is of another type")
	ErrAmbiguous        = failure.ErrAmbiguous // several documents, each under another suffix
	ErrKeyChanged       = failure.ErrKeyChanged
	ErrCursor           = failure.ErrCursor
	ErrDeleted          = failure.ErrDeleted
	ErrNotUnique        = failure.ErrNotUnique
	ErrUnfinished       = failure.ErrUnfinished
	ErrAlreadyCommitted = failure.ErrAlreadyCommitted
	ErrTenant           = failure.ErrTenant
	ErrNewerDocument    = failure.ErrNewerDocument
	ErrMoved            = failure.ErrMoved

	ErrSeveralWriteRegions = failure.ErrSeveralWriteRegions
	ErrNotIndexed          = errors.New("a document lacks the property of an index")
)

// responseText describes the service's answer without its own message, which may hold parts of
// the document or the query.
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

// Undecoded explains why unmarshal failed to decode raw into v, a pointer to a zero value. If
// the type of a property returned the error, whose text is arbitrary, it names the property.
func Undecoded(unmarshal func([]byte, any) error, raw []byte, fresh func() any, err error) error {
	text, known := "", false
	for inner := err; inner != nil && !known; inner = errors.Unwrap(inner) {
		text, known = failure.LeafText(inner)
	}
	if !known {
		text = fmt.Sprintf("a type of it refuses what is stored with a %T, which errors.As finds", err)
	}
	if name := misfit(unmarshal, raw, fresh); name != "" && !strings.HasPrefix(text, "property ") {
		text = "property " + name + ": " + text
	}
	return failure.Reworded(text, err)
}

// misfit returns the name of the first property that cannot be decoded separately, or "".
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

// MaxResends is how often a write is sent again after unclear failures. The pauses before are
// at most 128, 256 and 512 ms.
const MaxResends = 3

// UnclearPause is added to the number of an attempt, so that the pause before a write is sent
// again is longer than the pause after a conflict of writers: a failed service needs time.
const UnclearPause = 6

// unclearStatuses are the statuses of a write that may have taken effect.
var unclearStatuses = []int{
	http.StatusRequestTimeout,
	http.StatusInternalServerError,
	http.StatusBadGateway,
	http.StatusServiceUnavailable,
	http.StatusGatewayTimeout,
}

// IsUnclear reports whether a write may have taken effect although its request returned err.
func IsUnclear(err error) bool {
	var response *azcore.ResponseError
	if errors.As(err, &response) {
		return slices.Contains(unclearStatuses, response.StatusCode)
	}
	var (
		connecting *net.OpError
		lookup     *net.DNSError
		untrusted  *tls.CertificateVerificationError
	)
	if errors.As(err, &connecting) && connecting.Op == "dial" || errors.As(err, &lookup) || errors.As(err, &untrusted) {
		return false // nothing was sent
	}
	var connection net.Error
	return errors.As(err, &connection) || // url.Error, the type of every failure of the transport, is a net.Error
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// watching is the policy that observes each attempt of a write. The client's pipeline repeats
// a write after failures that it does not recognize, such as the end of an HTTP/2 connection,
// and in another region after a 503.
type watching struct{}

// WatchedWrite is the context of one write. It records whether an attempt was unclear. Without
// the policies it records nothing.
type WatchedWrite struct {
	context.Context
	lost atomic.Bool
}

// Unclear reports whether an attempt of the write was unclear.
func (w *WatchedWrite) Unclear() bool { return w.lost.Load() }

type watchKey struct{}

// Watch returns the context of one write, and the record of its attempts.
func Watch(ctx context.Context) (context.Context, *WatchedWrite) {
	w := &WatchedWrite{Context: ctx}
	return w, w
}

// Value implements context.Context.
func (w *WatchedWrite) Value(key any) any {
	if key == (watchKey{}) {
		return w
	}
	return w.Context.Value(key)
}

// Do implements policy.Policy.
func (watching) Do(r *policy.Request) (*http.Response, error) {
	response, err := r.Next()
	if watch, ok := r.Raw().Context().Value(watchKey{}).(*WatchedWrite); ok {
		if err != nil && IsUnclear(err) || err == nil && slices.Contains(unclearStatuses, response.StatusCode) {
			watch.lost.Store(true)
		}
	}
	return response, err
}
