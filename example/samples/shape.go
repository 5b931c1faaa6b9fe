package main

import (
	"fmt"
	"strings"
)

// A shape makes documents of one kind.
type shape interface {
	// document appends the next document, of a moment, to b.
	document(b []byte, now moment) []byte
	// draws returns what the shape draws from.
	draws() *draw
}

// shapes has the constructor of each shape. Each draws from a sequence of its own.
var shapes = []struct {
	name string
	make func(*draw) shape
}{
	{"vehicles", newVehicles},
	{"clicks", newClicks},
	{"orders", newOrders},
}

// names returns the names of shapes.
func names() []string {
	list := make([]string, len(shapes))
	for i, s := range shapes {
		list[i] = s.name
	}
	return list
}

// newShape returns the shape with a name.
func newShape(name string, seed uint64) (shape, error) {
	for i, s := range shapes {
		if s.name == name {
			return s.make(newDraw(seed, uint64(i))), nil
		}
	}
	return nil, fmt.Errorf("there is no shape %q: -shape is one of %s", name, strings.Join(names(), ", "))
}
