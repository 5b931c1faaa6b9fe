package explorer

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/header"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/status"
)

// maxRequest is the maximum size of a request that the page sends. It is above the limit of
// the account, whose own refusal the user should see.
const maxRequest = 3 << 20

// restPath is the beginning of the paths of requests that are passed on.
const restPath = Path + "api/rest/"

// rest passes a request on to the account. The page uses it to read and write documents, with
// the protocol of clients.
func (e *Explorer) rest(w http.ResponseWriter, r *http.Request) {
	sent, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		writeError(w, status.BodyTooLarge(maxRequest))
		return
	}
	h := http.Header{}
	for name, values := range r.Header {
		if lower := strings.ToLower(name); strings.HasPrefix(lower, "x-ms-") || lower == "if-match" || lower == "content-type" || lower == "prefer" {
			h[name] = values
		}
	}
	path := strings.TrimPrefix(r.URL.EscapedPath(), strings.TrimSuffix(restPath, "/"))
	answer := e.account.Send(r.Context(), r.Method, path, h, sent)
	maps.Copy(w.Header(), answer.Header)
	w.WriteHeader(answer.Status)
	_, _ = w.Write(answer.Body)
}

// documentsPath is the path of the documents of a container.
func documentsPath(database, container string) string {
	return "/dbs/" + url.PathEscape(database) + "/colls/" + url.PathEscape(container) + "/docs"
}

// page is one page of a query or feed.
type page struct {
	rows         []json.RawMessage
	continuation string
	answer       Answer
}

// readPage sends a query, or reads the feed of all documents if the query is nil.
func (e *Explorer) readPage(ctx context.Context, path string, h http.Header, query []byte) (page, error) {
	method := http.MethodGet
	if query != nil {
		method = http.MethodPost
		h.Set("x-ms-documentdb-query", "True")
		h.Set("Content-Type", "application/query+json")
	}
	a := e.account.Send(ctx, method, path, h, query)
	if a.Status != status.OK {
		return page{answer: a}, errorOf(a)
	}
	var feed struct {
		Documents []json.RawMessage `json:"Documents"`
	}
	if err := json.Unmarshal(a.Body, &feed); err != nil {
		return page{answer: a}, err
	}
	return page{feed.Documents, a.Header.Get(header.Continuation), a}, nil
}

// errorOf returns the error in an answer.
func errorOf(a Answer) error {
	var told struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(a.Body, &told) != nil || told.Message == "" {
		told.Message = http.StatusText(a.Status)
	}
	return status.New(a.Status, 0, "%s", told.Message)
}
