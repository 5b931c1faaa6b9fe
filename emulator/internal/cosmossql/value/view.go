package value

import (
	"encoding/json"
	"strconv"
	"strings"
	"unsafe"
)

// View reads JSON text that is known to be valid UTF-8 and valid JSON, as stored
// documents are. Its strings and numbers share the bytes of raw, which must never
// change. Its cost is linear in the length of raw.
func View(raw []byte) Value {
	var r Reader
	return r.Read(raw)
}

// Reader reads one document after another, as [View] does. The zero value reads all of a
// document, into memory of its own.
type Reader struct {
	// Names are the properties of documents that are read; nil means all. Each document
	// then has a name once, and no white space after it; it always keeps its text.
	Names map[string]bool
	// Reuse makes a document, and all arrays and objects in it, valid only until the
	// next is read. Reading then allocates next to nothing.
	Reuse bool

	text string // the document
	raw  []byte // the same
	pos  int

	// The parts of arrays and objects that are not complete yet.
	openFields []field
	openItems  []Value
	// Memory for those that are complete.
	fields  pool[field]
	items   pool[Value]
	members pool[Members]
}

// pool gives slices out of one array after another.
type pool[T any] struct {
	block []T
	used  int
}

// get returns n elements, whose content is of no meaning.
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
	r.raw, r.pos = raw, 0
	r.text = Text(raw)
	return r.value(r.Names)
}

// Text returns a string that shares the bytes of raw, which must never change.
func Text(raw []byte) string {
	return unsafe.String(unsafe.SliceData(raw), len(raw)) //nolint:gosec // the bytes never change
}

// space skips white space and returns the byte after it.
func (r *Reader) space() byte {
	for {
		c := r.text[r.pos]
		if c > ' ' {
			return c
		}
		r.pos++
	}
}

// value reads the value at the present position; names are the properties to read if it
// is an object, nil for all.
func (r *Reader) value(names map[string]bool) Value {
	switch r.space() {
	case '{':
		return r.object(names)
	case '[':
		return r.array()
	case '"':
		return Value{kind: String, str: r.string()}
	case 'n':
		r.pos += len("null")
		return nullValue
	case 't':
		r.pos += len("true")
		return trueValue
	case 'f':
		r.pos += len("false")
		return falseValue
	default:
		text := r.number()
		f, _ := strconv.ParseFloat(text, 64) // numbers are checked before they are stored
		return Value{kind: Number, num: f, str: text}
	}
}

func (r *Reader) object(names map[string]bool) Value {
	start, first := r.pos, len(r.openFields)
	r.pos++
	for r.space() != '}' {
		if names != nil && len(r.openFields)-first == len(names) {
			r.pos = len(r.text) - 1 // nothing else is wanted: the end of the document
			break
		}
		name := r.string()
		r.space() // in front of the colon
		r.pos++
		if names != nil && !names[name] {
			r.skip()
		} else {
			v := r.value(nil)
			r.openFields = append(r.openFields, field{name, v})
		}
		if r.space() == ',' {
			r.pos++
		}
	}
	r.pos++
	open := r.openFields[first:]
	c := &r.members.get(1, 1)[0]
	*c = Members{raw: r.raw[start:r.pos:r.pos]}
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

// fewFields is up to how many properties an object has no map of their names.
const fewFields = 32

// hasTwins reports whether two of a few fields have one name.
func hasTwins(fields []field) bool {
	if len(fields) > fewFields {
		return true // perhaps
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
	start, first := r.pos, len(r.openItems)
	r.pos++
	for r.space() != ']' {
		v := r.value(nil)
		r.openItems = append(r.openItems, v)
		if r.space() == ',' {
			r.pos++
		}
	}
	r.pos++
	open := r.openItems[first:]
	c := &r.members.get(1, 1)[0]
	*c = Members{raw: r.raw[start:r.pos:r.pos]}
	c.items = r.items.get(len(open), 0)
	copy(c.items, open)
	clear(open)
	r.openItems = r.openItems[:first]
	return Value{kind: Array, comp: c}
}

// string reads a string; the position is at its opening quote.
func (r *Reader) string() string {
	inner := r.text[r.pos+1:]
	end := strings.IndexByte(inner, '"')
	if strings.IndexByte(inner[:end], '\\') < 0 {
		r.pos += end + 2
		return inner[:end]
	}
	start := r.pos
	r.skipString()
	var s string
	_ = json.Unmarshal(r.raw[start:r.pos], &s) // the text is valid
	return s
}

func (r *Reader) number() string {
	start := r.pos
	for r.pos < len(r.text) {
		switch c := r.text[r.pos]; {
		case c >= '0' && c <= '9', c == '-', c == '+', c == '.', c == 'e', c == 'E':
			r.pos++
			continue
		}
		break
	}
	return r.text[start:r.pos]
}

// skip passes over a value.
func (r *Reader) skip() {
	depth := 0
	for {
		switch r.space() {
		case '"':
			r.skipString()
		case '{', '[':
			depth++
			r.pos++
		case '}', ']':
			depth--
			r.pos++
		case ',', ':':
			r.pos++
			continue
		case 'n', 't':
			r.pos += 4
		case 'f':
			r.pos += 5
		default:
			r.number()
		}
		if depth == 0 {
			return
		}
	}
}

// skipString passes over a string.
func (r *Reader) skipString() {
	for {
		end := r.pos + 1 + strings.IndexByte(r.text[r.pos+1:], '"')
		slashes := 0
		for r.text[end-1-slashes] == '\\' {
			slashes++
		}
		r.pos = end
		if slashes%2 == 0 {
			r.pos++
			return
		}
	}
}
