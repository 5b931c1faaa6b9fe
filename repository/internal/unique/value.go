package unique

import (
	"fmt"

	"github.com/cosmos-pkgen/pkgen/internal/reservation"
	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
)

// Properties are the JSON names of the unique properties of a type.
type Properties []string

// reserved is the reservation that a document needs for a property.
type reserved struct {
	property string
	id       string // empty for no value
}

// of returns the reservations that a document needs, one for each property.
func (p Properties) of(scope string, document []byte) ([]reserved, error) {
	all := make([]reserved, len(p))
	for i, name := range p {
		value, err := reservation.TextOf(text.Member(document, name))
		if err != nil {
			return nil, fmt.Errorf("property %q: it is unique, and %w", name, err)
		}
		all[i] = reserved{name, reservation.IDOf(scope, name, value)}
	}
	return all, nil
}
