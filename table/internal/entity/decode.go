package entity

import (
	"encoding/base64"
	"errors"
	"math"
	"strconv"
	"time"

	"github.com/cosmos-pkgen/pkgen/internal/flat"
	"github.com/cosmos-pkgen/pkgen/internal/jsonscan"
)

// Read has the properties of an entity in an answer that are not its document's.
type Read struct {
	Partition, Row, ETag string

	// Timestamp is when the entity was last written, in RFC 3339.
	Timestamp string
}

// Decode reads an entity into a document. It ignores properties that the struct does not have.
// If note is not nil, Decode calls it with each stored property and its value. The error is
// ErrCut if the text is not a whole entity.
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

// typed converts a JSON value to the property's kind, if it fits.
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

// ErrCut is the error for an answer that is not a whole entity.
var ErrCut = errors.New("the answer is not a whole entity")

// scan calls f for each member of a flat JSON object, with a string, a float64, an int64, a
// bool or nil. It skips members that are objects or arrays.
func scan(text []byte, f func(name string, value any) error) error {
	c := jsonscan.Check(text)
	if c.Kind() != '{' || !c.Open() {
		return ErrCut
	}
	for {
		quoted, ok := c.Name()
		if !ok {
			return ErrCut
		}
		if quoted == nil {
			return nil
		}
		kind, start := c.Kind(), c.Pos()
		if !c.Value() {
			return ErrCut
		}
		if kind == '{' || kind == '[' {
			continue
		}
		value, err := scalar(kind, text[start:c.Pos()])
		if err != nil {
			return ErrCut
		}
		name, _ := jsonscan.Text(quoted)
		if err := f(name, value); err != nil {
			return err
		}
	}
}

// scalar returns a JSON value that is neither an object nor an array.
func scalar(kind byte, text []byte) (any, error) {
	switch kind {
	case '"':
		value, _ := jsonscan.Text(text)
		return value, nil
	case 'n':
		return nil, nil
	case 't', 'f':
		return kind == 't', nil
	}
	if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
		return n, nil
	}
	return strconv.ParseFloat(string(text), 64)
}
