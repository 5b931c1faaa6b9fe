package repository_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/repository"
)

// badStart fails the first reads of the account.
type badStart struct {
	fail func() (*http.Response, error)
	left atomic.Int32
}

func (b *badStart) Do(r *http.Request) (*http.Response, error) {
	if r.URL.Path == "/" && b.left.Add(-1) >= 0 {
		return b.fail()
	}
	return http.DefaultTransport.RoundTrip(r)
}

// answered returns what answers with a body.
func answered(body string) func() (*http.Response, error) {
	return func() (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
	}
}

// TestFirstRequestIsAPatch has the account unavailable for a moment when a program sends its
// first request, which must not be repeated: azcosmos keeps the error of its own request
// before for five minutes, so that one is repeated.
func TestFirstRequestIsAPatch(t *testing.T) {
	for name, fail := range map[string]func() (*http.Response, error){
		"503": func() (*http.Response, error) {
			return &http.Response{StatusCode: http.StatusServiceUnavailable, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(nil))}, nil
		},
		"an answer that was cut off": answered(`{"id":"acc`),
		"an empty answer":            answered(""),
		"an empty object":            answered("{}"),
		"no answer":                  func() (*http.Response, error) { return nil, errors.New("the connection is broken") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, closeAccount := newAccount(t, repository.Configure(nil))
			defer closeAccount()
			start := &badStart{fail: fail}
			start.left.Store(2)
			container, err := a.server.Client(repository.Configure(&azcosmos.ClientOptions{
				ClientOptions: azcore.ClientOptions{Transport: start},
			})).NewContainer("db", shopContainer.ID)
			if err != nil {
				t.Fatal(err)
			}
			sales := repository.New(container, &saleModel)
			key := (&sale{ID: "s0", Customer: "c0"}).key()
			if err := sales.Patch(context.Background(), key, repository.PatchNumber[sale, int]("/total").Increment(1)); err != nil {
				t.Errorf("the patch: %v", err)
			}
			if found, err := sales.Get(context.Background(), key); err != nil || found.Total != 1 {
				t.Errorf("found %+v, %v", found, err)
			}
		})
	}
}
