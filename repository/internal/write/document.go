package write

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cosmos-pkgen/pkgen/documents"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/jsonscan"
	"github.com/cosmos-pkgen/pkgen/internal/jsonvalue"
	"github.com/cosmos-pkgen/pkgen/internal/system"
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
	empty := isNull(present) || string(present) == `""`
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
		value := text.ValueAt(body, jsonpointer.Names(path))
		if len(value) == 0 || value[0] != '"' || !jsonscan.Spells(value, textAt(s, p, path)) {
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

// Prepare makes the JSON in which doc is stored. The key of doc is valid. Prepare sets the
// fields of doc that indexes need; the error is a *partition.KeyError if they cannot be made.
func Prepare(s *Writer, op string, p wire.Place, doc any) (Document, error) {
	if err := s.Indexed.Set(doc); err != nil {
		return Document{}, err
	}
	w := Document{Place: p}
	var err error
	if w.Body, err = marshal(doc, w.ID); err == nil {
		w.Body = s.Computed.Without(w.Body)
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
	return &documents.Error{
		Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Kind: wire.ErrKeyChanged,
		Err: errors.New("it is stored under " + strconv.Quote(*remembered)),
	}
}

// marshal returns the JSON of doc. A type with its own MarshalJSON must write
// the id that its key names: the usual way to get this wrong is to embed a type
// that has a MarshalJSON, which then writes that part alone.
func marshal(doc any, id string) ([]byte, error) {
	body, err := jsonvalue.Marshal(doc)
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

// maxDocumentBytes is how large a document may be: the length of its JSON in UTF-8
// ("Azure Cosmos DB service quotas", limits of an item).
const maxDocumentBytes = 2 << 20

// checkSize returns an error if the service is certain to refuse a document for its
// size. The system's properties, which the service adds, are not in it, so that a
// document just below the limit may be refused all the same, with status 413.
func checkSize(body []byte) error {
	if len(body) <= maxDocumentBytes {
		return nil
	}
	if n := lengthInUTF8(body); n > maxDocumentBytes {
		return fmt.Errorf("%w: its JSON has %d bytes, and %d are possible: divide it, or keep large values elsewhere", wire.ErrTooLarge, n, maxDocumentBytes)
	}
	return nil
}

// lengthInUTF8 returns the length of JSON without the escapes that encoding/json
// writes for <, > and & in texts, and that others write for more: six bytes for a
// character of one to three, and twelve for one of four.
func lengthInUTF8(body []byte) int {
	const escape = 6 // bytes, as \u003c
	n := len(body)
	for i := 0; i < len(body); i++ {
		if body[i] != '\\' {
			continue
		}
		i++ // what is escaped may be another backslash
		if i+4 >= len(body) || body[i] != 'u' {
			continue
		}
		r, err := strconv.ParseUint(string(body[i+1:i+5]), 16, 16)
		switch length := utf8.RuneLen(rune(r)); {
		case err != nil || r < ' ': // has to be escaped
		case length < 0: // half of a character of four bytes
			n -= escape - 2
		default:
			n -= escape - length
		}
		i += 4
	}
	return n
}

// Integers checks the integers in documents of a type: Cosmos DB would round some, since
// it keeps numbers as float64.
type Integers struct{ Document reflect.Type }

// acknowledged reports whether what operations set may be rounded, by the tag of
// the field. It is false of no operations, and of a nil receiver.
func (n *Integers) acknowledged(operations []PatchOperation) bool {
	if n == nil || len(operations) == 0 {
		return false
	}
	return !slices.ContainsFunc(operations, func(o PatchOperation) bool {
		_, _, known := describe(n.Document, o.names())
		return !known
	})
}

// names returns the path of an operation by names and indexes.
func (o PatchOperation) names() []string {
	return jsonpointer.Names(o.Path)
}

// check returns an error for an integer in the JSON of a document, or in that of
// what is at a path within it, which Cosmos DB would round. It names the property,
// not the value. A nil receiver checks nothing.
func (n *Integers) check(body []byte, path ...string) error {
	if n == nil {
		return nil
	}
	return text.LargeIntegers(body, func(digits string, within []string) error {
		return n.judge(digits, append(slices.Clone(path), within...))
	})
}

// judge returns an error for an integer that is rounded, at a path of names and
// indexes. Digits that come back as they were may be those of a float64, unless
// the type says that they are not. If a tag acknowledges that integers are rounded, the
// error is about one that would be rounded beyond its type, and never be read.
func (n *Integers) judge(digits string, path []string) error {
	property, t, acknowledged := describe(n.Document, path)
	f, err := strconv.ParseFloat(digits, 64)
	integer := t != nil && reflect.Int <= t.Kind() && t.Kind() <= reflect.Uint64
	if acknowledged {
		if integer && (err != nil || !holds(t, f)) {
			return fmt.Errorf("property %q: it has an integer that Cosmos DB would round to a number beyond the type %s, which could never be read: store it as text, such as by the option string of its json tag", property, t.Kind())
		}
		return nil
	}
	same := err == nil && strconv.FormatFloat(f, 'f', -1, 64) == digits
	if same && !integer {
		return nil
	}
	return fmt.Errorf("property %q: it has an integer beyond 2^53, which Cosmos DB would round, since it keeps numbers as float64: store it as text, such as by the option string of its json tag", property)
}

// holds reports whether an integer type holds the digits in which a large number comes
// back: all of them, or as few as tell it from its neighbours, with zeros after them.
func holds(t reflect.Type, f float64) bool {
	for _, precision := range []int{0, -1} {
		digits := strconv.FormatFloat(f, 'f', precision, 64)
		var err error
		if t.Kind() >= reflect.Uint {
			_, err = strconv.ParseUint(digits, 10, t.Bits())
		} else {
			_, err = strconv.ParseInt(digits, 10, t.Bits())
		}
		if err != nil {
			return false
		}
	}
	return true
}

// noteInt64 is the name by which a tag says that integers may be rounded.
const noteInt64 = "int64"

// describe follows a path in the JSON of a type. It returns how to name what is
// there, without the keys of maps, which are data; its type, nil if that is not
// known; and whether the tag of a field on the way acknowledges that its integers
// are rounded.
func describe(t reflect.Type, path []string) (property string, at reflect.Type, acknowledged bool) {
	var names []string
	for _, name := range path {
		for t != nil && t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t == nil || len(names) > 0 && writesItself(t) {
			return strings.Join(names, "."), nil, acknowledged
		}
		switch t.Kind() {
		case reflect.Struct:
			field, ok := jsonField(t, name)
			if !ok {
				return strings.Join(append(names, name), "."), nil, acknowledged
			}
			names, t = append(names, name), field.Type
			acknowledged = acknowledged || acknowledges(field.Tag.Get("cosmos"))
		case reflect.Map:
			names, t = append(names, "*"), t.Elem()
		case reflect.Slice, reflect.Array:
			t = t.Elem()
		default:
			t = nil
		}
	}
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t != nil && writesItself(t) {
		t = nil
	}
	return strings.Join(names, "."), t, acknowledged
}

var jsonMarshaler = reflect.TypeFor[json.Marshaler]()

// writesItself reports whether a type has its own JSON.
func writesItself(t reflect.Type) bool {
	return t.Implements(jsonMarshaler) || reflect.PointerTo(t).Implements(jsonMarshaler)
}

// acknowledges reports whether a cosmos tag has the note about integers.
func acknowledges(tag string) bool {
	for word := range strings.SplitSeq(tag, ",") {
		if value, ok := strings.CutPrefix(strings.TrimSpace(word), "note="); ok && slices.Contains(strings.Split(value, "+"), noteInt64) {
			return true
		}
	}
	return false
}

// jsonField returns the field of a struct type that encoding/json writes as a
// property: the shallowest of those that could be.
func jsonField(t reflect.Type, property string) (reflect.StructField, bool) {
	var embedded []reflect.Type
	seen := map[reflect.Type]bool{t: true}
	for level := []reflect.Type{t}; len(level) > 0; level, embedded = embedded, nil {
		for _, t := range level {
			for i := range t.NumField() {
				f := t.Field(i)
				name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				inner := f.Type
				if inner.Kind() == reflect.Pointer {
					inner = inner.Elem()
				}
				switch {
				case f.Anonymous && name == "" && inner.Kind() == reflect.Struct:
					if !seen[inner] {
						seen[inner] = true
						embedded = append(embedded, inner)
					}
				case f.IsExported() && (name == property || name == "" && f.Name == property):
					return f, true
				}
			}
		}
	}
	return reflect.StructField{}, false
}

// Vectors are the properties of a type that have vectors. Cosmos DB takes a vector of
// another length, and does not index it, so that no search finds the document
// ("Vector search in Azure Cosmos DB for NoSQL").
type Vectors []Vector

// Vector is a property that has a vector.
type Vector struct {
	Property   string // its JSON pointer
	Dimensions int
	Float16    bool // the container keeps its numbers in 16 bits
}

// check returns an error for a vector of another length in the JSON of a document. A
// property that is null or absent has no vector.
func (all Vectors) check(body []byte) error {
	for _, v := range all {
		if err := v.judge(text.ValueAt(body, v.names())); err != nil {
			return err
		}
	}
	return nil
}

// checkOperation returns an error for an operation of a patch after which a vector has
// another length.
func (all Vectors) checkOperation(o PatchOperation) error {
	if len(all) == 0 {
		return nil
	}
	path := o.names() // of a removal there is no value, and nothing to judge
	for _, v := range all {
		names := v.names()
		common := min(len(path), len(names))
		if !slices.Equal(path[:common], names[:common]) {
			continue
		}
		if len(path) > len(names) && o.Op != PatchReplace && o.Op != PatchIncrement {
			return fmt.Errorf("it changes how many numbers the vector %s has: set the vector as a whole", v.Property)
		}
		if len(path) == len(names)+1 && o.Op == PatchReplace {
			if err := v.judgeNumber(o.Value); err != nil {
				return fmt.Errorf("a number %w", err)
			}
		}
		if len(path) <= len(names) {
			if err := v.judge(text.ValueAt(o.Value, names[len(path):])); err != nil {
				return err
			}
		}
	}
	return nil
}

func (v Vector) names() []string { return PatchOperation{Path: v.Property}.names() }

// judge returns an error for a value that is not the vector.
func (v Vector) judge(value []byte) error {
	if isNull(value) {
		return nil
	}
	n := text.Length(value)
	if n == v.Dimensions {
		return v.judgeNumbers(value)
	}
	is := fmt.Sprintf("has %d numbers", n)
	switch {
	case n < 0:
		is = "is not an array"
	case n == 1:
		is = "has one number"
	}
	return fmt.Errorf("property %q: the vector %s, and its tag says %d: Cosmos DB does not index such a vector, and no search finds the document. Store a vector of %[3]d numbers, or nil for none", v.Property, is, v.Dimensions)
}

// maxFloat16 is the greatest number of 16 bits (IEEE 754, binary16).
const maxFloat16 = 65504

// judgeNumbers returns an error for a vector with a number that its data type cannot hold.
func (v Vector) judgeNumbers(value []byte) error {
	if !v.Float16 {
		return nil
	}
	for i, raw := range text.Elements(value) {
		if err := v.judgeNumber(raw); err != nil {
			return fmt.Errorf("property %q: number %d %w", v.Property, i, err)
		}
	}
	return nil
}

// judgeNumber returns an error for a number that the data type of the vector cannot hold.
func (v Vector) judgeNumber(raw []byte) error {
	if n, err := strconv.ParseFloat(string(raw), 64); v.Float16 && (err != nil || math.Abs(n) > maxFloat16) {
		return fmt.Errorf("of the vector is beyond %d, the greatest of float16: store vectors of length 1, or remove float16 from the tag and make a new container", maxFloat16)
	}
	return nil
}

// Unknown keeps the properties of documents that their type does not know in a field,
// so that they survive when a document is read, changed and written again.
type Unknown struct {
	// Field returns the field of a document. It is false for another type, such as
	// that of a projection, and nil if a nil pointer is on the way to the field.
	Field  func(doc any) (field *map[string]json.RawMessage, ok bool)
	Fields []string // the properties that the type has
	Known  []string // these, and those of the run time and of the service
}

// knows reports whether a property of a document, which has the names of all, is
// not of the rest. A name that differs in case alone from that of a field is the
// field's, as encoding/json has it, where the document has no other one that is.
func (r *Unknown) knows(name string, all map[string]json.RawMessage) bool {
	if slices.Contains(r.Known, name) {
		return true
	}
	for _, field := range r.Fields {
		if !strings.EqualFold(field, name) {
			continue
		}
		for other := range all {
			if other != name && strings.EqualFold(other, field) {
				return false
			}
		}
		return true
	}
	return false
}

// Decoding returns a decoder that does what decode does, and for documents
// also keeps the rest.
func (r *Unknown) Decoding(decode func([]byte, any) error) func([]byte, any) error {
	return func(data []byte, v any) error {
		if _, ok := r.Field(v); !ok {
			return decode(data, v)
		}
		var all map[string]json.RawMessage
		if err := json.Unmarshal(data, &all); err != nil {
			return err
		}
		others := make(map[string]json.RawMessage)
		for name, value := range all {
			if !r.knows(name, all) {
				others[name] = value
			}
		}
		own, err := r.without(others, all, data)
		if err != nil {
			return err
		}
		if err := decode(own, v); err != nil {
			return err
		}
		// A nil pointer may have been on the way to the field.
		field, _ := r.Field(v)
		if field == nil {
			return nil // there is nowhere to keep it
		}
		if *field = nil; len(others) > 0 {
			*field = others
		}
		return nil
	}
}

// without returns a document as it is decoded: without what encoding/json would
// take for another property, since it differs in case alone.
func (r *Unknown) without(others, all map[string]json.RawMessage, data []byte) ([]byte, error) {
	taken := false
	for name := range others {
		if slices.ContainsFunc(r.Fields, func(field string) bool { return strings.EqualFold(field, name) }) {
			delete(all, name)
			taken = true
		}
	}
	if !taken {
		return data, nil
	}
	return json.Marshal(all)
}

// write adds the rest of doc to its JSON, in the order of names.
func (r *Unknown) write(doc any, body []byte) ([]byte, error) {
	field, _ := r.Field(doc)
	if field == nil {
		return body, nil
	}
	var own map[string]json.RawMessage
	for _, name := range slices.Sorted(maps.Keys(*field)) {
		if slices.Contains(r.Known, name) {
			return nil, fmt.Errorf("the field for unknown properties holds %q, which the type, the key or the system has: delete it there", name)
		}
		if i := slices.IndexFunc(r.Fields, func(known string) bool { return strings.EqualFold(known, name) }); i >= 0 {
			if own == nil {
				if err := json.Unmarshal(body, &own); err != nil {
					return nil, err
				}
			}
			if _, written := own[r.Fields[i]]; !written {
				return nil, fmt.Errorf("the field for unknown properties holds %q, and the document leaves out %q, so a read would confuse them: set the second, or delete the first", name, r.Fields[i])
			}
		}
		value := (*field)[name]
		if value == nil {
			value = json.RawMessage("null")
		}
		if !json.Valid(value) {
			return nil, fmt.Errorf("the field for unknown properties holds %q, whose value is not JSON", name)
		}
		body = text.AppendProperty(body, []byte(text.Quote(name)), value)
	}
	return body, nil
}

// sameDocument reports whether two documents are equal but for the properties
// of the system and others.
func sameDocument(a, b []byte, others ...string) bool {
	var left, right map[string]any
	if json.Unmarshal(a, &left) != nil || json.Unmarshal(b, &right) != nil {
		return false
	}
	for _, names := range [][]string{system.Properties, others} {
		for _, name := range names {
			delete(left, name)
			delete(right, name)
		}
	}
	return reflect.DeepEqual(left, right)
}

// SamePlace reports whether two places are one to Cosmos DB.
func SamePlace(a, b wire.Place) bool { return a.ID == b.ID && a.Name == b.Name }
