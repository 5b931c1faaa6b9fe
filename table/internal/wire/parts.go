package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"
)

// part is the answer to one operation of a transaction.
type part struct {
	status     int
	etag, code string
	message    string
}

// parts reads the answer to a transaction: one part for each operation, or one part for the
// operation that failed. The error comes with the index of that operation.
func (tx *Transaction) parts(response *http.Response) (all []part, failed int, err error) {
	all = partsOf(body(response))
	for i, p := range all {
		if p.status < 400 {
			continue
		}
		op := p.index(len(tx.Operations))
		if op < 0 && len(all) == len(tx.Operations) {
			op = i
		}
		if op < 0 && len(tx.Operations) == 1 {
			op = 0
		}
		anew := op < 0 || tx.Operations[op].Entity != nil && tx.Operations[op].Version == "" && tx.Operations[op].Name != "replace"
		a := answered(p.status, p.code, response.Header, anew, errPart)
		return nil, op, a
	}
	if len(all) != len(tx.Operations) {
		return nil, -1, cut()
	}
	return all, -1, nil
}

// index returns the number of the operation at the beginning of the service's message, or -1.
func (p part) index(n int) int {
	number, _, found := strings.Cut(p.message, ":")
	i, err := strconv.Atoi(strings.TrimSpace(number))
	if !found || err != nil || i < 0 || i >= n {
		return -1
	}
	return i
}

// partsOf reads the parts of a multipart answer. It searches for status lines, because Cosmos
// DB ends some answers without the last boundary.
func partsOf(text []byte) []part {
	var all []part
	for {
		at := bytes.Index(text, []byte("\nHTTP/1."))
		if at < 0 {
			return all
		}
		text = text[at+1:]
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		fields := strings.Fields(string(line))
		if len(fields) < 2 {
			continue
		}
		status, err := strconv.Atoi(fields[1])
		if err != nil {
			continue
		}
		p := part{status: status}
		reader := bufio.NewReader(bytes.NewReader(rest))
		header, _ := textproto.NewReader(reader).ReadMIMEHeader()
		p.etag = header.Get("ETag")
		p.code = header.Get("x-ms-error-code")
		if status >= 400 {
			p.read(reader)
		}
		all = append(all, p)
	}
}

// read reads the error in the body of a part.
func (p *part) read(r *bufio.Reader) {
	type said struct {
		Code    string `json:"code"`
		Message struct {
			Value string `json:"value"`
		} `json:"message"`
	}
	var body struct {
		OData said `json:"odata.error"`
		Error said `json:"error"`
	}
	if json.NewDecoder(r).Decode(&body) != nil {
		return
	}
	for _, s := range []said{body.OData, body.Error} {
		if s.Code != "" {
			p.code, p.message = s.Code, s.Message.Value
		}
	}
}
