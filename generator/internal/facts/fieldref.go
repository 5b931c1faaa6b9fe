package facts

import (
	"go/types"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
)

// FieldRef is a field of a document, however deep.
type FieldRef struct {
	Path     []*types.Var // the fields on the way, the field itself last
	Selector string       // how Go reaches it, such as Date or Meta.Date
	Pointers []string     // the selectors of the pointers on the way
	Property []string     // the JSON properties on the way; nil if JSON does not have the field
	JSON     Property     // the last of these properties
}

// Name returns the Go name of the field.
func (f *FieldRef) Name() string { return f.Field().Name() }

// Field returns the field itself.
func (f *FieldRef) Field() *types.Var { return f.Path[len(f.Path)-1] }

// Same reports whether two references are to one field.
func (f *FieldRef) Same(g *FieldRef) bool { return f.Selector == g.Selector }

// PropertyPath returns the JSON property in the notation of layouts.
func (f *FieldRef) PropertyPath() string { return strings.Join(f.Property, ".") }

// Pointer returns the JSON property as a JSON pointer (RFC 6901).
func (f *FieldRef) Pointer() string {
	return jsonpointer.Of(f.Property...)
}

// KeyPath returns the JSON property in the notation of partition key paths.
func (f *FieldRef) KeyPath() string { return "/" + strings.Join(f.Property, "/") }
