package query

import (
	"encoding/json"

	"github.com/cosmos-pkgen/pkgen/repository/internal/text"
	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// undecodable is why a document of a page is not what was asked for.
type undecodable struct {
	id  string
	err error
}

func (u *undecodable) Error() string { return u.err.Error() }

func (u *undecodable) Unwrap() error { return u.err }

// undecodableOf returns the error about a stored document, or about parts of one.
func undecodableOf(document []byte, err error) error {
	bad := &undecodable{err: err}
	if raw := text.ValueAt(document, wire.IDPath); raw != nil {
		_ = json.Unmarshal(raw, &bad.id) // a projection may not have it
	}
	return bad
}
