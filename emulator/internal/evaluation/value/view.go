package value

import (
	"bytes"
	"fmt"
	"strconv"
	"unsafe"

	"github.com/cosmos-pkgen/pkgen/internal/jsonscan"
)

// View reads JSON text that is valid UTF-8 and valid JSON, as stored documents are. Its
// strings and numbers share the bytes of raw, which must never change. Its cost is linear in
// the length of raw.
func View(raw []byte) Value {
	var r Reader
	return r.Read(raw)
}

// Reader reads one document after another, as [View] does. The zero value reads all of a
// document, into memory of its own.
type Reader struct {
	// Names are the properties of documents to read; nil means all. If Names is not nil, a
	// document must have each name once, and no white space after its end. A document always
	// keeps its text.
	Names map[string]bool
	// Reuse makes a document, and all arrays and objects in it, valid only until the
	// next is read. Reading then allocates next to nothing.
	Reuse bool

	raw []byte // the document
	in  jsonscan.Scanner
	// beyond is the error for the first number that exceeds the range of a float64.
	beyond error

	// The parts of arrays and objects that are not complete yet.
	openFields []field
	openItems  []Value
	// Memory for complete ones.
	fields  pool[field]
	items   pool[Value]
	members pool[Members]
}

// pool cuts slices out of one array after another.
type pool[T any] struct {
	block []T
	used  int
}

// get returns n elements with arbitrary content.
func (p *pool[T]) get(n, least int) []T {
	if p.used+n > len(p.block) {
		p.block = make([]T, max(n, least, min(2*len(p.block), 256)))
		p.used = 0
	}
	p.used += n
	return p.block[p.used-n : p.used : p.used]
}

// Read reads a document.
func (r *Reader) Read(raw []byte) Value {
	if r.Reuse {
		r.fields.used, r.items.used, r.members.used = 0, 0, 0
	}
	r.raw, r.in, r.beyond = raw, jsonscan.Of(raw), nil
	return r.value(r.Names)
}

// Text returns a string that shares the bytes of raw, which must never change.
func Text(raw []byte) string {
	return unsafe.String(unsafe.SliceData(raw), len(raw)) //nolint:gosec // the bytes never change
}

// value reads the value at the present position; names are the properties to read if it
// is an object, nil for all.
func (r *Reader) value(names map[string]bool) Value {
	switch r.in.Kind() {
	case '{':
		return r.object(names)
	case '[':
		return r.array()
	case '"':
		return Value{kind: String, str: r.string()}
	}
	switch raw := r.in.Raw(); raw[0] {
	case 'n':
		return nullValue
	case 't':
		return trueValue
	case 'f':
		return falseValue
	default:
		text := Text(raw)
		f, err := strconv.ParseFloat(text, 64)
		if err != nil && r.beyond == nil {
			r.beyond = fmt.Errorf("number %s at byte %d is beyond the range of a 64-bit float", raw, r.in.Pos()-len(raw))
		}
		return Value{kind: Number, num: f, str: text}
	}
}

func (r *Reader) object(names map[string]bool) Value {
	start, first := r.in.Pos(), len(r.openFields)
	end := 0
	for r.in.Enter('{'); r.in.More(); {
		if names != nil && len(r.openFields)-first == len(names) {
			end = len(r.raw) // no other property is wanted: skip to the end of the document
			break
		}
		name := r.string()
		if names != nil && !names[name] {
			r.in.Skip()
		} else {
			v := r.value(nil)
			r.openFields = append(r.openFields, field{name, v})
		}
	}
	if end == 0 {
		end = r.in.Pos()
	}
	open := r.openFields[first:]
	c := &r.members.get(1, 1)[0]
	*c = Members{raw: r.raw[start:end:end]}
	c.fields = r.fields.get(len(open), 0)[:0]
	if hasTwins(open) {
		for _, f := range open {
			c.set(f.name, f.value)
		}
	} else {
		c.fields = append(c.fields, open...)
	}
	clear(open)
	r.openFields = r.openFields[:first]
	return Value{kind: Object, comp: c}
}

// fewFields is the number of properties up to which an object has no map of names.
const fewFields = 32

// hasTwins reports whether two of a few fields may have the same name.
func hasTwins(fields []field) bool {
	if len(fields) > fewFields {
		return true // not certain
	}
	for i := range fields {
		for j := range i {
			if len(fields[i].name) == len(fields[j].name) && fields[i].name == fields[j].name {
				return true
			}
		}
	}
	return false
}

func (r *Reader) array() Value {
	start, first := r.in.Pos(), len(r.openItems)
	for r.in.Enter('['); r.in.More(); {
		v := r.value(nil)
		r.openItems = append(r.openItems, v)
	}
	end := r.in.Pos()
	open := r.openItems[first:]
	c := &r.members.get(1, 1)[0]
	*c = Members{raw: r.raw[start:end:end]}
	c.items = r.items.get(len(open), 0)
	copy(c.items, open)
	clear(open)
	r.openItems = r.openItems[:first]
	return Value{kind: Array, comp: c}
}

// string reads a string. It shares the memory of the document unless it has escapes.
func (r *Reader) string() string {
	quoted := r.in.Raw()
	if inner := quoted[1 : len(quoted)-1]; bytes.IndexByte(inner, '\\') < 0 {
		return Text(inner)
	}
	said, _ := jsonscan.AppendText(nil, quoted)
	return Text(said)
}
