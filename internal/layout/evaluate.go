package layout

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/cosmos-pkgen/pkgen/internal/jsonscan"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/partition"
)

// fewValues is how many values of a document fit without an allocation.
const fewValues = 8

// Key returns the partition key under which generated code stores a document, one JSON object as
// the service stores it. If a property occurs twice, the last one counts.
//
// If the document has no key, the error is an [*Error]. Key also checks the id, as generated code
// does, except for candidates that do not use it.
//
// It reads the document once and decodes only the properties of the layout. It costs one allocation
// for the key's texts, another for each text of more than 32 bytes, and another for a time in a
// zone other than UTC.
func (l *Layout) Key(document []byte) (Key, error) {
	var array [fewValues]span
	slots := array[:]
	if l.slots > len(slots) {
		slots = make([]span, l.slots)
	}
	s := scanner{Checker: jsonscan.Check(document), slots: slots}
	in := values{text: document, spans: slots}
	if err := l.scan(&s, l.reads.children); err != nil {
		return Key{}, err
	}
	return l.key(in)
}

// key makes the key from the values that the layout reads.
func (l *Layout) key(in values) (Key, error) {
	if l.id != nil {
		if err := l.checkID(in.at(l.id.slot)); err != nil {
			return Key{}, err
		}
	}
	k := Key{n: len(l.levels)}
	var buffer [128]byte
	texts := buffer[:0]
	for i := range l.levels {
		var err *Error
		level := &l.levels[i]
		if !level.Made {
			texts, err = level.components[0].appendPlain(texts, in, &k.values[i])
		} else {
			texts, err = level.appendParts(texts, in)
			k.values[i].kind = str
		}
		if err != nil {
			err.Type = l.typ
			return Key{}, err
		}
		if k.values[i].kind == str {
			k.values[i].end = len(texts)
		}
	}
	if len(texts) > partition.MaxKeyBytes {
		return Key{}, &Error{Type: l.typ, Problem: Refused, Reason: reasonOf(partition.Key(string(texts)))}
	}
	k.texts = string(texts)
	return k, nil
}

// scan reads properties of a document.
func (l *Layout) scan(s *scanner, properties []node) error {
	if err := s.read(properties); err != nil {
		err.Type = l.typ
		return err
	}
	return nil
}

// read reads properties of a document.
func (s *scanner) read(properties []node) *Error {
	switch valid, object := s.document(properties); {
	case !valid:
		return &Error{Problem: NotObject, Reason: fmt.Sprintf("the document is not JSON at byte %d: leave it out, or correct it", s.Pos())}
	case !object:
		return &Error{Problem: NotObject, Reason: "the document is JSON, but not an object: leave it out"}
	}
	return nil
}

// reasonOf returns the reason of a component with a problem, or "".
func reasonOf(c partition.Component) string {
	err := partition.Check("", c)
	if err == nil {
		return ""
	}
	var problem *partition.KeyError
	errors.As(err, &problem)
	return problem.Reason
}

// idComponent is the id, for errors.
var idComponent = component{Component: &pk.Component{Field: pk.Field{Property: idProperty}}}

// checkID checks the id of a document.
func (l *Layout) checkID(v value) error {
	reason := ""
	if err := idComponent.expect(v, '"', "string"); err != nil {
		err.Type = l.typ
		return err
	}
	var buffer [64]byte
	b, ok := jsonscan.AppendText(buffer[:0], v.raw)
	switch {
	case !ok:
		reason = noUnicode
	case l.id.prefix != "":
		reason = reasonOf(partition.PrefixedID(string(b), l.id.prefix))
	case !plainID(b):
		reason = reasonOf(partition.ID(string(b)))
	}
	if reason != "" {
		return &Error{Type: l.typ, Property: idProperty, Problem: Refused, Reason: reason}
	}
	return nil
}

// plainID reports whether an id is certainly legal, as most are.
func plainID(id []byte) bool {
	if len(id) == 0 || len(id) > 255 {
		return false
	}
	for _, c := range id {
		if !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'z') && c != '-' && c != '_' && c != ':' {
			return false
		}
	}
	return true
}

// noUnicode is the reason for half of a surrogate pair.
const noUnicode = `has an escape \uD800 to \uDFFF without its other half, which is no character: remove it`

// appendParts appends the text of a level.
func (l *level) appendParts(b []byte, in values) ([]byte, *Error) {
	components := l.components
	for i := range l.Parts {
		p := &l.Parts[i]
		var err *Error
		switch {
		case p.Component != nil:
			b, err = components[0].appendTo(b, in)
			components = components[1:]
		case p.Bucket != nil:
			hashed := len(p.Bucket.Hash)
			var n int
			if n, err = l.number(p.Bucket, components[:hashed], in); err == nil {
				b = strconv.AppendInt(b, int64(n), 10)
			}
			components = components[hashed:]
		default:
			b = append(b, p.Literal...)
		}
		if err != nil {
			return b, err
		}
	}
	return b, nil
}

// number returns the suffix of a document.
func (l *level) number(b *pk.Bucket, hash []component, in values) (int, *Error) {
	switch {
	case in.bucket > 0:
		return in.bucket, nil
	case len(hash) == 0 && l.stored == nil:
		return partition.Hash{}.Text(string(in.text)).Bucket(b.Count), nil
	case len(hash) == 0:
		return l.random(b, in)
	}
	var h partition.Hash
	var buffer [64]byte
	for i := range hash {
		text, err := hash[i].appendTo(buffer[:0], in)
		if err != nil {
			return 0, err
		}
		h = h.Text(string(text))
	}
	return h.Bucket(b.Count), nil
}

// random returns the random suffix in the stored key of a document.
func (l *level) random(b *pk.Bucket, in values) (int, *Error) {
	v := in.at(l.stored.slot)
	if v.raw == nil {
		return 0, l.stored.problem(NoSuffix, "is missing, which holds the random suffix: use the document as it is stored")
	}
	if err := l.stored.expect(v, '"', "string"); err != nil {
		return 0, err
	}
	separator := ""
	if i := len(l.Parts) - 2; i >= 0 {
		separator = l.Parts[i].Literal
	}
	var buffer [64]byte
	text, _ := jsonscan.AppendText(buffer[:0], v.raw)
	n := partition.Suffix(string(text), separator, b.Count)
	if n == 0 {
		return 0, l.stored.problem(NoSuffix, fmt.Sprintf("does not end with %q and a number from 1 to %d, the random suffix that the document was stored with: take the document as it is stored", separator, b.Count))
	}
	return n, nil
}
