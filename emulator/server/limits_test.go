package server

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestSizeOfADocument(t *testing.T) {
	r := newRig(t, Options{MaxDocument: 1000})
	r.container("")
	body := func(n int) string { return `{"id":"1","pk":"a","x":"` + strings.Repeat("x", n) + `"}` }
	r.create(`["a"]`, body(100))
	r.send("PUT", docs+"/1", body(1000), pkKey, `["a"]`).status(413, "")
	r.send("PATCH", docs+"/1", `{"operations":[{"op":"add","path":"/y","value":"`+strings.Repeat("y", 900)+`"}]}`, pkKey, `["a"]`).status(413, "")
	r.send("PUT", docs+"/1", body(500), pkKey, `["a"]`).status(200, "")
}

func TestSizeOfALogicalPartition(t *testing.T) {
	r := newRig(t, Options{MaxLogicalPartition: 5500})
	r.container("")
	full := func(i, n int) *answer {
		return r.send("POST", docs, fmt.Sprintf(`{"id":"%d","pk":"a","x":"%s"}`, i, strings.Repeat("x", n)),
			pkKey, `["a"]`, "x-ms-documentdb-is-upsert", "True")
	}
	for i := range 4 {
		full(i, 1000).status(201, "")
	}
	full(4, 1000).status(403, "1014")
	full(3, 1600).status(403, "1014")
	full(3, 100).status(200, "")
	full(4, 1000).status(201, "")
	r.send("POST", docs, `{"id":"4","pk":"b"}`, pkKey, `["b"]`).status(201, "")
	r.send("DELETE", docs+"/4", "", pkKey, `["a"]`).status(204, "")
	full(3, 1000).status(200, "")
	full(4, 1000).status(403, "1014")
}

// TestLargeBodiesAreAnswered writes a body to its end before it reads the answer, as many
// clients do. They must get the answer, not a broken connection.
func TestLargeBodiesAreAnswered(t *testing.T) {
	r := newRig(t, Options{})
	r.container("")
	server := httptest.NewServer(r)
	defer server.Close()
	authorized := r.request(t.Context(), "POST", docs, "").Header
	for _, test := range []struct {
		name          string
		megabytes     int
		authorization string
		status        int
	}{
		{"too large", 50, authorized.Get("Authorization"), 413},
		{"too large, and refused before", 50, "type=master", 401},
		{"not too large, and refused before", 1, "type=master", 401},
	} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\nx-ms-date: %s\r\nAuthorization: %s\r\n\r\n",
			docs, test.megabytes<<20, authorized.Get("x-ms-date"), test.authorization)
		megabyte := bytes.Repeat([]byte{'x'}, 1<<20)
		for i := 0; i < test.megabytes && err == nil; i++ {
			_, err = conn.Write(megabyte)
		}
		if err != nil {
			t.Errorf("%s: writing the body: %v", test.name, err)
		}
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil) //nolint:bodyclose // the connection is closed below
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		body, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != test.status || !bytes.Contains(body, []byte(`"message"`)) {
			t.Errorf("%s: %s %s, %v", test.name, answer.Status, body, err)
		}
		_ = conn.Close()
	}
}
