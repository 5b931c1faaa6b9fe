package explorer

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/cosmos-pkgen/pkgen/emulator/internal/header"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/jsontext"
	"github.com/cosmos-pkgen/pkgen/emulator/internal/store"
)

// systemProperties are what the account adds to a document.
var systemProperties = map[string]bool{"_rid": true, "_self": true, "_etag": true, "_attachments": true, "_ts": true}

// firstLine is the first line of an export: the container and its partition key.
type firstLine struct {
	Container    string               `json:"container"`
	PartitionKey *store.KeyDefinition `json:"partitionKey"`
}

// export writes a container as lines of JSON: first the container and its partition
// key, then the documents without their system properties.
func (e *Explorer) export(w http.ResponseWriter, r *http.Request) {
	c, err := e.container(r)
	if err != nil {
		writeError(w, err)
		return
	}
	q := r.URL.Query()
	definition := c.Definition()
	out := bufio.NewWriter(w)
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Content-Disposition", "attachment")
	_ = json.NewEncoder(out).Encode(firstLine{q.Get("c"), &definition})
	h := http.Header{}
	h.Set("x-ms-max-item-count", "-1")
	for {
		p, err := e.readPage(r.Context(), documentsPath(q.Get("db"), q.Get("c")), h, nil)
		if err != nil {
			panic(http.ErrAbortHandler) // the file must not look complete
		}
		for _, d := range p.rows {
			writeDocument(out, d)
		}
		if p.continuation == "" {
			break
		}
		h.Set(header.Continuation, p.continuation)
	}
	_ = out.Flush()
}

// writeDocument writes a document without its system properties on a line.
func writeDocument(out *bufio.Writer, document []byte) {
	list, err := jsontext.Members(document)
	if err != nil {
		return // what the account sends is an object
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for _, m := range list {
		if !systemProperties[m.Name] {
			jsontext.WriteMember(&b, m.Name, m.Raw)
		}
	}
	b.WriteString("}\n")
	_, _ = out.Write(b.Bytes())
}

// shownFailures is how many lines of an import are reported that failed.
const shownFailures = 20

// load stores the documents of an export, or lines of JSON without a first line. A
// document replaces one with the same key and id. A line that fails does not end it.
func (e *Explorer) load(r *http.Request) (any, error) {
	c, err := e.container(r)
	if err != nil {
		return nil, err
	}
	type failure struct {
		Line    int    `json:"line"`
		Message string `json:"message"`
	}
	stored, failed, failures := 0, 0, []failure{}
	path := documentsPath(r.URL.Query().Get("db"), r.URL.Query().Get("c"))
	in := bufio.NewReader(r.Body)
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if text := bytes.TrimSpace(line); len(text) > 0 && (number > 1 || !isFirstLine(text)) {
			if failedLine := e.store(r, c, path, text); failedLine != nil {
				failed++
				if len(failures) < shownFailures {
					failures = append(failures, failure{number, failedLine.Error()})
				}
			} else {
				stored++
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("the file broke off after %d lines, of which %d are stored: %w", number-1, stored, err)
		}
	}
	return map[string]any{"stored": stored, "failed": failed, "failures": failures}, nil
}

// isFirstLine reports whether a line describes a container and is no document.
func isFirstLine(text []byte) bool {
	var f struct {
		firstLine

		ID *json.RawMessage `json:"id"`
	}
	return json.Unmarshal(text, &f) == nil && f.ID == nil && f.PartitionKey != nil
}

// store upserts a document under the key that it has.
func (e *Explorer) store(r *http.Request, c *store.Container, path string, document []byte) error {
	k, err := c.KeyOf(document)
	if err != nil {
		return err
	}
	h := http.Header{}
	h.Set(header.PartitionKey, k.Text)
	h.Set("x-ms-documentdb-is-upsert", "True")
	h.Set("Prefer", "return=minimal")
	if a := e.account.Send(r.Context(), http.MethodPost, path, h, document); a.Status >= 300 {
		return errorOf(a)
	}
	return nil
}
