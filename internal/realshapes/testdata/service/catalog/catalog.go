// Package catalog keeps products, and what belongs to them, in one container.
package catalog

import (
	"encoding/json"
	"fmt"
	"time"

	"example.com/platform"
)

// Product is one of several types of its container.
type Product struct {
	_        struct{}        `cosmos:"container=catalog,type=product,orders=Price:desc+Name"`
	ID       string          `json:"id"`
	Category string          `json:"category" cosmos:"pk"`
	Name     string          `json:"name"`
	Price    int             `json:"price"`
	Variants []Variant       `json:"variants"`
	Extra    json.RawMessage `json:"extra,omitempty"`
	SoftDelete
}

// Variant is of a product.
type Variant struct {
	SKU  string            `json:"sku"`
	Size *int              `json:"size"`
	Text map[string]string `json:"text"`
}

// SoftDelete says that a document is deleted without deleting it.
type SoftDelete struct {
	IsDeleted bool       `json:"isDeleted"`
	DeletedAt *time.Time `json:"deletedAt,omitempty"`
}

// Review says its type itself.
type Review struct {
	platform.Document

	_        struct{} `cosmos:"container=catalog,type=review"`
	Type     string   `json:"type"`
	Category string   `json:"category" cosmos:"pk"`
	Stars    int      `json:"stars"`
	Author   *Author  `json:"author,omitempty"`
}

// Author refers to another.
type Author struct {
	Name string  `json:"name"`
	Boss *Author `json:"boss,omitempty"`
}

// Legacy is what was in the container before the others.
type Legacy struct {
	_        struct{}                   `cosmos:"container=catalog"`
	ID       string                     `json:"id"`
	Category string                     `json:"category" cosmos:"pk"`
	Old      string                     `json:"old_field"`
	Rest     map[string]json.RawMessage `json:"-" cosmos:"rest"`
}

// Stock is watched by whatever it has.
type Stock struct {
	fmt.Stringer `json:"-"`
	Watcher

	ID        string    `json:"id"`
	Warehouse string    `json:"warehouse" cosmos:"pk,concat"`
	Aisle     Aisle     `json:"aisle" cosmos:"pk,concat"`
	Count     int       `json:"count"`
	Any       any       `json:"any"`
	Matrix    [][]uint8 `json:"matrix"`
}

// Watcher is not known when a document is read.
type Watcher interface{ Watch() }

// Aisle is an alias of a generic type.
type Aisle = number[int16]

type number[N ~int | ~int16] struct{ N N }

// MarshalText writes the number.
func (n number[N]) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "n%d", n.N), nil }

// UnmarshalText reads the number.
func (n *number[N]) UnmarshalText(text []byte) error {
	_, err := fmt.Sscanf(string(text), "n%d", &n.N)
	return err
}
