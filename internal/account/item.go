package account

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
)

// item returns a request for a document by its id and partition key, a JSON array.
func (c *Container) item(method, id, key string) request {
	r := c.request("/docs/"+url.PathEscape(id), "docs", "")
	r.what, r.method = fmt.Sprintf("a document in container %q of database %q", c.ID, c.Database), method
	r.link += "/docs/" + id
	r.header["x-ms-documentdb-partitionkey"] = ascii(key)
	return r
}

// ascii escapes characters beyond ASCII in a JSON text, which headers do not allow.
func ascii(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return r > '~' }) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case r <= '~':
			b.WriteRune(r)
		case r > 0xFFFF:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xD800+r>>10, 0xDC00+r&0x3FF)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// ReadItem reads a document by its id and its partition key, a JSON array, and returns it with its
// ETag. A missing document is status 404.
func (a *Account) ReadItem(ctx context.Context, c *Container, id, key string) (document json.RawMessage, etag string, err error) {
	var read item
	header, err := a.do(ctx, c.item(http.MethodGet, id, key), &read)
	if err != nil {
		return nil, "", err
	}
	return json.RawMessage(read), header.Get("etag"), nil
}

// CreateItem creates a document under a partition key, a JSON array, and returns its ETag. If the
// document exists, the error has status 409; after a lost answer, an earlier attempt may have
// stored it.
func (a *Account) CreateItem(ctx context.Context, c *Container, key string, document json.RawMessage) (string, error) {
	r := c.item(http.MethodPost, "", key)
	r.path, r.link = strings.TrimSuffix(r.path, "/"), strings.TrimSuffix(r.link, "/docs/")
	return a.write(ctx, r, document, "")
}

// UpsertItem creates or replaces a document under a partition key, a JSON array, and returns its
// ETag. A violation of a unique key policy is status 409.
func (a *Account) UpsertItem(ctx context.Context, c *Container, key string, document json.RawMessage) (string, error) {
	r := c.item(http.MethodPost, "", key)
	r.path, r.link = strings.TrimSuffix(r.path, "/"), strings.TrimSuffix(r.link, "/docs/")
	r.header["x-ms-documentdb-is-upsert"] = "True"
	return a.write(ctx, r, document, "")
}

// ReplaceItem replaces a document if its ETag matches, and returns the new ETag. Another ETag is
// status 412, a missing document 404.
func (a *Account) ReplaceItem(ctx context.Context, c *Container, id, key string, document json.RawMessage, etag string) (string, error) {
	return a.write(ctx, c.item(http.MethodPut, id, key), document, etag)
}

// DeleteItem deletes a document if its ETag matches. Errors are the same as for
// [Account.ReplaceItem].
func (a *Account) DeleteItem(ctx context.Context, c *Container, id, key, etag string) error {
	_, err := a.write(ctx, c.item(http.MethodDelete, id, key), nil, etag)
	return err
}

func (a *Account) write(ctx context.Context, r request, document json.RawMessage, etag string) (string, error) {
	r.body = string(document)
	r.header["Prefer"] = "return=minimal"
	if len(document) > 0 {
		r.header["Content-Type"] = "application/json"
	}
	if etag != "" {
		r.header["If-Match"] = etag
	}
	header, err := a.do(ctx, r, nil)
	if err != nil {
		return "", err
	}
	return header.Get("etag"), nil
}

// Query passes the rows of a query to take. Each physical partition answers by itself, so the query
// must not have ORDER BY or aggregates. Rows may repeat if a physical partition is split or merged
// meanwhile.
func (a *Account) Query(ctx context.Context, c *Container, query string, parameters map[string]any, take func(row json.RawMessage)) error {
	type parameter struct {
		Name  string `json:"name"`
		Value any    `json:"value"`
	}
	body := struct {
		Query      string      `json:"query"`
		Parameters []parameter `json:"parameters"`
	}{query, []parameter{}}
	for name, value := range parameters {
		body.Parameters = append(body.Parameters, parameter{name, value})
	}
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	for attempt := 1; ; attempt++ {
		err := a.query(ctx, c, string(text), take)
		if !is(err, http.StatusGone) || attempt == attempts {
			return err
		}
		a.forgetRanges(c)
	}
}

// query queries one physical partition after another.
func (a *Account) query(ctx context.Context, c *Container, body string, take func(json.RawMessage)) error {
	ranges, err := a.knownRanges(ctx, c)
	if err != nil {
		return err
	}
	for _, in := range ranges {
		r := c.request("/docs", "docs", body)
		maps.Copy(r.header, map[string]string{
			"Content-Type": "application/query+json", "x-ms-documentdb-isquery": "True", "x-ms-documentdb-query": "True",
			"x-ms-documentdb-query-enablecrosspartition": "True",
			"x-ms-documentdb-partitionkeyrangeid":        in.ID,
		})
		for {
			var page documentsPage
			answer, err := a.do(ctx, r, &page)
			if err != nil {
				return err
			}
			for _, row := range page.Documents {
				take(row)
			}
			if r.header["x-ms-continuation"] = answer.Get("x-ms-continuation"); r.header["x-ms-continuation"] == "" {
				break
			}
		}
	}
	return nil
}

// PatchItem sets up to ten properties of a document, by name, if its ETag matches, and returns the
// new ETag. Errors are the same as for [Account.ReplaceItem].
func (a *Account) PatchItem(ctx context.Context, c *Container, id, key string, set map[string]any, etag string) (string, error) {
	type operation struct {
		Op    string `json:"op"`
		Path  string `json:"path"`
		Value any    `json:"value"`
	}
	var patch struct {
		Operations []operation `json:"operations"`
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		patch.Operations = append(patch.Operations, operation{"set", jsonpointer.Of(name), set[name]})
	}
	body, err := json.Marshal(patch)
	if err != nil {
		return "", err
	}
	return a.write(ctx, c.item(http.MethodPatch, id, key), body, etag)
}
