package templates

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// nastyNames are names of fields that generated code needs itself.
var nastyNames = []string{
	"Type", "Func", "Ctx", "Key", "R", "String", "Error", "Len", "Partition", "Repository", "Generated", "Context",
	"Strconv", "ID", "PartitionKey", "Validate", "Azcosmos", "Text", "HTTPMethod", "Typ", "Append", "Nil", "RepositoryKey",
	"RepositoryModel", "K", "N", "B", "C", "E", "Buf", "Err", "URLs", "Range", "Suffix", "RandomSuffix", "Bucket", "Opts", "Any",
	"Int64", "Int32", "JSON", "DB", "TTL", "Throughput", "Ensure", "PatchValue", "Documents", "Query", "Container", "Time", "Netip", "FindInBuckets", "Date", "Create", "Model", "Uint64", "Float64",
}

// nastyWords are the words of nasty types' names.
var nastyWords = []string{"Repository", "Key", "Model", "R", "A", "Range", "Type", "Context", "Partition", "HTTP", "ID", "B", "K", "N", "Var", "_", "É", "V2"}

// nastyPackage renders types of every kind with nasty names in one package, and
// returns its files.
func nastyPackage(t *testing.T) map[string][]byte {
	rng := rand.New(rand.NewPCG(1, 2))
	var source strings.Builder
	source.WriteString("package nasty\n\nimport (\n\t\"encoding/json\"\n\t\"net/netip\"\n\t\"time\"\n)\n\nvar (\n\t_ json.RawMessage\n\t_ netip.Addr\n\t_ time.Time\n)\n")
	files := map[string][]byte{}
	for i := range 60 {
		typ := nastyTypeOf(rng, i)
		writeStruct(&source, typ)
		data, err := Render(typ)
		if err != nil {
			t.Fatal(err)
		}
		files[typ.FileName()] = data
	}
	files["types.go"] = []byte(source.String())
	return files
}

// nastyTypeOf makes the nasty type i.
func nastyTypeOf(rng *rand.Rand, i int) *Type {
	name := fmt.Sprintf("T%d%s%s", i, nastyWords[rng.IntN(len(nastyWords))], nastyWords[rng.IntN(len(nastyWords))])
	if i%5 == 0 {
		name = "t" + name[1:]
	}
	typ := &Type{
		Package: "nasty", PackagePath: goldenPath + "nasty", Source: "types.go", Name: name, Container: "nasty",
		Key: pk.Key{Levels: []pk.Level{{Path: "/partitionKey", Made: true}}}, NoMethods: true, ID: text("DocID", "id"), Kind: Synthetic,
	}
	value := &typ.Levels[0]
	perm := rng.Perm(len(nastyNames))
	next := func() pk.Field {
		f := nastyField(rng, nastyNames[perm[0]])
		perm = perm[1:]
		return f
	}
	for n := range 1 + rng.IntN(6) {
		if n > 0 {
			value.Parts = append(value.Parts, literal("-"))
		}
		value.Parts = append(value.Parts, nastyPart(next()))
	}
	switch i % 4 {
	case 0:
		typ.Stored = ref(text(nastyNames[perm[0]], "partitionKey"))
		value.Parts = append(value.Parts, literal("."), random(9))
	case 1:
		bucket := &pk.Bucket{Count: 9}
		for range 1 + rng.IntN(3) {
			bucket.Hash = append(bucket.Hash, *nastyPart(next()).Component)
		}
		value.Parts = append(value.Parts, literal("."), pk.Part{Bucket: bucket})
	case 2:
		typ.Kind = Natural
		f := nastyField(rng, nastyNames[perm[0]])
		for f.Value == pk.Time || f.Value == pk.Text {
			f = nastyField(rng, nastyNames[perm[0]])
		}
		value.Made, value.Parts = false, []pk.Part{part(f)}
	}
	typ.Ambiguous = i%3 == 0
	typ.Escape = i%3 == 1
	typ.Parsed = typ.Escape && typ.Kind == Synthetic
	if typ.Kind == Synthetic && i%5 == 2 {
		nastyLevels(typ)
	}
	typ.Properties = nastyProperties(rng, typ)
	within := Property{
		Name: "Repository", Pointer: "/repository", Kind: FieldKind{Name: "Object"}, Patch: nastyPatch(rng, FieldKind{Name: "Object"}),
		Properties: nastyProperties(rng, typ),
	}
	typ.Properties = append(slices.DeleteFunc(typ.Properties, func(p Property) bool { return p.Name == within.Name }), within)
	nastyContainer(rng, typ)
	return typ
}

