package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"

	"github.com/cosmos-pkgen/pkgen/example/clickstream"
	"github.com/cosmos-pkgen/pkgen/example/fleet"
	"github.com/cosmos-pkgen/pkgen/example/sales"
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
	name      string
	make      func(*draw) shape
	container func() azcosmos.ContainerProperties
}{
	{"vehicles", newVehicles, fleet.VehicleEventContainer},
	{"clicks", newClicks, clickstream.ClickContainer},
	{"orders", newOrders, sales.OrderContainer},
}

// names returns the names of shapes.
func names() []string {
	list := make([]string, len(shapes))
	for i, s := range shapes {
		list[i] = s.name
	}
	return list
}

// newShape returns the shape with a name, and the line of its container.
func newShape(name string, seed uint64) (s shape, container []byte, err error) {
	for i, s := range shapes {
		if s.name != name {
			continue
		}
		line := struct {
			Database  string                       `json:"database"`
			Container azcosmos.ContainerProperties `json:"container"`
		}{"samples", s.container()}
		container, err = json.Marshal(line)
		return s.make(newDraw(seed, uint64(i))), append(container, '\n'), err
	}
	return nil, nil, fmt.Errorf("there is no shape %q: -shape is one of %s", name, strings.Join(names(), ", "))
}
