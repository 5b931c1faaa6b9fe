package layout

import (
	"bytes"

	"github.com/cosmos-pkgen/pkgen/internal/jsonscan"
)

// scanner reads a JSON text once, checks it as encoding/json does, and keeps the values of some
// properties.
type scanner struct {
	jsonscan.Checker
	slots []span
}

// document reads a JSON text. Valid reports whether it is JSON, and object whether it is an object.
func (s *scanner) document(properties []node) (valid, object bool) {
	if s.Kind() != '{' {
		return s.Value() && s.Ended(), false
	}
	return s.object(properties) && s.Ended(), true
}

// object reads an object, and keeps the values of its properties.
func (s *scanner) object(properties []node) bool {
	for ok := s.Open(); ok; {
		var name []byte
		if name, ok = s.Name(); name == nil {
			return ok
		}
		ok = s.member(find(properties, name))
	}
	return false
}

// member reads the value of a property. n is nil if no layout reads it.
func (s *scanner) member(n *node) (ok bool) {
	if n == nil {
		return s.Value()
	}
	n.forget(s.slots)
	first := s.Kind()
	start := s.Pos()
	if first == '{' {
		ok = s.object(n.children)
	} else {
		ok = s.Value()
	}
	if ok && n.slot >= 0 {
		s.slots[n.slot] = span{start, s.Pos(), s.Plain()}
	}
	return ok
}

// find returns the property with a quoted name, or nil.
func find(properties []node, quoted []byte) *node {
	if len(properties) == 0 {
		return nil
	}
	name := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(name, '\\') >= 0 {
		name, _ = jsonscan.AppendText(nil, quoted)
	}
	for i := range properties {
		if string(name) == properties[i].name {
			return &properties[i]
		}
	}
	return nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
