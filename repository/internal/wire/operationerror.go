package wire

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
)

// Noted adds a note to an operation's error, after the reason, and a second cause,
// which may be nil.
func Noted(err error, note string, cause error) error {
	var own *OperationError
	if errors.As(err, &own) {
		own.Note = note
		if cause != nil {
			own.Err = errors.Join(own.Err, cause)
		}
	}
	return err
}

// OperationError is why an operation failed. The face returns it to callers as its *Error,
// which has the same fields.
type OperationError struct {
	Op                string // such as "create" or "query"
	Type              string // of the documents
	ID                string // empty for requests of several documents
	PartitionKey      string // as JSON shows it
	Range             string // the id of the physical partition; empty where a request was not scoped to one
	Status, Substatus int    // of the last answer, 0 if there was none
	Err               error  // the cause
	Kind              error  // the sentinel that it matches, or nil
	Note              string // added to the text
	Unclear           bool   // whether the operation took effect is not known
}

// Error says what failed, for which document, and why. The document is named by its
// id and its partition key; no other value of it is in the text, nor what the
// service says, which may hold some.
func (f *OperationError) Error() string {
	var b strings.Builder
	b.WriteString(f.Op)
	b.WriteString(" ")
	b.WriteString(f.Type)
	if f.ID != "" {
		fmt.Fprintf(&b, " %q", f.ID)
	}
	if f.PartitionKey != "" {
		fmt.Fprintf(&b, " in partition %s", f.PartitionKey)
	}
	if f.Range != "" {
		fmt.Fprintf(&b, " in physical partition %s", f.Range)
	}
	b.WriteString(": ")
	b.WriteString(f.reason())
	if f.Note != "" {
		b.WriteString(", " + f.Note)
	}
	if f.Unclear {
		b.WriteString(", and it is not known whether it took effect")
	}
	return b.String()
}

func (f *OperationError) reason() string {
	var response *azcore.ResponseError
	if !errors.As(f.Err, &response) {
		if f.Kind != nil && !errors.Is(f.Err, f.Kind) {
			return f.Kind.Error() + ": " + DiscreetText(f.Err)
		}
		return DiscreetText(f.Err)
	}
	status := fmt.Sprintf("status %d", f.Status)
	if f.Substatus != 0 {
		status += fmt.Sprintf("/%d", f.Substatus)
	}
	if f.Kind != nil {
		return f.Kind.Error() + " (" + status + ")"
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
	return responseText(response)
}

// Unwrap returns the sentinels that f matches, if any, and its cause.
func (f *OperationError) Unwrap() []error {
	causes := []error{f.Err}
	if f.Kind != nil {
		causes = append(causes, f.Kind)
	}
	if f.Unclear {
		causes = append(causes, ErrUnclear)
	}
	return causes
}

// Substatus values from "HTTP status codes for Azure Cosmos DB" and the SDKs'
// SubStatusCodes: of a 400, and of a 404 that does not mean a missing document.
const (
	substatusKeyMismatch             = 1001
	substatusReadSessionNotAvailable = 1002
	substatusOwnerNotFound           = 1003
)

const noContainer = "the container or its database does not exist"

// NewOperationError returns the failure of an operation for which a request returned err, with
// the status of the answer and what that means.
func NewOperationError(op, typ, id, key string, err error) *OperationError {
	f := &OperationError{Op: op, Type: typ, ID: id, PartitionKey: key, Err: err}
	var response *azcore.ResponseError
	if errors.As(err, &response) {
		f.Status = response.StatusCode
		f.Substatus = Substatus(response)
		f.Kind = kindOf(f.Status, f.Substatus)
	}
	return f
}

// NewContainerError is NewOperationError of a request that asks for a container or its documents,
// and for no single one: status 404 says that there is no container, and does not match
// ErrNotFound.
func NewContainerError(op, typ, key string, err error) *OperationError {
	f := NewOperationError(op, typ, "", key, err)
	if errors.Is(f.Kind, ErrNotFound) {
		f.Kind, f.Note = nil, noContainer
	}
	return f
}

// kindOf returns the sentinel of a status, nil if it has none.
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

// Substatus returns the substatus of an answer, 0 if it has none. It reads the header,
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
func Rejected(op, typ, id, key string, status int) *OperationError {
	f := NewOperationError(op, typ, id, key, &azcore.ResponseError{StatusCode: status, ErrorCode: http.StatusText(status)})
	if f.Kind == nil { // the error of azcore would miss the response
		f.Err = fmt.Errorf("status %d: %s", status, http.StatusText(status))
	}
	return f
}

// StillUnclear returns err as one of an operation whose earlier write had an
// unclear outcome, if it had.
func StillUnclear(err error, unclear bool) error {
	var own *OperationError
	if unclear && errors.As(err, &own) {
		own.Unclear = true
	}
	return err
}
