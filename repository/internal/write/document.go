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

// setType writes the discriminator into a document. It returns an error if the document has
// another value there.
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

// setKey writes the levels of the partition key that are not properties of the document.
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

// asWritten returns an error if a key property whose Go type has its own MarshalJSON was
// not written as its text in the key. Point reads and queries use that text.
func asWritten(s *Writer, body []byte, p wire.Place) error {
	for _, path := range s.Written {
		value := text.ValueAt(body, jsonpointer.Names(path))
		if len(value) == 0 || value[0] != '"' || !jsonscan.Spells(value, textAt(s, p, path)) {
			return fmt.Errorf("the property %s is not the text of its field: MarshalJSON of the field's type has to write what MarshalText does", path)
		}
	}
	return nil
}

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

// Prepare returns doc as it is stored. The key of doc must be valid. Prepare sets the
// fields of doc that indexes need; the error is a *partition.KeyError if that fails.
func Prepare(s *Writer, op string, p wire.Place, doc any) (Document, error) {
	if err := s.Indexed.Set(doc); err != nil {
		return Document{}, err
	}
	w := Document{Place: p}
	var err error
	if w.Body, err = marshal(doc, w.ID); err == nil {
		w.Body = s.Computed.Without(w.Body)
		err = s.Integers.check(w.Body) // unknown properties stay as they were stored
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

// CheckKeyUnchanged returns an error if doc remembers another partition key than p, which
// its fields make. A nil or empty remembered key is accepted.
func CheckKeyUnchanged(s *Writer, op string, p wire.Place, remembered *string) error {
	if remembered == nil || *remembered == "" || *remembered == p.Text {
		return nil
	}
	return &documents.Error{
		Op: op, Type: s.Type, ID: p.ID, PartitionKey: p.Name, Kind: wire.ErrKeyChanged,
		Err: errors.New("it is stored under " + strconv.Quote(*remembered)),
	}
}

// marshal returns the JSON of doc. If its type has a MarshalJSON, the output must have the
// id of the key. A type that embeds another one with a MarshalJSON usually fails this
// check, because only the embedded part is written.
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

// maxDocumentBytes is the largest size of a document: the length of its JSON in UTF-8
// ("Azure Cosmos DB service quotas", limits of an item).
const maxDocumentBytes = 2 << 20

// checkSize returns an error if the service is certain to refuse the document. The system
// properties that the service adds are not counted, so the service may still refuse a
// document just below the limit with status 413.
func checkSize(body []byte) error {
	if len(body) <= maxDocumentBytes {
		return nil
	}
	if n := lengthInUTF8(body); n > maxDocumentBytes {
		return fmt.Errorf("%w: its JSON has %d bytes, and %d are possible: divide it, or keep large values elsewhere", wire.ErrTooLarge, n, maxDocumentBytes)
	}
	return nil
}

// lengthInUTF8 returns the length of JSON as if each \u escape that is not required were
// the character itself.
func lengthInUTF8(body []byte) int {
	const escape = 6 // bytes, as \u003c
	n := len(body)
	for i := 0; i < len(body); i++ {
		if body[i] != '\\' {
			continue
		}
		i++ // skip the escaped character, which may be another backslash
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

// Integers refuses integers that Cosmos DB would round, because it stores numbers as
// float64.
type Integers struct{ Document reflect.Type }

// acknowledged reports whether tags allow all values of these operations to be rounded. It
// is false for no operations and for a nil receiver.
func (n *Integers) acknowledged(operations []PatchOperation) bool {
	if n == nil || len(operations) == 0 {
		return false
	}
	return !slices.ContainsFunc(operations, func(o PatchOperation) bool {
		_, _, known := describe(n.Document, o.names())
		return !known
	})
}

// names returns the path of an operation as names and indexes.
func (o PatchOperation) names() []string {
	return jsonpointer.Names(o.Path)
}

// check returns an error for an integer that Cosmos DB would round, in the JSON of a
// document or of the value at a path in it. The error has the property but not the value. A
// nil receiver checks nothing.
func (n *Integers) check(body []byte, path ...string) error {
	if n == nil {
		return nil
	}
	return text.LargeIntegers(body, func(digits string, within []string) error {
		return n.judge(digits, append(slices.Clone(path), within...))
	})
}

// judge returns an error for an integer beyond 2^53 at a path, unless its digits survive
// float64 and its type is not an integer type. If a tag acknowledges rounding, only an
// integer that would be rounded beyond its type is an error: it could never be read.
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

// holds reports whether an integer type holds a large number in both spellings that the
// service may return: all its digits, or the shortest unique ones padded with zeros.
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

const noteInt64 = "int64"

// describe follows a path in the JSON of a type. It returns a name for the property there,
// without the keys of maps, which are data; its type, or nil if unknown; and whether a tag
// on the way acknowledges that integers are rounded.
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

func writesItself(t reflect.Type) bool {
	return t.Implements(jsonMarshaler) || reflect.PointerTo(t).Implements(jsonMarshaler)
}

// acknowledges reports whether a cosmos tag has note=int64.
func acknowledges(tag string) bool {
	for word := range strings.SplitSeq(tag, ",") {
		if value, ok := strings.CutPrefix(strings.TrimSpace(word), "note="); ok && slices.Contains(strings.Split(value, "+"), noteInt64) {
			return true
		}
	}
	return false
}

// jsonField returns the field that encoding/json writes as a property: the shallowest
// candidate.
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

// Vectors are the vector properties of a type. Cosmos DB accepts a vector of another length
// but does not index it, so that no search finds the document ("Vector search in Azure
// Cosmos DB for NoSQL").
type Vectors []Vector

// Vector is a property that has a vector.
type Vector struct {
	Property   string // its JSON pointer
	Dimensions int
	Float16    bool // the container stores its numbers in 16 bits
}

// check returns an error for a vector of a wrong length or with a number out of range. A
// null or absent property is valid.
func (all Vectors) check(body []byte) error {
	for _, v := range all {
		if err := v.judge(text.ValueAt(body, v.names())); err != nil {
			return err
		}
	}
	return nil
}

// checkOperation returns an error if a patch would make a vector invalid.
func (all Vectors) checkOperation(o PatchOperation) error {
	if len(all) == 0 {
		return nil
	}
	path := o.names() // a removal has no value, so nothing is judged
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

// judgeNumber returns an error if the data type of the vector cannot hold a number.
func (v Vector) judgeNumber(raw []byte) error {
	if n, err := strconv.ParseFloat(string(raw), 64); v.Float16 && (err != nil || math.Abs(n) > maxFloat16) {
		return fmt.Errorf("of the vector is beyond %d, the greatest of float16: store vectors of length 1, or remove float16 from the tag and make a new container", maxFloat16)
	}
	return nil
}

// Unknown keeps the properties that the Go type lacks in one of its fields, so that they
// survive a read, a change and a write.
type Unknown struct {
	// Field returns the field of a document. It is false for other types, such as
	// projections, and nil if a pointer on the way to the field is nil.
	Field  func(doc any) (field *map[string]json.RawMessage, ok bool)
	Fields []string // the JSON names of the type's fields
	Known  []string // Fields, and the properties of the run time and of the service
}

// knows reports whether a property is known. A name that differs from a field's only in
// case is the field's, as in encoding/json, unless the document has another such name.
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

// Decoding wraps decode: for documents with the field, the result also keeps unknown
// properties.
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
		// decode may have allocated a nil pointer on the way to the field.
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

// without removes unknown properties that encoding/json would take for a field because they
// differ only in case.
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

// write adds the unknown properties of doc to its JSON, sorted by name.
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

// sameDocument reports whether two documents are equal, apart from the properties of the
// system and others.
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

// SamePlace reports whether two places have one id and one partition key.
func SamePlace(a, b wire.Place) bool { return a.ID == b.ID && a.Name == b.Name }
