package templates

import (
	"go/token"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/goname"
)

// FileName is the base name of the file of t: the name of the type in snake case,
// and then _cosmos.go, or _cosmos_test.go if a test file declares the type. Types
// whose names differ only in case or underscores have one file name.
func (t *Type) FileName() string {
	if strings.HasSuffix(t.Source, "_test.go") {
		return goname.Snake(t.Name) + "_cosmos_test.go"
	}
	return goname.Snake(t.Name) + "_cosmos.go"
}

// Names returns every identifier that the file of t declares in its package, in
// the order of the file.
func (t *Type) Names() []string {
	if t.Edge != nil {
		return append(append([]string{t.fieldsName()}, typeNames(t.fieldReferences())...), t.modelName(), t.repositoryName(), t.constructorName())
	}
	names := []string{t.layoutName()}
	if t.Row != nil {
		names = append(names, t.rowLayoutName())
	}
	if t.Prefix != "" {
		names = append(names, t.prefixName())
	}
	if t.NoMethods {
		names = append(names, t.keyOfName())
	}
	names = append(names, t.keyName())
	if t.Parsed {
		names = append(names, t.parseName())
	}
	names = append(names, t.fieldsName())
	names = append(names, typeNames(t.fieldReferences())...)
	names = append(names, t.api().names(t)...)
	names = append(names, t.modelName())
	if t.window() != nil {
		names = append(names, t.windowsName(), t.ensureWindowsName())
	}
	names = append(names, t.repositoryName(), t.constructorName())
	if t.Tenant != nil {
		names = append(names, t.tenantName())
	}
	if t.Former != nil {
		if f := newMigration(t); !f.covered() {
			names = append(names, t.migrationKeyName())
		}
		names = append(names, t.migrationName(), t.newMigrationName())
	}
	return names
}

// MethodNames returns the methods that the document type itself gets. A field of
// the type with such a name does not compile.
func (t *Type) MethodNames() []string {
	if t.NoMethods || t.Edge != nil {
		return nil
	}
	return []string{"PartitionKey", "Key"}
}

func (t *Type) layoutName() string     { return t.Name + "KeyLayout" }
func (t *Type) rowLayoutName() string  { return t.Name + "RowLayout" }
func (t *Type) prefixName() string     { return t.Name + "IDPrefix" }
func (t *Type) keyName() string        { return t.Name + "Key" }
func (t *Type) keyOfName() string      { return t.Name + "KeyOf" }
func (t *Type) fieldsName() string     { return t.Name + "Fields" }
func (t *Type) patchName() string      { return t.Name + "Patch" }
func (t *Type) containerName() string  { return t.Name + "Container" }
func (t *Type) propertiesName() string { return t.unexported() + "Properties" }
func (t *Type) repositoryName() string { return t.Name + "Repository" }
func (t *Type) migrationName() string  { return t.Name + "Migration" }
func (t *Type) tenantName() string     { return t.Name + "Tenant" }
func (t *Type) modelName() string      { return t.unexported() + "Model" }

// migrationKeyName is the name of the type that identifies a document in two
// containers.
func (t *Type) migrationKeyName() string { return t.Name + "MigrationKey" }

func (t *Type) newMigrationName() string { return t.functionName("New", "Migration") }
func (t *Type) ensureName() string {
	return t.functionName("Ensure", goname.UpperFirst(t.api().container))
}
func (t *Type) ownContainerName() string  { return t.Name + "OwnContainer" }
func (t *Type) ensureOwnName() string     { return t.functionName("Ensure", "OwnContainer") }
func (t *Type) windowsName() string       { return t.Name + "Windows" }
func (t *Type) ensureWindowsName() string { return t.functionName("Ensure", "Windows") }
func (t *Type) constructorName() string   { return t.functionName("New", "Repository") }
func (t *Type) parseName() string         { return t.functionName("Parse", "PartitionKey") }

// functionName puts words before and after the name of t. The function is exported
// if t is.
func (t *Type) functionName(before, after string) string {
	if token.IsExported(t.Name) {
		return before + t.Name + after
	}
	return goname.LowerFirstWord(before) + goname.UpperFirst(t.Name) + after
}

// unexported is the name of t with a lower-case first word.
func (t *Type) unexported() string {
	if token.IsExported(t.Name) {
		return goname.LowerFirstWord(t.Name)
	}
	return t.Name
}
