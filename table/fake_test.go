package table_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/data/aztables"

	"github.com/cosmos-pkgen/pkgen/table"
)

// sent is a request as it left the client.
type sent struct {
	method, path, query, body string
	header                    http.Header
}

// fake answers requests without a network.
type fake struct {
	mu     sync.Mutex
	all    []sent
	answer func(n int, s sent) (*http.Response, error)
}

func (f *fake) Do(r *http.Request) (*http.Response, error) {
	s := sent{method: r.Method, path: r.URL.EscapedPath(), query: r.URL.RawQuery, header: r.Header}
	if r.Body != nil {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		s.body = string(text)
	}
	f.mu.Lock()
	f.all = append(f.all, s)
	n := len(f.all)
	f.mu.Unlock()
	response, err := f.answer(n, s)
	if response != nil {
		response.Request = r
	}
	return response, err
}

// reply is a response with headers, name after value.
func reply(status int, body string, headers ...string) *http.Response {
	r := &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader([]byte(body)))}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

func failed(status int, code string, headers ...string) *http.Response {
	return reply(status, `{"odata.error":{"code":"`+code+`","message":{"lang":"en-us","value":"secret of the document"}}}`, headers...)
}

// another is the answer to a point read: a document that no test stores.
func another(s sent) *http.Response {
	partition, row, _ := strings.Cut(rowOf(s.path, ""), "/")
	return reply(200, `{"PartitionKey":"`+partition+`","RowKey":"`+row+`","speed":-1}`, "ETag", "W/\"another\"")
}

// service returns a client whose requests f answers.
func service(t testing.TB, endpoint string, f *fake) *table.Service {
	t.Helper()
	cred, err := aztables.NewSharedKeyCredential("account", base64.StdEncoding.EncodeToString([]byte("key")))
	if err != nil {
		t.Fatal(err)
	}
	o := table.Configure(nil)
	o.Transport = f
	s, err := aztables.NewServiceClientWithSharedKey(endpoint, cred, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// repo is a repository of events whose requests are answered by answer.
func repo(t testing.TB, answer func(n int, s sent) (*http.Response, error), opts ...table.Option) (*table.Documents[event, eventKey], *fake) {
	f := &fake{answer: answer}
	return table.New(service(t, "http://127.0.0.1:1/account", f), "Events", &eventModel, opts...), f
}

// always answers every request alike.
func always(status int, body string, headers ...string) func(int, sent) (*http.Response, error) {
	return func(int, sent) (*http.Response, error) { return reply(status, body, headers...), nil }
}

var ctx = context.Background()
