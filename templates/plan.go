package templates

import (
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/cosmos-pkgen/pkgen/internal/goname"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
	"github.com/cosmos-pkgen/pkgen/templates/internal/scope"
)

// plan has the decisions about the file of a type that precede its text: its names, and the
// fields of its key. The queries and their costs follow from it.
type plan struct {
	*Type
	names
	imports  []importName
	scope    scope.Scope // the names that a parameter may not have
	doc      string      // the name of a document in functions
	noun     string      // for documents in comments: "VehicleEvent documents"
	fields   []keyField  // of the key type, without a random suffix
	suffix   string      // the name of the random suffix in the key type, or ""
	features []*feature
	prices   prices

	random *pk.Level  // the level that ends with a random suffix, or nil
	bucket *pk.Bucket // the suffix of a key of one level, or nil
	scalar bool       // the partition key is a JSON number or boolean: a natural key that is not a string
	idWord string     // the word for the id within a logical partition: "id" or "row key"

	shares  bool // a document of another type may have the id of one of this type
	looks   bool // Upsert, Replace and Delete look first
	hashed  bool // documents with other values can be in the same bucket
	carries bool // a write over a document needs its stamps, or its mark of deletion
	knows   bool // such a write must read the document first: it carries, the id may be another document's, or the form a later one
}

func newPlan(t *Type) *plan {
	taken := scope.Scope{Names: scope.Names{}, Reserved: t.Reserved}
	taken.Add(t.Name)
	taken.Add(t.Names()...)
	imports := importNames(t, taken)
	taken.Add("ctx", "key", "r")
	p := keyPlan(t, t.names(), taken)
	p.imports = imports
	p.doc, p.noun = p.scope.Document(t.Name), t.Name+" documents"
	p.shares = t.Discriminator != nil && t.Prefix == ""
	p.looks = t.Ambiguous || p.shares
	p.carries = t.Deleted != nil || t.Stamps != nil && (t.Stamps.Created != nil || t.Stamps.Version != nil)
	p.knows = p.looks || p.carries || t.Schema != nil
	p.features = t.features()
	p.prices = p.newPrices()
	return p
}

// keyPlan returns the plan of a type's key, within a scope of taken names.
func keyPlan(t *Type, n names, taken scope.Scope) *plan {
	p := &plan{Type: t, names: n, scope: taken, fields: keyFields(t), hashed: t.hashes()}
	if i := slices.IndexFunc(t.Levels, pk.Level.Random); i >= 0 {
		p.random, p.suffix = &t.Levels[i], suffixName(p.fields)
	}
	if t.Kind != Hierarchical && t.Edge == nil {
		p.bucket = t.Levels[0].Bucket()
	}
	p.scalar = t.Kind == Natural && t.Edge == nil && t.Levels[0].Parts[0].Component.Value != pk.String
	if p.idWord = "id"; t.Row != nil {
		p.idWord = "row key"
	}
	return p
}

// keyField returns the field of the key type that holds c, a component of the
// key or the id.
func (f *plan) keyField(c pk.Component) keyField {
	return f.fields[slices.IndexFunc(f.fields, func(field keyField) bool { return field.Selector == c.Selector })]
}

// hashes reports whether a bucket is made of fields that are neither text of the key
// nor the id. Then documents with other values can be in the same bucket.
func (t *Type) hashes() bool {
	tells := scope.Names{t.ID.Selector: true}
	for _, c := range t.components() {
		tells[c.Selector] = tells[c.Selector] || !c.hashed
	}
	return slices.ContainsFunc(t.components(), func(c placed) bool { return !tells[c.Selector] })
}

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
	n := t.names()
	if t.Edge != nil {
		return slices.Concat([]string{n.fieldsName}, typeNames(t.fieldReferences()), []string{n.modelName, n.repositoryName, n.constructorName})
	}
	var all []string
	add := func(is bool, names ...string) {
		if is {
			all = append(all, names...)
		}
	}
	add(true, n.layoutName)
	add(t.Row != nil, n.rowLayoutName)
	add(t.Prefix != "", n.prefixName)
	add(t.NoMethods, n.keyOfName)
	add(true, n.keyName)
	add(t.Parsed, n.parseName)
	add(true, n.fieldsName)
	add(true, typeNames(t.fieldReferences())...)
	for _, x := range t.Elements {
		add(true, x.fieldsName())
		add(true, typeNames(t.elementReferences(x))...)
	}
	add(true, t.api().names(t)...)
	add(true, n.modelName)
	add(t.Leases != "", n.ensureLeasesName)
	add(t.Directory != "", n.ensureDirectoryName)
	add(t.window() != nil, n.windowsName, n.ensureWindowsName)
	add(true, n.repositoryName, n.constructorName)
	add(t.Tenant != nil, n.tenantName)
	if t.Former != nil {
		add(!newMigration(t).covered(), n.migrationKeyName)
		add(true, n.migrationName, n.newMigrationName)
	}
	for i := range t.Indexes {
		add(true, t.declaredFor(&t.Indexes[i])...)
	}
	return all
}

