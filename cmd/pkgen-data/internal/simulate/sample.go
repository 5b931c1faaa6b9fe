package simulate

import (
	"encoding/json"
	"slices"
)

// samples are the files with values of properties.
type samples struct {
	files []*sampled
}

// sampled are the documents kept from a file.
type sampled struct {
	path     string
	pointers []string            // of the properties that are kept
	rows     [][]json.RawMessage // by document: their values
}

// picked is a property of a file.
type picked struct {
	file   *sampled
	number int // the number of the file
	column int // the number of the property
}

func (p picked) appendTo(b []byte, d *drawing) []byte {
	return append(b, p.file.rows[d.rows[p.number]][p.column]...)
}

// value returns the generator of a property's values.
func (s *samples) value(p Property, name string) value {
	if p.Sample == "" {
		return p.value()
	}
	i := slices.IndexFunc(s.files, func(f *sampled) bool { return f.path == p.Sample })
	return picked{s.files[i], i, slices.Index(s.files[i].pointers, p.pointer(name))}
}

// sizes returns the number of documents of each file.
func (s *samples) sizes() []int {
	var all []int
	for _, f := range s.files {
		all = append(all, len(f.rows))
	}
	return all
}
