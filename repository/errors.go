package repository

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
)

// What an operation's error matches with errors.Is.
var (
	// ErrNotFound: no document has this id in this logical partition, or a query
	// found nothing. Status 404. Also: the document that has the id there is
	// another one, whose fields make the same partition key; no status.
	ErrNotFound = errors.New("document not found")

	// ErrAlreadyExists: the logical partition holds a document of this id, or one
	// that a unique key forbids. Status 409. Also: an upsert would overwrite a
	// document that is another one, whose fields make the same partition key; no
	// status.
	ErrAlreadyExists = errors.New("document already exists")

	// ErrOtherType: the id is that of a document of another type, which shares the
	// container, in this logical partition. Such an error matches ErrNotFound as
	// well, of an upsert ErrAlreadyExists; no status.
	ErrOtherType = errors.New("the document of this id there is of another type")

	// ErrPreconditionFailed: the document has changed since it was read; its ETag
	// is another. Status 412. Also: the condition of a PatchIf does not hold.
	ErrPreconditionFailed = errors.New("document has changed since it was read")

	// ErrThrottled: the request rate was too large for the throughput of the
	// physical partition, also after the client's retries. Status 429.
	ErrThrottled = errors.New("request rate too large")

	// ErrTooLarge: the document or the transaction is over the service's limit of 2
	// MB. Status 413; no status where that was seen before anything was sent.
	ErrTooLarge = errors.New("document too large")

	// ErrKeyChanged: the document's fields give another partition key than the
	// one it is stored under. Replacing it there would fail, and an upsert would
	// leave the old document behind.
	ErrKeyChanged = errors.New("partition key differs from the stored one")

	// ErrAmbiguous: several documents have the same id, each under another
	// suffix.
	ErrAmbiguous = errors.New("several documents have this id")

	// ErrUnclear: whether the write took effect is not known. The connection broke,
	// the service failed or the context ended before the answer came, and to send
	// the write again did not tell, or is no answer. The status, if any, is that of
	// the last attempt: 408 or 5xx, or that of another sentinel that the error
	// matches as well, such as ErrPreconditionFailed, where a second attempt has found
	// the document changed, by the first one or by somebody else.
	ErrUnclear = errors.New("outcome unclear")

	// ErrCursor: the cursor of a page or of a change feed is damaged, or is of
	// another query or type, another container or another version of the format, or
	// is not closed by a key of WithCursorKey.
	ErrCursor = errors.New("cursor cannot be used")
)

// Error describes an operation that failed. It matches one of the package's
// sentinels where the reason is known, and wraps its cause, for requests an
// *azcore.ResponseError.
type Error struct {
	// Op is the operation, such as "create" or "query".
	Op string

	// Type is the name of the document type.
	Type string

	// ID is the item id, empty for requests of several documents.
	ID string

	// PartitionKey is the partition key as JSON would show it: an array for a
	// hierarchical one, with fewer levels for a query by a prefix. It is empty for
	// a query of the whole container.
	PartitionKey string

	// Range is the id of the physical partition that a request of a fan-out went
	// to, empty for others.
	Range string

	// Status and Substatus are the HTTP status and the x-ms-substatus header of
	// the last response, 0 if there was none.
	Status, Substatus int

	// Err is the cause.
	Err error

	kind    error
	note    string // what there is to say beside the reason
	unclear bool   // whether it took effect is not known
}

// Error says what failed, for which document, and why. The document is named by its
// id and its partition key; no other value of it is in the text, nor what the
// service says, which may hold some.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Op)
	b.WriteString(" ")
	b.WriteString(e.Type)
	if e.ID != "" {
		fmt.Fprintf(&b, " %q", e.ID)
	}
	if e.PartitionKey != "" {
		fmt.Fprintf(&b, " in partition %s", e.PartitionKey)
	}
	if e.Range != "" {
		fmt.Fprintf(&b, " in physical partition %s", e.Range)
	}
	b.WriteString(": ")
	b.WriteString(e.reason())
	if e.note != "" {
		b.WriteString(", " + e.note)
	}
	if e.unclear {
		b.WriteString(", and it is not known whether it took effect")
	}
	return b.String()
}

func (e *Error) reason() string {
	var response *azcore.ResponseError
	if !errors.As(e.Err, &response) {
		if e.kind != nil && !errors.Is(e.Err, e.kind) {
			return e.kind.Error() + ": " + discreetText(e.Err)
		}
		return discreetText(e.Err)
	}
	status := fmt.Sprintf("status %d", e.Status)
	if e.Substatus != 0 {
		status += fmt.Sprintf("/%d", e.Substatus)
	}
	if e.kind != nil {
		return e.kind.Error() + " (" + status + ")"
	}
	switch {
	case e.Status == http.StatusNotFound && e.Substatus == substatusOwnerNotFound:
		return "the container or its database does not exist (" + status + ")"
	case e.Status == http.StatusBadRequest && e.Substatus == substatusKeyMismatch:
		return "the container finds another partition key in the document: Ensure says what is wrong with the container (" + status + ")"
	case e.Op == opPatch && e.Status == http.StatusBadRequest:
		return "the service refuses the patch, as it does where what is to be removed or replaced is not there: " + responseText(response)
	case e.Status == http.StatusBadRequest && strings.Contains(response.Error(), "corresponding composite index"):
		return "an order by several properties needs a composite index: declare it by orders= in the tag of the type, and have Ensure add it (" + status + ")"
	}
	return responseText(response)
}

// Unwrap returns the sentinels that e matches, if any, and its cause.
func (e *Error) Unwrap() []error {
	causes := []error{e.Err}
	if e.kind != nil {
		causes = append(causes, e.kind)
	}
	if e.unclear {
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

// requestError wraps err, which a request for one document returned.
func requestError(op, typ, id, key string, err error) *Error {
	e := &Error{Op: op, Type: typ, ID: id, PartitionKey: key, Err: err}
	var response *azcore.ResponseError
	if errors.As(err, &response) {
		e.Status = response.StatusCode
		e.Substatus = substatus(response)
		e.kind = kindOf(e.Status, e.Substatus)
	}
	return e
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

// substatus reads the header, since azcosmos' ErrorCode is only the text of the
// status.
func substatus(response *azcore.ResponseError) int {
	if response.RawResponse == nil {
		return 0
	}
	n, err := strconv.Atoi(response.RawResponse.Header.Get("x-ms-substatus"))
	if err != nil {
		return 0
	}
	return n
}
