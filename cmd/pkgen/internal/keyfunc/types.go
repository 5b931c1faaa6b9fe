package keyfunc

import (
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// types are the names that a language has for types.
type types struct {
	of      map[pk.Value]string // of a parameter, and of a key that is not an integer
	suffix  string              // of a random suffix
	integer string              // of a key that is an integer
	texts   string              // of the levels of a key, if all are texts
	levels  string              // of other levels
}

// param returns the type of a parameter.
func (t types) param(p *param) string {
	if p.count > 0 {
		return t.suffix
	}
	return t.of[p.Value]
}

// returns returns the type of the key.
func (t types) returns(f *function) string {
	switch c := plain(f.values[0]); {
	case f.Kind == templates.Hierarchical && f.texts():
		return t.texts
	case f.Kind == templates.Hierarchical:
		return t.levels
	case c == nil:
		return t.of[pk.String]
	case c.Value == pk.Int || c.Value == pk.Uint:
		return t.integer
	default:
		return t.of[c.Value]
	}
}
