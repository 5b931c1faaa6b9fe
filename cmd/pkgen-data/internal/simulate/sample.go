package simulate

import (
	"encoding/json"
	"slices"
)

// samples are the files from which properties take their values.
type samples struct {
	files []*sampled
}

// sampled is what is kept of the documents of a file.
type sampled struct {
	path     string
	pointers []string            // of the properties that are kept
	rows     [][]json.RawMessage // of each document: their values
}

// picked is a property of a file.
type picked struct {
	file   *sampled
	number int // of the file
	column int // of the property
}

func (p picked) appendTo(b []byte, d *drawing) []byte {
	return append(b, p.file.rows[d.rows[p.number]][p.column]...)
}

// value returns what draws the values of a property.
func (s *samples) value(p Property, name string) value {
	if p.Sample == "" {
		return p.value()
	}
	i := slices.IndexFunc(s.files, func(f *sampled) bool { return f.path == p.Sample })
	return picked{s.files[i], i, slices.Index(s.files[i].pointers, p.pointer(name))}
}

// sizes returns how many documents each file has.
func (s *samples) sizes() []int {
	var all []int
	for _, f := range s.files {
		all = append(all, len(f.rows))
	}
	return all
}
