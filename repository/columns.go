package repository

import (
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// columns returns what a statement selects of a document: own, and what it takes
// to sort documents, to tell them apart, and to know where they belong. In a row
// these properties stand where they stand in the document.
func (q selection) columns(own ...string) []string {
	listed := map[string]bool{}
	for _, column := range own {
		listed[column] = true
	}
	columns := own[:len(own):len(own)]
	add := func(name string) {
		if column := text.Column(name); !listed[column] {
			listed[column] = true
			columns = append(columns, column)
		}
	}
	for _, o := range q.orders {
		add(o.Path[0])
	}
	add(wire.RIDPath[0])
	for _, path := range q.source.Paths {
		add(text.Names(path)[0])
	}
	return columns
}
