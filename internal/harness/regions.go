package harness

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// WriteRegions is the transport of clients to which an account says that it takes writes in
// these regions, whatever it has. All are at the address of the account.
type WriteRegions struct{ names atomic.Pointer[[]string] }

// Set makes these the write regions that clients are told from then on.
func (w *WriteRegions) Set(names ...string) { w.names.Store(&names) }

// Do implements policy.Transporter.
func (w *WriteRegions) Do(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultClient.Do(r)
	names := w.names.Load()
	if err != nil || names == nil || r.Method != http.MethodGet || strings.Trim(r.URL.Path, "/") != "" {
		return response, err
	}
	defer response.Body.Close()
	var account map[string]any
	if err := json.NewDecoder(response.Body).Decode(&account); err != nil {
		return nil, err
	}
	var locations []map[string]string
	for _, name := range *names {
		locations = append(locations, map[string]string{"name": name, "databaseAccountEndpoint": "http://" + r.URL.Host + "/"})
	}
	account["writableLocations"], account["readableLocations"] = locations, locations
	account["enableMultipleWriteLocations"] = len(locations) > 1
	body, err := json.Marshal(account)
	if err != nil {
		return nil, err
	}
	response.Body, response.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	response.Header.Del("Content-Length")
	return response, nil
}

// Options are those of a client of this transport.
func (w *WriteRegions) Options() *azcosmos.ClientOptions {
	o := Impatient()
	o.Transport = w
	return o
}

// InSeveralWriteRegions returns the database by a new client that is told of two write regions.
func (a *Account) InSeveralWriteRegions(configure func(*azcosmos.ClientOptions) *azcosmos.ClientOptions) (*azcosmos.DatabaseClient, *WriteRegions) {
	a.t.Helper()
	w := &WriteRegions{}
	w.Set("West Europe", "North Europe")
	if t, ok := a.t.(*testing.T); ok {
		t.Cleanup(http.DefaultClient.CloseIdleConnections)
	}
	return a.Database(configure(w.Options())), w
}