// MethodNames returns the methods that the document type itself gets. A field of
// the type with such a name does not compile.
func (t *Type) MethodNames() []string {
	if t.NoMethods || t.Edge != nil {
		return nil
	}
	return []string{"PartitionKey", "Key"}
}

// names are the names of the file's declarations.
type names struct {
	layoutName, rowLayoutName, prefixName, keyName, keyOfName, parseName, fieldsName, patchName string

	containerName, ownContainerName, propertiesName, ensureName, ensureOwnName, windowsName, ensureWindowsName string

	ensureLeasesName, ensureDirectoryName string

	modelName, repositoryName, constructorName, tenantName, migrationName, migrationKeyName, newMigrationName string

	pendingName, moveStateName string
}

func (t *Type) names() names { return t.namesOf(t.Name) }

// namesOf returns the names of declarations for the type with a name.
func (t *Type) namesOf(name string) names {
	function := func(before, after string) string { // exported if the name is
		if token.IsExported(name) {
			return before + name + after
		}
		return goname.LowerFirstWord(before) + goname.UpperFirst(name) + after
	}
	return names{
		layoutName: name + "KeyLayout", rowLayoutName: name + "RowLayout", prefixName: name + "IDPrefix",
		keyName: name + "Key", keyOfName: name + "KeyOf", parseName: function("Parse", "PartitionKey"),
		fieldsName: name + "Fields", patchName: name + "Patch",
		containerName: name + "Container", ownContainerName: name + "OwnContainer", propertiesName: unexported(name) + "Properties",
		ensureName: function("Ensure", goname.UpperFirst(t.api().container)), ensureOwnName: function("Ensure", "OwnContainer"),
		ensureLeasesName: function("Ensure", "Leases"), ensureDirectoryName: function("Ensure", "Directory"),
		windowsName: name + "Windows", ensureWindowsName: function("Ensure", "Windows"),
		modelName: unexported(name) + "Model", repositoryName: name + "Repository", constructorName: function("New", "Repository"),
		tenantName: name + "Tenant", migrationName: name + "Migration", migrationKeyName: name + "MigrationKey",
		newMigrationName: function("New", "Migration"),
		pendingName:      name + "PendingRead", moveStateName: name + "MoveState",
	}
}

// unexported is the name of t with a lower-case first word.
func (t *Type) unexported() string { return unexported(t.Name) }

func unexported(name string) string {
	if token.IsExported(name) {
		return goname.LowerFirstWord(name)
	}
	return name
}

// keyField is a field of the key type.
type keyField struct {
	pk.Component
	name string // its name in the key type
}

// keyFields returns the fields of the key type, each once: the id, the fields of the
// container's id if there are several containers, the fields of the partition key, and
// the fields of the row key. A time with several layouts has the finest one. A
// repository.Time of the document is a time.Time here, since the start of a period is
// not an instant that a document stores.
func keyFields(t *Type) []keyField {
	fields := []keyField{{Component: pk.Component{Field: t.ID}}}
	for _, c := range t.keyComponents() {
		if c.placing {
			c.Layout = timelayout.Named(c.Layout)
		}
		at := slices.IndexFunc(fields, func(field keyField) bool { return field.Selector == c.Selector })
		switch {
		case at < 0:
			fields = append(fields, keyField{Component: c.Component})
		case c.Finer(fields[at].Component):
			fields[at].Layout, fields[at].Newest = c.Layout, c.Newest
		}
	}
	for i := range fields {
		if fields[i].Instant {
			fields[i].Type = timeType
		}
	}
	var methods []string
	switch {
	case t.Containers != nil:
		methods = append(methods, "Container")
	case t.Own != nil:
		methods = append(methods, ownMethod)
	case t.Row != nil:
		methods = append(methods, "RowKey")
	}
	nameFields(fields, methods)
	return fields
}

