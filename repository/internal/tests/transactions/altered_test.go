package transactions

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/cosmos-pkgen/pkgen/repository"
	"github.com/cosmos-pkgen/pkgen/repository/internal/tests/kit"
)

// newLookingShop is a shop in which sales and lines share ids, so that writes
// look first.
func newLookingShop(t testing.TB, perCall ...policy.Policy) kit.Shop {
	t.Helper()
	s := kit.NewShop(t, perCall...)
	sales, lines := kit.SaleModel, kit.LineModel
	sales.Prefix, lines.Prefix = "", ""
	s.Sales, s.Lines = repository.New(s.Container, &sales), repository.New(s.Container, &lines)
	return s
}

// altered is a policy that alters the answers to batches.
type altered struct {
	alter func(*http.Request, *http.Response)
}

func (a *altered) Do(r *policy.Request) (*http.Response, error) {
	response, err := r.Next()
	if err == nil && a.alter != nil && r.Raw().Header.Get("x-ms-cosmos-is-batch-request") != "" {
		a.alter(r.Raw(), response)
	}
	return response, err
}

// setBody gives a response another body.
func setBody(response *http.Response, body string) {
	response.Body.Close()
	response.Body = io.NopCloser(strings.NewReader(body))
	response.ContentLength = int64(len(body))
}