// nastyProperties makes properties of the fields of typ, some of which a patch
// can change.
func nastyProperties(rng *rand.Rand, typ *Type) []Property {
	properties := propertiesOf(typ.allFields())
	for i := range properties {
		properties[i].Patch = nastyPatch(rng, properties[i].Kind)
	}
	return properties
}

func nastyPatch(rng *rand.Rand, kind FieldKind) FieldKind {
	switch {
	case rng.IntN(2) == 0:
		return FieldKind{}
	case kind.Name == "Number":
		return FieldKind{Name: "PatchNumber", Value: kind.Value}
	}
	return kindOf("PatchValue", "any")
}

// nastyContainer gives typ some of what a type says besides its key.
func nastyContainer(rng *rand.Rand, typ *Type) {
	if rng.IntN(2) == 0 {
		typ.TTL = ref(rng.IntN(100) - 1)
	}
	if rng.IntN(2) == 0 {
		typ.Composites = [][]IndexPath{{{Path: "/a"}, {Path: `/"b c"`, Descending: true}}}
	}
	if rng.IntN(2) == 0 {
		typ.Discriminator = &Discriminator{Property: "type", Value: "nasty"}
	}
	if rng.IntN(2) == 0 {
		typ.Rest = &pk.Field{Selector: "JSONRest"}
	}
}

// nastyLevels makes a level of each component of typ, up to three. The last one has
// the suffix.
func nastyLevels(typ *Type) {
	var suffix []pk.Part
	parts := typ.Levels[0].Parts
	if n := len(parts); parts[n-1].Bucket != nil {
		suffix = parts[n-2:]
	}
	typ.Levels = nil
	for n, p := range parts {
		if p.Component == nil || len(typ.Levels) == 3 {
			continue
		}
		made := p.Component.Layout != "" || n%3 == 0
		typ.Levels = append(typ.Levels, level(fmt.Sprintf("/level%d", n), made, p))
	}
	last := &typ.Levels[len(typ.Levels)-1]
	if suffix != nil {
		last.Made = true
		last.Parts = append(last.Parts, suffix...)
	}
	typ.Kind, typ.Parsed = Hierarchical, false
}

func nastyField(rng *rand.Rand, name string) pk.Field {
	kinds := []struct {
		value pk.Value
		typ   string
	}{{pk.String, "string"}, {pk.String, "string"}, {pk.Int, "int"}, {pk.Int, "int64"}, {pk.Uint, "uint8"}, {pk.Bool, "bool"}, {pk.Time, "time.Time"}, {pk.Text, "net/netip.Addr"}}
	kind := kinds[rng.IntN(len(kinds))]
	return field(name, "the"+name, kind.value, kind.typ)
}

func nastyPart(f pk.Field) pk.Part {
	if f.Value == pk.Time {
		return timePart(f, "2006-01-02")
	}
	return part(f)
}

// writeStruct declares typ.
func writeStruct(b *strings.Builder, typ *Type) {
	fmt.Fprintf(b, "\ntype %s struct {\n", typ.Name)
	for _, f := range typ.allFields() {
		pkg := ""
		if f.Type.Path != "" {
			pkg = f.Type.PackageName() + "."
		}
		fmt.Fprintf(b, "\t%s %s%s `json:%q`\n", f.Name, pkg, f.Type.Name, f.Property)
	}
	if typ.Rest != nil {
		fmt.Fprintf(b, "\t%s map[string]json.RawMessage `json:\"-\"`\n", typ.Rest.Selector)
	}
	b.WriteString("}\n")
	if typ.unexported() == typ.Name {
		fmt.Fprintf(b, "\nvar _, _, _ = %s, %s, %s\n", typ.names().constructorName, typ.names().containerName, typ.names().fieldsName)
	}
}
