package untyped

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/cosmos-pkgen/pkgen/repository/internal/wire"
)

// Sealing returns the command that seals the layout of a document type.
func Sealing(typ reflect.Type) string {
	path := typ.PkgPath()
	if path == "main" || strings.HasSuffix(path, "_test") || !strings.Contains(path, "/") {
		path = "./..." // less exact than the package, but valid everywhere
	}
	return fmt.Sprintf("go tool pkgen seal -type %s %s", typ.Name(), path)
}

// PropertiesOf returns the function of a model that returns the properties of a new
// container, or nil.
func PropertiesOf(f any) func(name string) wire.ContainerProperties {
	if f == nil {
		return nil
	}
	return f.(func(name string) wire.ContainerProperties)
}
