package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// BenchmarkCheckAnswers is what it costs to compare answers with what was asked
// for, and to read their JSON, which has to be read anyway: of a point read of 1 KB, and
// of a page of 100 such documents.
func BenchmarkCheckAnswers(b *testing.B) {
	document := fmt.Appendf(nil, `{"id":"e0001","date":"2018-08-09","text":%q,"partitionKey":"2018-08-09.126","_ts":1}`, strings.Repeat("text ", 190))
	st, p := &Container{Paths: []string{"/partitionKey"}}, Place{ID: "e0001", Value: "2018-08-09.126"}
	items := make([][]byte, 100)
	for i := range items {
		items[i] = document
	}
	page := []byte(`{"_rid":"r","Documents":[` + string(bytes.Join(items, []byte(","))) + `],"_count":100}`)
	header := http.Header{headerItemCount: {"100"}}
	for name, f := range map[string]func() error{
		"document": func() error { return st.checkRead(document, p, "") },
		"document, JSON": func() error {
			var all map[string]json.RawMessage
			return json.Unmarshal(document, &all)
		},
		"page": func() error { return checkList(header, page, "Documents", len(items)) },
		"page, JSON": func() error {
			var all struct{ Documents []json.RawMessage }
			return json.Unmarshal(page, &all)
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := f(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
