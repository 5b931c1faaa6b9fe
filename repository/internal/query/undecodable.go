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

// item decodes a document. An error says which one it is.
func (e *execution) item(document []byte) (any, error) {
	item, err := e.decode(document)
	if err == nil {
		return item, nil
	}
	bad := &undecodable{err: err}
	if raw := text.ValueAt(document, wire.IDPath); raw != nil {
		_ = json.Unmarshal(raw, &bad.id) // a projection may not have it
	}
	return nil, bad
}
