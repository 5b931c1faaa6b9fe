package kit

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/emulator"
)

// Wire is a transport that answers every request with the same document, and
// keeps what was sent last. It is for one request at a time.
type Wire struct {
	Document []byte
	header   http.Header
	Body     []byte
}

func (w *Wire) Do(r *http.Request) (*http.Response, error) {
	answer := []byte("{}")
	if strings.Contains(r.URL.Path, "/docs") {
		answer = w.Document
		w.header = r.Header
		w.Body = nil
		if r.Body != nil {
			var err error
			if w.Body, err = io.ReadAll(r.Body); err != nil {
				return nil, err
			}
		}
	}
	return &http.Response{
		StatusCode: http.StatusOK, Status: "200 OK", Request: r,
		Header: http.Header{"Etag": {`"1"`}}, Body: io.NopCloser(bytes.NewReader(answer)),
	}, nil
}

// Key returns the partition key header of the last request, decoded.
func (w *Wire) Key(t testing.TB) []any {
	t.Helper()
	header := w.header.Get("x-ms-documentdb-partitionkey")
	for _, c := range []byte(header) {
		if c < ' ' || c > '~' {
			t.Fatalf("the header holds the byte %#x: %q", c, header)
		}
	}
	var values []any
	if err := json.Unmarshal([]byte(header), &values); err != nil {
		t.Fatalf("the header %s is not JSON: %v", header, err)
	}
	return values
}

// NewWire is a container that a client reaches by a wire.
func NewWire(t testing.TB, document string) (*Wire, *azcosmos.ContainerClient) {
	t.Helper()
	w, client := NewWireClient(t, document)
	container, err := client.NewContainer("db", "c")
	if err != nil {
		t.Fatal(err)
	}
	return w, container
}

// NewWireClient is a client whose requests all get the document.
func NewWireClient(t testing.TB, document string) (*Wire, *azcosmos.Client) {
	t.Helper()
	credential, err := azcosmos.NewKeyCredential(emulator.WellKnownKey)
	if err != nil {
		t.Fatal(err)
	}
	w := &Wire{Document: []byte(document)}
	var o azcosmos.ClientOptions
	o.Transport = w
	client, err := azcosmos.NewClientWithKey("http://localhost:1/", credential, &o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return w, client
}
