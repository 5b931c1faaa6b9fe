package repository

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// sealing returns the command that seals the layout of a document type.
func sealing(typ reflect.Type) string {
	path := typ.PkgPath()
	if path == "main" || strings.HasSuffix(path, "_test") || !strings.Contains(path, "/") {
		path = "./..." // which says less than the package, and is always understood
	}
	return fmt.Sprintf("go tool pkgen seal -type %s %s", typ.Name(), path)
}

// ErrDraft is matched by the error of an operation on a type whose layout is a
// draft, which may still change, where the endpoint is not this machine, so that
// documents stored there could be found no more. Nothing was sent, but for the
// question which regions the account has, and what [EnsureDraft] reads. The error has
// the command that seals the layout.
var ErrDraft = wire.ErrDraft
