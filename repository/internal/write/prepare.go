package write

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// setType writes into a document what says of which type it is. A document that
// says something else already, in a field of its own, is refused.
func setType(s *Writer, body []byte) ([]byte, error) {
	d := s.Discriminator
	if d == nil {
		return body, nil
	}
	present := text.ValueAt(body, []string{d.Property})
	if d.Value == "" {
		if !s.Owns(body) {
			return nil, fmt.Errorf("property %s says that the document is of another type: choose another value", d.Property)
		}
		return body, nil
	}
	value := []byte(text.Quote(d.Value))
	empty := present == nil || string(present) == "null" || string(present) == `""`
	if !empty && !bytes.Equal(present, value) {
		return nil, fmt.Errorf("property %s has a value of its own, and has to be %s for this type: leave the field empty", d.Property, strconv.Quote(d.Value))
	}
	return text.SetProperty(body, []string{d.Property}, value)
}

// setKey writes into the document body what its key has that is not a
// property of the document already.
func setKey(s *Writer, body []byte, p wire.Place) ([]byte, error) {
	if s.Synthetic {
		return text.SetText(body, s.Paths[0], p.Text)
	}
	for _, level := range s.Made {
		var err error
		if body, err = text.SetText(body, s.Paths[level], p.Made(level)); err != nil {
			return nil, err
		}
	}
	return body, nil
}

// asWritten checks that a document has the id and the properties of its key as
// the texts by which it is looked for, where their types write JSON of their own.
func asWritten(s *Writer, body []byte, p wire.Place) error {
	for _, path := range s.Written {
		value := text.ValueAt(body, text.Names(path))
		if len(value) == 0 || value[0] != '"' || !text.Spells(value, textAt(s, p, path)) {
			return fmt.Errorf("the property %s is not the text of its field: MarshalJSON of the field's type has to write what MarshalText does", path)
		}
	}
	return nil
}

// textAt returns the item id, or the text of the key's level at a path.
func textAt(s *Writer, p wire.Place, path string) string {
	if path == "/id" {
		return p.ID
	}
	levels, ok := p.Value.([]any)
	if !ok {
		levels = []any{p.Value}
	}
	text, _ := levels[slices.Index(s.Paths, path)].(string)
	return text
}

// Prepare makes the JSON in which doc is stored. The key of doc is valid.
func Prepare(s *Writer, op string, p wire.Place, doc any) (Document, error) {
	w := Document{Place: p}
	var err error
	if w.Body, err = marshal(doc, w.ID); err == nil {
		err = s.Integers.check(w.Body) // what the rest has is as it was stored
	}
	if err == nil {
		err = s.Vectors.check(w.Body)
	}
	if err == nil && s.Unknown != nil {
		w.Body, err = s.Unknown.write(doc, w.Body)
	}
	if err == nil {
		err = asWritten(s, w.Body, w.Place)
	}
	if err == nil {
		w.Body, err = setKey(s, w.Body, w.Place)
	}
	if err == nil {
		w.Body, err = setType(s, w.Body)
	}
	if err == nil && s.Schema != nil {
		w.Body, err = text.SetProperty(w.Body, []string{s.Schema.Property}, strconv.AppendInt(nil, int64(s.Schema.Number), 10))
	}
	if err == nil {
		w.Body = s.Deleted.unmarked(w.Body)
		w, err = stampNew(s, w)
	}
	if err == nil {
		err = checkSize(w.Body)
	}
	if err != nil {
		return Document{}, s.Failure(op, w.Place, err)
	}
	return w, nil
}

// CheckKeyUnchanged returns an error if a document remembers to be stored under another key
// than that of p, which its fields give. It remembers nothing if the field is nil.
func CheckKeyUnchanged(s *Writer, op string, p wire.Place, remembered *string) error {
	if remembered == nil || *remembered == "" || *remembered == p.Text {
		return nil
	}
	return &wire.OperationError{
		Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Kind: wire.ErrKeyChanged,
		Err: errors.New("it is stored under " + strconv.Quote(*remembered)),
	}
}

// marshal returns the JSON of doc. A type with its own MarshalJSON must write
// the id that its key names: the usual way to get this wrong is to embed a type
// that has a MarshalJSON, which then writes that part alone.
func marshal(doc any, id string) ([]byte, error) {
	body, err := wire.Marshal(doc)
	if err != nil {
		return nil, err
	}
	if _, ok := doc.(json.Marshaler); !ok {
		return body, nil
	}
	var written struct {
		ID json.RawMessage `json:"id"`
	}
	if err := json.Unmarshal(body, &written); err != nil {
		return nil, fmt.Errorf("MarshalJSON did not write a JSON object: %w", err)
	}
	var text string
	if json.Unmarshal(written.ID, &text) != nil || text != id {
		return nil, errors.New("MarshalJSON wrote no id, or another one than that of the key: does the type embed another one that has a MarshalJSON?")
	}
	return body, nil
}