var timeType = pk.GoType{Path: timePath, Name: "Time"}

// nameFields names the fields of a key type by their Go names. The first field is
// the id: its name is ID, unless another field has that name. The names of methods
// are taken: methods of all key types, and these.
func nameFields(fields []keyField, methods []string) {
	taken := scope.Of(append(methods, "PartitionKey", "Validate")...)
	for i := range fields[1:] {
		fields[1+i].name = taken.Take(fields[1+i].Name)
	}
	fields[0].name = taken.Take("ID", fields[0].Name, "ItemID")
}

// suffixName is the name of the random suffix in a key type with these fields.
func suffixName(fields []keyField) string {
	return scope.Of(collect(fields, func(field keyField) string { return field.name })...).Take("Suffix", "RandomSuffix")
}

// placed is a Component and its place in the key.
type placed struct {
	pk.Component
	level   int  // the number of its level, from 0
	natural bool // the level is a plain property
	hashed  bool // it is in a bucket
	placing bool // it is in the id of the container, and not in the key
}

func (c placed) selector() string { return c.Selector }

// components returns the components of the key in order, with the hashed ones. A
// component that is used twice comes twice.
func (t *Type) components() []placed {
	var all []placed
	for i, level := range t.Levels {
		for _, c := range componentsOf(level.Parts) {
			c.level, c.natural = i, !c.hashed && !level.Made
			all = append(all, c)
		}
	}
	return all
}

func componentsOf(parts []pk.Part) []placed {
	var all []placed
	for _, part := range parts {
		if part.Component != nil {
			all = append(all, placed{Component: *part.Component})
		}
		if part.Bucket != nil {
			all = append(all, collect(part.Bucket.Hash, func(c pk.Component) placed { return placed{Component: c, hashed: true} })...)
		}
	}
	return all
}

// choose returns the components that match.
func choose(all []placed, match func(placed) bool) []placed {
	var chosen []placed
	for _, c := range all {
		if match(c) {
			chosen = append(chosen, c)
		}
	}
	return chosen
}

// prefixed reports whether a query can read all buckets of a base by the prefix
// that their keys share, without many keys of other bases. That holds if the bucket
// is the last part, after a literal, and the base is made of integers and times:
// their texts do not contain the literal. Only the run time of NoSQL does so.
func (t *Type) prefixed() bool {
	if !t.api().prefixes || t.Kind != Synthetic || len(t.Levels[0].Parts) < 3 {
		return false
	}
	base, last := t.Levels[0].Parts[:len(t.Levels[0].Parts)-1], t.Levels[0].Parts[len(t.Levels[0].Parts)-1]
	return last.Bucket != nil && base[len(base)-1].Literal != "" && !slices.ContainsFunc(base, func(p pk.Part) bool {
		return p.Component != nil && !slices.Contains([]pk.Value{pk.Int, pk.Uint, pk.Time}, p.Component.Value)
	})
}

// allFields returns every field of the document that the file refers to, each
// once: the id, the fields of the key, and the fields that the run time fills in.
func (t *Type) allFields() []pk.Field {
	fields := []pk.Field{t.ID}
	for _, c := range t.keyComponents() {
		fields = append(fields, c.Field)
	}
	filled := []*pk.Field{t.Stored, t.ETag}
	for _, x := range slices.Backward(t.features()) {
		if x.fields != nil {
			filled = append(filled, x.fields(t)...)
		}
	}
	for _, field := range filled {
		if field != nil {
			fields = append(fields, *field)
		}
	}
	return once(fields, func(f pk.Field) string { return f.Selector })
}

