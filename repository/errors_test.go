package repository_test

import (
	"errors"
	"net/http"
	"strconv"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

func responseError(status, sub int) *azcore.ResponseError {
	header := http.Header{}
	if sub != 0 {
		header.Set("x-ms-substatus", strconv.Itoa(sub))
	}
	return &azcore.ResponseError{StatusCode: status, ErrorCode: "text", RawResponse: &http.Response{StatusCode: status, Header: header}}
}

func TestRequestErrorMatches(t *testing.T) {
	sentinels := []error{repository.ErrNotFound, repository.ErrAlreadyExists, repository.ErrPreconditionFailed, repository.ErrThrottled, repository.ErrTooLarge, repository.ErrKeyChanged, repository.ErrAmbiguous}
	for _, test := range []struct {
		status, sub int
		want        error // nil: none of them
		text        string
	}{
		{404, 0, repository.ErrNotFound, `get Event "7" in partition "a-1": document not found (status 404)`},
		{404, 1003, nil, `get Event "7" in partition "a-1": the container or its database does not exist (status 404/1003)`},
		{404, 1002, nil, ""},
		{409, 0, repository.ErrAlreadyExists, `get Event "7" in partition "a-1": document already exists (status 409)`},
		{412, 0, repository.ErrPreconditionFailed, ""},
		{413, 0, repository.ErrTooLarge, ""},
		{429, 3200, repository.ErrThrottled, `get Event "7" in partition "a-1": request rate too large (status 429/3200)`},
		{400, 0, nil, ""},
		{400, 1001, nil, `get Event "7" in partition "a-1": the container finds another partition key in the document: Ensure says what is wrong with the container (status 400/1001)`},
		{503, 0, nil, ""},
	} {
		cause := responseError(test.status, test.sub)
		err := wire.NewError("get", "Event", "7", `"a-1"`, cause)
		for _, sentinel := range sentinels {
			if got, want := errors.Is(err, sentinel), sentinel == test.want; got != want {
				t.Errorf("%d/%d: errors.Is(%v) = %v", test.status, test.sub, sentinel, got)
			}
		}
		var response *azcore.ResponseError
		if !errors.As(err, &response) || response != cause {
			t.Errorf("%d/%d: the SDK's error is gone", test.status, test.sub)
		}
		var own *repository.Error
		if !errors.As(err, &own) || own.Status != test.status || own.Substatus != test.sub {
			t.Errorf("%d/%d: got %+v", test.status, test.sub, own)
		}
		if test.text != "" && err.Error() != test.text {
			t.Errorf("got  %s\nwant %s", err, test.text)
		}
	}
}

func TestErrorWithoutResponse(t *testing.T) {
	err := wire.NewError("create", "Event", "7", "", errors.New("connection reset"))
	if got, want := err.Error(), `create Event "7": connection reset`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	changed := &repository.Error{Op: "replace", Type: "Event", ID: "7", PartitionKey: `"b"`, Kind: repository.ErrKeyChanged, Err: errors.New(`it is stored under "a"`)}
	if got, want := changed.Error(), `replace Event "7" in partition "b": partition key differs from the stored one: it is stored under "a"`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if !errors.Is(changed, repository.ErrKeyChanged) {
		t.Error("repository.ErrKeyChanged is not matched")
	}
}
