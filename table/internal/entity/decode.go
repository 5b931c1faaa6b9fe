package entity

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/internal/flat"
)

// Read is what an answer says of an entity besides its own properties.
type Read struct {
	Partition, Row, ETag string

	// Timestamp is when the entity was last written, in RFC 3339.
	Timestamp string
}

// Decode reads an entity into a document. A property that the struct does not have is
// ignored. If note is not nil, it is told of each stored property and its value.
// Cut says that the text is not a whole entity.
func (c *Codec) Decode(text []byte, doc any, note func(name string, value any)) (read Read, err error) {
	err = scan(text, func(name string, value any) error {
		switch name {
		case PartitionKey:
			read.Partition, _ = value.(string)
		case RowKey:
			read.Row, _ = value.(string)
			if note != nil {
				note(name, read.Row)
			}
			if c.idIn == RowKey {
				return c.shape.Set(doc, c.id, read.Row)
			}
		case "odata.etag":
			read.ETag, _ = value.(string)
		case timestamp:
			read.Timestamp, _ = value.(string)
		default:
			i, ok := c.byName[name]
			if !ok || value == nil {
				return nil
			}
			p := c.columns[i].Property
			v := typed(p, value)
			if note != nil {
				note(name, v)
			}
			return c.shape.Set(doc, p.Name, v)
		}
		return nil
	})
	if err == nil && (read.Partition == "" || read.Row == "") {
		err = ErrCut
	}
	return read, err
}

// typed returns a value of JSON as one of the property's kind, as far as it is one.
func typed(p *flat.Property, value any) any {
	text, ok := value.(string)
	if !ok {
		return value
	}
	switch p.Kind {
	case flat.Int32, flat.Int64:
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n
		}
	case flat.Float:
		switch text {
		case "NaN":
			return math.NaN()
		case "Infinity":
			return math.Inf(1)
		case "-Infinity":
			return math.Inf(-1)
		}
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return f
		}
	case flat.Time:
		if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
			return t.UTC()
		}
	case flat.Binary:
		if b, err := base64.StdEncoding.DecodeString(text); err == nil {
			return b
		}
	}
	return value
}

// ErrCut says that an answer is not a whole entity.
var ErrCut = errors.New("the answer is not a whole entity")

// scan calls f for each member of a flat JSON object: with a string, a float64, an int64,
// a bool or nil. Members that are objects or arrays are left out.
func scan(text []byte, f func(name string, value any) error) error {
	s := scanner{text: text}
	if !s.take('{') {
		return ErrCut
	}
	if s.take('}') {
		return nil
	}
	for {
		name, ok := s.text1()
		if !ok || !s.take(':') {
			return ErrCut
		}
		value, flatValue, ok := s.value()
		if !ok {
			return ErrCut
		}
		if flatValue {
			if err := f(name, value); err != nil {
				return err
			}
		}
		if s.take('}') {
			return nil
		}
		if !s.take(',') {
			return ErrCut
		}
	}
}

type scanner struct {
	text []byte
	at   int
}

func (s *scanner) skip() {
	for s.at < len(s.text) && strings.IndexByte(" \t\r\n", s.text[s.at]) >= 0 {
		s.at++
	}
}

func (s *scanner) take(b byte) bool {
	s.skip()
	if s.at < len(s.text) && s.text[s.at] == b {
		s.at++
		return true
	}
	return false
}

// text1 reads one JSON string, as encoding/json does: what is no UTF-8 becomes U+FFFD.
func (s *scanner) text1() (string, bool) {
	s.skip()
	if s.at >= len(s.text) || s.text[s.at] != '"' {
		return "", false
	}
	start, plain := s.at, true
	for s.at++; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case '\\':
			plain = false
			s.at++
		case '"':
			s.at++
			if inner := s.text[start+1 : s.at-1]; plain && utf8.Valid(inner) {
				return string(inner), true
			}
			var out string
			err := json.Unmarshal(s.text[start:s.at], &out)
			return out, err == nil
		}
	}
	return "", false
}

// value reads a value, and reports whether it is a flat one.
func (s *scanner) value() (value any, flatValue, ok bool) {
	s.skip()
	if s.at >= len(s.text) {
		return nil, false, false
	}
	switch s.text[s.at] {
	case '"':
		text, ok := s.text1()
		return text, true, ok
	case '{', '[':
		d := json.NewDecoder(strings.NewReader(string(s.text[s.at:])))
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			return nil, false, false
		}
		s.at += int(d.InputOffset())
		return nil, false, true
	}
	start := s.at
	for s.at < len(s.text) && strings.IndexByte(",} \t\r\n", s.text[s.at]) < 0 {
		s.at++
	}
	switch word := string(s.text[start:s.at]); word {
	case "null":
		return nil, true, true
	case "true", "false":
		return word == "true", true, true
	default:
		if n, err := strconv.ParseInt(word, 10, 64); err == nil {
			return n, true, true
		}
		n, err := strconv.ParseFloat(word, 64)
		return n, true, err == nil
	}
}