// once leaves out elements whose key an earlier element has.
func once[T any](all []T, key func(T) string) []T {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(all), func(x T) bool {
		k := key(x)
		was := seen[k]
		seen[k] = true
		return was
	})
}

// The packages that generated code imports, besides those of field types.
const (
	contextPath    = "context"
	errorsPath     = "errors"
	jsonPath       = "encoding/json"
	strconvPath    = "strconv"
	stringsPath    = "strings"
	timePath       = "time"
	azcosmosPath   = "github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
	root           = "github.com/cosmos-pkgen/pkgen/"
	partitionPath  = root + "partition"
	repositoryPath = root + "repository"
	generatedPath  = root + "repository/generated"
	documentsPath  = root + "documents"
	adminPath      = root + "repository/admin"
	commandPath    = root + "repository/admin/command"
	tenancyPath    = root + "repository/tenancy"
)

// importName is the name of an imported package in a file.
type importName struct {
	path, name string
	alias      bool // the name is not the package's own
}

// importNames returns a name for every package that the file of t may import; the
// file imports the ones that it uses. It avoids the names in taken, and adds its
// own to them.
func importNames(t *Type, taken scope.Scope) []importName {
	var out []importName
	named := scope.Names{t.PackagePath: true}
	name := func(path, pkg string) {
		if named[path] {
			return
		}
		named.Add(path)
		if taken.Free(pkg) && !jen.IsReservedWord(pkg) { // jennifer would rename err
			taken.Add(pkg)
			out = append(out, importName{path: path, name: pkg})
			return
		}
		out = append(out, importName{path: path, name: alias(path, pkg, taken), alias: true})
	}
	for _, p := range slices.Concat([]string{contextPath, strconvPath}, t.api().imports, []string{partitionPath, t.api().runtime, documentsPath, adminPath, tenancyPath, generatedPath}) {
		name(p, path.Base(p))
	}
	for _, x := range t.features() {
		for _, p := range x.imports {
			name(p, path.Base(p))
		}
	}
	keys := []*Type{t}
	for _, x := range t.Indexes {
		keys = append(keys, x.Entry)
	}
	if slices.ContainsFunc(keys, (*Type).prefixed) {
		name(stringsPath, stringsPath)
	}
	for _, c := range slices.Concat(collect(keys, (*Type).keyComponents)...) { // a name that no component needs stays free
		if c.Lower && t.Ambiguous {
			name(stringsPath, stringsPath)
		}
		if c.Value == pk.Time {
			name(timePath, timePath)
		}
	}
	var nameType func(pk.GoType)
	nameType = func(g pk.GoType) {
		if g.Path != "" {
			name(g.Path, g.PackageName())
		}
		for _, arg := range g.Args {
			nameType(arg)
		}
	}
	for _, field := range t.allFields() {
		nameType(field.Type)
	}
	goTypes(t.Properties, nameType)
	for _, x := range t.Elements {
		nameType(x.Type)
		goTypes(x.Properties, nameType)
		x.Guard.types(nameType)
	}
	for _, x := range t.Indexes {
		for _, field := range x.Fields {
			field.Type.types(nameType)
		}
	}
	for _, u := range t.Unique {
		nameType(u.Type)
	}
	t.Guard.types(nameType)
	return out
}

// alias takes a name for the package pkg, whose own name is taken: the path element
// before it and then its name, such as pkgenpartition. For the standard library the
// first word is std.
func alias(importPath, pkg string, taken scope.Scope) string {
	before := path.Base(path.Dir(importPath))
	if before == "." {
		before = "std"
	}
	letters := strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(before))
	name := strings.TrimLeft(letters, "0123456789") + pkg
	for i := 2; !taken.Free(name); i++ {
		name = pkg + strconv.Itoa(i)
	}
	taken.Add(name)
	return name
}

// goType writes g as the file refers to it.
func goType(g pk.GoType) *jen.Statement {
	s := jen.Id(g.Name)
	if g.Path != "" {
		s = jen.Qual(g.Path, g.Name)
	}
	if len(g.Args) == 0 {
		return s
	}
	return s.Types(collect(g.Args, func(arg pk.GoType) jen.Code { return goType(arg) })...)
}
