package writes

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/internal/fixtures"
	"github.com/cosmos-pkgen/pkgen/internal/harness"
	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// badStart fails the first reads of the account.
type badStart struct {
	status int
	body   string
	err    error // in place of an answer
	left   atomic.Int32
}

func (b *badStart) Do(r *http.Request) (*http.Response, error) {
	switch {
	case r.URL.Path != "/" || b.left.Add(-1) < 0:
		return http.DefaultTransport.RoundTrip(r)
	case b.err != nil:
		return nil, b.err
	}
	return &http.Response{StatusCode: b.status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(b.body)), Request: r}, nil
}

// TestFirstRequestIsAPatch has the account unavailable for a moment when a program sends its
// first request, which must not be repeated: azcosmos keeps the error of its own request
// before for five minutes, so that one is repeated.
func TestFirstRequestIsAPatch(t *testing.T) {
	for name, start := range map[string]*badStart{
		"503":                        {status: http.StatusServiceUnavailable},
		"an answer that was cut off": {status: http.StatusOK, body: `{"id":"acc`},
		"an empty answer":            {status: http.StatusOK},
		"an empty object":            {status: http.StatusOK, body: "{}"},
		"no answer":                  {err: errors.New("the connection is broken")},
	} {
		harness.Bubble(t, name, func(t *testing.T) {
			a, closeAccount := newAccount(t, repository.Configure(nil))
			defer closeAccount()
			start.left.Store(2)
			container, err := a.Server.Client(repository.Configure(&azcosmos.ClientOptions{
				ClientOptions: azcore.ClientOptions{Transport: start},
			})).NewContainer("db", kit.ShopContainer.ID)
			if err != nil {
				t.Fatal(err)
			}
			sales := repository.New(container, &kit.SaleModel)
			key := (&fixtures.Sale{ID: "s0", Customer: "c0"}).Key()
			if err := sales.Patch(context.Background(), key, repository.PatchNumber[fixtures.Sale, int]("/total").Increment(1)); err != nil {
				t.Errorf("the patch: %v", err)
			}
			if found, err := sales.Get(context.Background(), key); err != nil || found.Total != 1 {
				t.Errorf("found %+v, %v", found, err)
			}
		})
	}
}
