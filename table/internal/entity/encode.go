package entity

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/failure"
	"github.com/cosmos-pkgen/pkgen/internal/flat"
)

// Encode appends the entity of a document at a place to buf, as JSON. An error wraps a
// *documents.FieldError, or matches failure.ErrTooLarge.
func (c *Codec) Encode(buf []byte, partition, row string, doc any) ([]byte, error) {
	// The size of an entity in bytes, from "How big is a table entity": 4, the keys in UTF-16,
	// and for each property 8, its name in UTF-16, its value, and 4 for the length of a text
	// or of bytes. This code adds the 4 to every value.
	size := 4 + utf16Size(partition) + utf16Size(row)
	buf = append(buf, `{"`+PartitionKey+`":`...)
	buf = appendText(buf, partition)
	buf = append(buf, `,"`+RowKey+`":`...)
	buf = appendText(buf, row)
	i := 0
	for p, value := range c.shape.Values(doc) {
		for c.columns[i].Property != p { // both lists have the order of the shape
			i++
		}
		if c.columns[i].name == "" {
			continue
		}
		var n int
		var err error
		if buf, n, err = c.columns[i].append(buf, value); err != nil {
			return nil, c.fail(p, err)
		}
		if n > maxProperty {
			err := c.fail(p, fmt.Errorf("its value takes %d bytes, and a property of a table holds %d at most", n, maxProperty))
			return nil, &failure.Answer{Kind: failure.ErrTooLarge, Err: errors.Join(failure.Says(err.Error()), err)}
		}
		size += 8 + utf16Size(c.columns[i].name) + 4 + n
	}
	if size > maxEntity {
		return nil, &failure.Answer{Kind: failure.ErrTooLarge, Err: failure.Says(fmt.Sprintf("the entity takes %d bytes, and a table holds entities of %d at most", size, maxEntity))}
	}
	return append(buf, '}'), nil
}

// fail returns the error of a property.
func (c *Codec) fail(p *flat.Property, err error) error {
	if own, ok := err.(*documents.FieldError); ok { //nolint:errorlint // what the shape itself returns
		return own
	}
	return &documents.FieldError{Type: c.shape.Type.String(), Field: p.Field, Property: p.Name, Reason: err.Error()}
}

// append writes a value with its name and type, and returns its size in bytes as the service
// counts it.
func (c *column) append(buf []byte, value any) ([]byte, int, error) {
	switch v := value.(type) {
	case string:
		if !utf8.ValidString(v) {
			return nil, 0, failure.ErrNotUTF8
		}
		name := c.quoted
		if c.UUID && IsGUID(v) {
			name = c.typed
		}
		return appendText(append(buf, name...), v), utf16Size(v), nil
	case bool:
		return strconv.AppendBool(append(buf, c.quoted...), v), 1, nil
	case int32:
		return strconv.AppendInt(append(buf, c.quoted...), int64(v), 10), 4, nil
	case int64:
		buf = append(append(buf, c.typed...), '"')
		return append(strconv.AppendInt(buf, v, 10), '"'), 8, nil
	case float64:
		buf = append(buf, c.typed...)
		if text := special(v); text != "" {
			return appendText(buf, text), 8, nil
		}
		text, err := json.Marshal(v)
		return append(buf, text...), 8, err
	case time.Time:
		if v.UTC().Year() < firstYear || v.UTC().Year() > 9999 {
			return nil, 0, fmt.Errorf("its year is %d, and the service stores times of the years %d to 9999: use a *time.Time that is nil if there is no time", v.UTC().Year(), firstYear)
		}
		buf = append(append(buf, c.typed...), '"')
		return append(append(buf, TimeText(v)...), '"'), 8, nil
	case []byte:
		if v == nil {
			return buf, 0, nil // an absent property is read as nil
		}
		buf = append(append(buf, c.typed...), '"')
		return append(base64.StdEncoding.AppendEncode(buf, v), '"'), len(v), nil
	case error:
		return nil, 0, v
	}
	return nil, 0, fmt.Errorf("a %T cannot be stored", value)
}

// appendText appends a text as JSON, without encoding/json if it needs no escapes.
func appendText(buf []byte, text string) []byte {
	for i := range len(text) {
		if b := text[i]; b < ' ' || b > '~' || b == '"' || b == '\\' {
			quoted, _ := json.Marshal(text) // encoding a text never fails
			return append(buf, quoted...)
		}
	}
	return append(append(append(buf, '"'), text...), '"')
}
