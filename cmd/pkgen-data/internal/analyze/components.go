package analyze

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/layout"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// components are the texts of a layout without clear ends: documents with different components may
// have the same key.
type components struct {
	at    []int // pointers of the set
	lower []bool
}

// componentsOf returns them, and adds their JSON pointers to pointers. There are none if each level
// has one component, or components are escaped.
func componentsOf(k pk.Key, pointers *[]string) components {
	var c components
	for _, level := range k.Levels {
		made := slices.DeleteFunc(slices.Clone(level.Parts), func(p pk.Part) bool { return p.Literal != "" })
		if k.Escape || len(made) < 2 {
			continue
		}
		for _, p := range made {
			if text := p.Component; text != nil && text.Layout == "" { // times have a fixed width
				c.at = append(c.at, len(*pointers))
				c.lower = append(c.lower, text.Lower)
				*pointers = append(*pointers, Pointer(text.Property))
			}
		}
	}
	return c
}

// Pointer returns the JSON pointer of a property in a layout.
func Pointer(property string) string { return jsonpointer.Of(strings.Split(property, ".")...) }

// hash returns a hash of the components of a document; 0 if there are none.
func (c components) hash(d *layout.Document) uint32 {
	if len(c.at) == 0 {
		return 0
	}
	h := uint64(14695981039346656037) // FNV-1a
	add := func(b byte) { h = (h ^ uint64(b)) * 1099511628211 }
	for i, at := range c.at {
		for _, b := range textOf(d, at) {
			if c.lower[i] && 'A' <= b && b <= 'Z' {
				b += 'a' - 'A'
			}
			add(b)
		}
		add(0xff) // no text has it
	}
	return max(uint32(mix(h)), 1)
}

// textOf returns the text of a component's property.
func textOf(d *layout.Document, at int) []byte {
	value := d.Value(at)
	switch {
	case len(value) == 0:
		return nil
	case value[0] != '"':
		if bytes.ContainsAny(value, ".eE") { // the service may write 1000 as 1e3
			if f, err := strconv.ParseFloat(string(value), 64); err == nil && f == math.Trunc(f) {
				return strconv.AppendFloat(nil, f, 'f', -1, 64)
			}
		}
		return value
	case bytes.IndexByte(value, '\\') < 0:
		return value[1 : len(value)-1]
	}
	text, _ := d.Text(at)
	return []byte(text)
}
