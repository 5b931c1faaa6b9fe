// Command compose writes the types of the simulation: structs whose tags have the features
// of pkgen, so that each two features that go together are on one type. Without an argument it
// writes types with one container. The argument is the name of a place: a feature that says
// which containers a type has.
package main

import (
	"cmp"
	"fmt"
	"go/format"
	"log"
	"os"
	"regexp"
	"slices"
	"strings"
)

// feature is a part of a struct.
type feature struct {
	name   string
	layout bool     // it says how the key is made: a type has exactly one such feature
	place  bool     // it says which containers there are: a type has one at most
	apart  bool     // types of another program have it, or none: only its pairs are known here
	where  string   // words of the blank field in place of "container=TYPE"
	blank  string   // words of the blank field
	more   string   // words of a blank field of its own
	id     string   // words of the field ID after "id"
	line   string   // words of the field Line
	vin    string   // words of the field VIN
	sealed string   // these words in the release before, which the lock has; "" if there is none
	number string   // words of the field Number
	fields []string // further fields
	method string   // of the type, with TYPE for its name
}

const stored = "Stored string `json:\"partitionKey\" cosmos:\"synthetic\"`"

var features = []feature{
	{name: "natural", layout: true, line: "pk"},
	{name: "concat", layout: true, blank: "note=ambiguous", line: "pk,concat,order=1", vin: "pk,concat,order=2", fields: []string{stored}},
	{name: "hash", layout: true, blank: "note=hashedid", line: "pk,hashsuffix=VIN,buckets=4", fields: []string{stored}},
	{name: "forgetful", layout: true, line: "pk,hashsuffix=VIN,buckets=4", blank: "note=synthetic+hashedid"},
	{name: "random", layout: true, line: "pk,randomsuffix,buckets=3", fields: []string{stored}},
	{name: "levels", layout: true, line: "pk,level=1", vin: "pk,level=2"},
	{name: "hashedlevel", layout: true, blank: "note=synthetic+levelsuffix+hashedid", line: "pk,level=1", vin: "pk,level=2,hashsuffix=Number,buckets=3"},
	{name: "idlevel", layout: true, apart: true, id: "pk,level=2", line: "pk,level=1"},
	{name: "template", layout: true, blank: "key=v:{Line}:{VIN|lower%4},escape,note=hashedid", fields: []string{stored}},

	{name: "growing", layout: true, apart: true, blank: "note=synthetic+levelsuffix+hashedid", line: "pk,level=1", vin: "pk,level=2,hashsuffix=Number,buckets=3,next=9", sealed: "pk,level=2,hashsuffix=Number,buckets=3"},

	{name: "windows", place: true, where: "container=TYPE-{At|2006-01}", fields: []string{"At repository.Time `json:\"at\"`"}},
	{name: "own", place: true, blank: "own=TYPE-{Line}", line: "tenant"},
	{name: "formerly", place: true, blank: "formerly=OldTYPE"},

	{name: "etag", fields: []string{"ETag string `json:\"_etag,omitempty\"`"}},
	{name: "created", fields: []string{"Created repository.Time `json:\"created\" cosmos:\"created\"`"}},
	{name: "updated", fields: []string{"Updated repository.Time `json:\"updated\" cosmos:\"updated\"`"}},
	{name: "version", fields: []string{"Version int `json:\"version\" cosmos:\"version\"`"}},
	{name: "deleted", fields: []string{"Gone repository.Time `json:\"gone,omitzero\" cosmos:\"deleted\"`"}},
	{name: "purged", fields: []string{"Purged repository.Time `json:\"purged,omitzero\" cosmos:\"deleted,purge=720h\"`"}},
	{name: "unique", fields: []string{"Mail string `json:\"mail\" cosmos:\"unique\"`"}},
	{name: "schema", fields: []string{"Form int `json:\"form\" cosmos:\"schema=2\"`"}, method: "// Upgrade brings a document of form 1, which had half the value, to form 2.\nfunc (d *TYPE) Upgrade(_ int, _ json.RawMessage) error {\n\td.Value *= 2\n\treturn nil\n}\n"},
	{name: "nextform", apart: true, fields: []string{"Size int `json:\"size\"`", "Grade int `json:\"grade\" cosmos:\"schema=1,next=2\"`"}, method: converts("Downgrade brings a document of form 2, which has the size under another name, to form 1.", "Downgrade", "length")},
	{name: "alias", fields: []string{"Title string `json:\"title\" cosmos:\"was=caption\"`"}},
	{name: "nextname", apart: true, fields: []string{"Label string `json:\"label\" cosmos:\"next=heading\"`"}},
	{name: "later", fields: []string{"Closed bool `json:\"closed\" cosmos:\"later\"`"}},
	{name: "ttl", fields: []string{"TTL int `json:\"ttl,omitempty\" cosmos:\"ttl\"`"}},
	{name: "rest", fields: []string{"Rest map[string]json.RawMessage `json:\"-\" cosmos:\"rest\"`"}},
	{name: "prefix", id: "prefix=d-"},
	{name: "shared", blank: "type=TYPE"},
	{name: "tenant", line: "tenant"},
	{name: "vector", fields: []string{"Vector []float32 `json:\"vector\" cosmos:\"vector=4,cosine,index=flat\"`"}},
	{name: "fulltext", fields: []string{"Body string `json:\"body\" cosmos:\"text=en-US\"`"}},
	{name: "elements", fields: []string{"Parts []string `json:\"parts\" cosmos:\"elements\"`"}},
	{name: "computed", fields: []string{"LowerLine string `json:\"lowerLine\" cosmos:\"computed=LOWER(c.line)\"`"}},
	{name: "index", more: "index=ByTag,key=tag-{Tag},container=TYPE-by-tag", fields: []string{"ByTag string `json:\"byTag\" cosmos:\"synthetic=ByTag\"`"}},
	{name: "conflict", apart: true, blank: "conflict=lww:/revision", fields: []string{"Revision int `json:\"revision\"`"}},
}

// nextRelease has what features in transit become in the release after the one that announces them.
var nextRelease = map[string]feature{
	"nextform": {name: "nextform", fields: []string{"Size int `json:\"length\"`", "Grade int `json:\"grade\" cosmos:\"schema=2\"`"}, method: converts("Upgrade brings a document of form 1, which has the size under another name, to form 2.", "Upgrade", "size")},
	"nextname": {name: "nextname", fields: []string{"Label string `json:\"heading\" cosmos:\"was=label\"`"}},
}

// policies are other forms of the feature conflict, by their names in multiWrite.
var policies = map[string]feature{
	"conflict:second":  {name: "conflict", blank: "conflict=lww"},
	"conflict:version": {name: "conflict", blank: "conflict=lww:/version"},
}

// converts returns a method that reads the size of a document of another form.
func converts(does, name, property string) string {
	return fmt.Sprintf("// %s\nfunc (d *TYPE) %s(_ int, doc json.RawMessage) error {\n\tvar other struct {\n\t\tSize int `json:%q`\n\t}\n\terr := json.Unmarshal(doc, &other)\n\td.Size = other.Size\nREST(%q)\treturn err\n}\n", does, name, property, property)
}

var restOf = regexp.MustCompile(`REST\((.*)\)`)

// source returns a struct with these features, and its methods.
func source(name string, on []feature) string {
	where := "container=TYPE"
	for _, f := range on {
		where = cmp.Or(f.where, where)
	}
	var blank, id, line, vin, number []string
	var fields, methods []string
	add := func(to *[]string, word string) {
		word = strings.ReplaceAll(strings.ReplaceAll(word, "OldTYPE", "Old"+name), "TYPE", strings.ToLower(name))
		if word != "" && !slices.Contains(*to, word) {
			*to = append(*to, word)
		}
	}
	add(&blank, where)
	for _, f := range on {
		add(&blank, f.blank)
		add(&line, f.line)
		add(&vin, f.vin)
		add(&number, f.number)
		add(&id, f.id)
		fields = append(fields, f.fields...)
		if f.method != "" {
			left := ""
			if slices.ContainsFunc(on, func(f feature) bool { return f.name == "rest" }) {
				left = "\tdelete(d.Rest, $1)\n"
			}
			methods = append(methods, restOf.ReplaceAllString(strings.ReplaceAll(f.method, "TYPE", name), left))
		}
	}
	slices.SortStableFunc(line, func(a, b string) int { // "pk" comes first
		return strings.Compare(strings.TrimPrefix(b, "tenant"), strings.TrimPrefix(a, "tenant"))
	})
	var b strings.Builder
	field := func(goName, goType, property string, words ...string) {
		tag := fmt.Sprintf("json:%q", property)
		if all := strings.Join(words, ","); strings.Trim(all, ",") != "" {
			tag += fmt.Sprintf(" cosmos:%q", strings.Trim(all, ","))
		}
		fmt.Fprintf(&b, "\t%s %s `%s`\n", goName, goType, tag)
	}
	names := make([]string, len(on))
	for i, f := range on {
		names[i] = f.name
	}
	fmt.Fprintf(&b, "// %s has the features %s.\ntype %s struct {\n", name, strings.Join(names, ", "), name)
	fmt.Fprintf(&b, "\t_ struct{} `cosmos:%q`\n%s", strings.Join(blank, ","), blanks(name, on))
	if id != nil {
		id = append([]string{"id"}, id...)
	}
	field("ID", "string", "id", id...)
	field("Line", "string", "line", line...)
	field("VIN", "string", "vin", vin...)
	field("Number", "int", "number", number...)
	field("Value", "int", "value")
	field("Tag", "string", "tag")
	for _, f := range fields {
		fmt.Fprintf(&b, "\t%s\n", f)
	}
	fmt.Fprint(&b, "}\n\n")
	for _, m := range methods {
		fmt.Fprintf(&b, "%s\n", m)
	}
	return b.String()
}

// blanks returns the further blank fields of a type with these features.
func blanks(name string, on []feature) string {
	var b strings.Builder
	for _, f := range on {
		if f.more != "" {
			fmt.Fprintf(&b, "\t_ struct{} `cosmos:%q`\n", strings.ReplaceAll(f.more, "TYPE", strings.ToLower(name)))
		}
	}
	return b.String()
}

// formerLayouts are the layouts of documents before they moved. Types of both have the same fields.
var formerLayouts = map[string]string{"levels": "forgetful", "forgetful": "natural", "hashedlevel": "levels", "hash": "concat", "concat": "template", "template": "hash"}

// sources returns the struct with these features and, if its documents come from another
// container, the struct that they had there.
func sources(name string, on []feature) string {
	text := source(name, on)
	if i := slices.IndexFunc(on, func(f feature) bool { return f.name == "formerly" }); i >= 0 {
		old := slices.Delete(slices.Clone(on), i, i+1)
		if was := formerLayouts[on[0].name]; was != "" {
			old[0] = named(was)
		}
		// One discriminator is of both types.
		text += strings.Replace(source("Old"+name, old), "type=old"+strings.ToLower(name), "type="+strings.ToLower(name), 1)
	}
	return text
}

// typeName returns a name for a type with these features.
func typeName(on []feature) string {
	var b strings.Builder
	for _, f := range on {
		b.WriteString(strings.ToUpper(f.name[:1]) + f.name[1:])
	}
	return b.String()
}

// file returns a Go file of a package with these declarations.
func file(pkg, head, declarations string) string {
	var paths []string
	for name, path := range map[string]string{
		"context.":        "context",
		"json.RawMessage": "encoding/json",
		"repository.":     "github.com/cosmos-pkgen/pkgen/repository",
		"admin.":          "github.com/cosmos-pkgen/pkgen/repository/admin",
		"tenancy.":        "github.com/cosmos-pkgen/pkgen/repository/tenancy",
		"feed.":           "github.com/cosmos-pkgen/pkgen/repository/feed",
		"azcosmos.":       "github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos",
		"shapes.":         "github.com/cosmos-pkgen/pkgen/internal/simulation/shapes",
		"older.":          "github.com/cosmos-pkgen/pkgen/internal/simulation/shapes/older",
		"errors.":         "errors",
	} {
		if strings.Contains(declarations, name) {
			paths = append(paths, fmt.Sprintf("import %q\n", path))
		}
	}
	slices.Sort(paths)
	return fmt.Sprintf("%spackage %s\n\n%s\n%s", head, pkg, strings.Join(paths, ""), declarations)
}

// accepted returns the pairs that go together, of features that types of the simulation have.
func accepted() map[[2]string]bool {
	out := map[[2]string]bool{}
	for _, a := range features {
		for _, b := range features {
			if a.name != b.name && !a.apart && !b.apart && (!a.layout || !b.layout) && of(a, b) == nil {
				out[[2]string{a.name, b.name}] = true
			}
		}
	}
	return out
}

// types returns the features of each type that has a place, or none if place is empty: together
// they have each accepted pair of them. Some without a place have few features.
func types(together map[[2]string]bool, place string) [][]feature {
	open := map[[2]string]bool{}
	for p := range together {
		open[p] = place == "" && !named(p[0]).place && !named(p[1]).place || place == p[0] || place == p[1]
	}
	var out [][]feature
	for {
		var best []feature
		most := 0
		for _, layout := range features {
			if !layout.layout || layout.apart {
				continue
			}
			on := []feature{layout}
			if place != "" {
				if on = append(on, named(place), named("etag")); !together[[2]string{layout.name, place}] {
					continue
				}
			}
			on = filled(on, open, together)
			if n := gain(open, on); n > most {
				best, most = on, n
			}
		}
		switch {
		case best == nil && place == "":
			return append(out, few()...)
		case best == nil:
			return out
		}
		for _, a := range best {
			for _, b := range best {
				delete(open, [2]string{a.name, b.name})
			}
		}
		out = append(out, best)
	}
}

// inTransit returns types of which two releases run side by side.
func inTransit(later bool) [][]feature {
	out := typesOf(
		"natural nextform nextname etag created updated version deleted rest shared index", // transactions take no type with unique values
		"concat nextform nextname etag updated version purged unique later prefix shared tenant",
		"forgetful nextform nextname etag created updated version deleted unique later ttl rest",
		"hashedlevel nextform nextname version ttl tenant",
		"hash nextform",
		"levels nextname etag deleted rest tenant",
	)
	for _, on := range out {
		for i, f := range on {
			if next, has := nextRelease[f.name]; has && later {
				on[i] = next
			}
		}
	}
	return out
}

// multiWrite returns types of which several regions take writes. All conditional writes of them
// are allowed.
func multiWrite() [][]feature {
	return typesOf(
		"natural conflict etag created updated version deleted schema rest shared prefix",
		"hash conflict:second etag updated",
		"levels conflict:version etag version tenant later",
		"concat conflict:version etag created version purged alias",
		"forgetful conflict deleted shared",
		"random conflict:second etag created updated version deleted",
	)
}

// few returns types with few features. There are not many, since the compiler takes a second
// or two for each type.
func few() [][]feature {
	return typesOf(
		"hash etag",
		"levels etag updated",
		"natural etag created updated version deleted schema shared", // transactions take no type with unique values
		"concat etag version",
		"idlevel etag created updated version deleted unique schema alias later ttl rest prefix shared tenant vector fulltext elements computed",
	)
}

// typesOf returns the features of types, from their names.
func typesOf(all ...string) [][]feature {
	var out [][]feature
	for _, names := range all {
		var on []feature
		for name := range strings.FieldsSeq(names) {
			on = append(on, named(name))
		}
		out = append(out, on)
	}
	return out
}

func named(name string) feature {
	if policy, has := policies[name]; has {
		return policy
	}
	return features[slices.IndexFunc(features, func(f feature) bool { return f.name == name })]
}

// filled adds to the features of a type others that go with all of them, while one more makes
// new pairs.
func filled(on []feature, open, together map[[2]string]bool) []feature {
	for {
		next, most := -1, 0
		for i, f := range features {
			n := 0
			fits := !f.layout && !f.place && !f.apart && !slices.ContainsFunc(on, func(o feature) bool { return o.name == f.name })
			for _, o := range on {
				fits = fits && together[[2]string{o.name, f.name}]
				if open[[2]string{o.name, f.name}] {
					n++
				}
			}
			if fits && n > most {
				next, most = i, n
			}
		}
		if next < 0 {
			return on
		}
		on = append(on, features[next])
	}
}

// gain returns how many new pairs a type has.
func gain(open map[[2]string]bool, on []feature) int {
	n := 0
	for i, a := range on {
		for _, b := range on[i+1:] {
			if open[[2]string{a.name, b.name}] {
				n++
			}
		}
	}
	return n
}

const head = "// Code generated by compose. DO NOT EDIT.\n\n"

func main() {
	log.SetFlags(0)
	place, pkg := "", "shapes"
	if len(os.Args) > 1 {
		place, pkg = os.Args[1], os.Args[1]
	}
	var declarations, index, functions strings.Builder
	transit := place == "newer" || place == "older"
	var all [][]feature
	switch {
	case transit:
		all = inTransit(place == "newer")
	case place == "multiwrite":
		all = multiWrite()
	default:
		all = types(accepted(), place)
	}
	for i, on := range all {
		name := fmt.Sprintf("%s%d", typeName(on[:1]), i+1)
		if transit {
			name = fmt.Sprintf("%sTransit%d", typeName(on[:1]), i+1)
		} else if place != "" {
			name = fmt.Sprintf("%s%d", typeName(on[:2]), i+1)
		}
		declarations.WriteString(sources(name, on))
		names := make([]string, len(on))
		for j, f := range on {
			names[j] = f.name
		}
		also := ""
		if slices.Contains(names, "tenant") {
			also = tenants[place]
			_, _ = strings.NewReplacer("TYPE", name).WriteString(&functions, tenantHelpers[place])
		}
		indexed := ""
		if slices.Contains(names, "index") {
			indexed = indexes[place]
		}
		line := strings.NewReplacer("TYPE", name, "FEATURES", fmt.Sprintf("%#v", names))
		entry := entries[place]
		switch {
		case transit:
			entry = transitEntry
		case place == "multiwrite":
			entry = multiWriteEntry
		}
		_, _ = line.WriteString(&index, strings.NewReplacer("TENANTS", also, "INDEX", indexed).Replace(entry))
		_, _ = line.WriteString(&functions, helpers[place])
	}
	write("types.go", file(pkg, head, declarations.String()))
	if place == "older" { // its types are in the index of newer
		return
	}
	shape := "shapes.Shape"
	if place == "" {
		shape = "Shape"
	}
	write("index.go", file(pkg, head, fmt.Sprintf("// All are the types, with the features that each has.\nvar All = []%s{\n%s}\n%s", shape, index.String(), functions.String())))
}

// entries are the entries of a type in the index of its package, by place. Each package with a
// place has a function shape, which makes a shape of the functions that are generated.
var entries = map[string]string{
	"": `{
	Name: "TYPE", Features: FEATURES, Containers: []azcosmos.ContainerProperties{TYPEContainer()}, Lock: lock,
	Stages: Alone(func(db *azcosmos.DatabaseClient, o ...repository.Option) Store {
		r := NewTYPERepository(Container(db, TYPEContainer()), o...)
		return Open(r.Documents, r)
	}TENANTS),
INDEX},
`,
	"windows": `shape("TYPE", FEATURES, TYPEContainer, EnsureTYPEContainer, func(db *azcosmos.DatabaseClient, o ...repository.Option) shapes.Store {
	r := NewTYPERepository(db, o...)
	return shapes.OpenWindows(r.Documents, r, r.ScanBetween)
}TENANTS),
`,
	"own": `shape("TYPE", FEATURES, TYPEContainer(), TYPEOwnContainer, func(db *azcosmos.DatabaseClient, d tenancy.Directory, o ...repository.Option) shapes.Store {
	r := NewTYPERepository(db, d, o...)
	return shapes.OpenTenants(func(tenant string) (*repository.Tenant[TYPE, TYPEKey], repository.Query[TYPE]) {
		t := r.For(tenant)
		return &t.Tenant, t.Scan()
	})
}),
`,
	"formerly": `shape("TYPE", FEATURES, OldTYPEContainer(), TYPEContainer(),
	func(db *azcosmos.DatabaseClient, o ...repository.Option) shapes.Store {
		r := NewTYPERepository(shapes.Container(db, TYPEContainer()), o...)
		return shapes.Open(r.Documents, r)
	},
	func(db *azcosmos.DatabaseClient, phase repository.Phase, o ...repository.Option) shapes.Store {
		m := migrationTYPE(db, phase, o...)
		return shapes.OpenMigration(m.Migration, m.Scan)
	},
	func(ctx context.Context, db *azcosmos.DatabaseClient, phase repository.Phase, run admin.Run) (admin.MigrationSummary, error) {
		return admin.MoveAll(ctx, migrationTYPE(db, phase).Migration, run)
	},
),
`,
}

// transitEntry are the entries of a type of which two releases run side by side.
const transitEntry = `sideBySide("TYPE", FEATURES, TYPEContainer(), openTYPE, olderTYPETENANTS)INDEX,
upgraded("TYPE", FEATURES, TYPEContainer(), upgradeTYPE, openTYPE, olderTYPETENANTS)INDEX,
`

// multiWriteEntry is the entry of a type of which several regions take writes.
const multiWriteEntry = `{
	Name: "TYPE", Features: FEATURES, Containers: []azcosmos.ContainerProperties{TYPEContainer()}, Lock: lock,
	Stages: shapes.Alone(func(db *azcosmos.DatabaseClient, o ...repository.Option) shapes.Store {
		r := NewTYPERepository(shapes.Container(db, TYPEContainer()), o...)
		return shapes.Open(r.Documents, r)
	}),
},
`

// indexes are what an entry of a type with an index has besides, by place.
var indexes = map[string]string{
	"": `	Index: NewIndex(TYPEByTagContainer(), TYPEContainer().ID, func(c *azcosmos.ContainerClient, o ...repository.Option) Entries {
		r := NewTYPEByTagRepository(c, o...)
		return OpenEntries(r.Index, r.ByTag)
	}),
`,
	"newer": `.With(shapes.NewIndex(TYPEByTagContainer(), TYPEContainer().ID, func(c *azcosmos.ContainerClient, o ...repository.Option) shapes.Entries {
	r := NewTYPEByTagRepository(c, o...)
	return shapes.OpenEntries(r.Index, r.ByTag)
}))`,
}

// tenants have the entries of types with the feature tenant besides, by place: programs whose
// operations are each of one tenant.
var tenants = map[string]string{
	"": `, func(db *azcosmos.DatabaseClient, o ...repository.Option) Store {
	r := NewTYPERepository(Container(db, TYPEContainer()), o...)
	return OpenTenants(func(tenant string) (*repository.Tenant[TYPE, TYPEKey], repository.Query[TYPE]) {
		t := r.For(tenant)
		return &t.Tenant, t.Scan()
	})
}`,
	"windows": `, func(db *azcosmos.DatabaseClient, o ...repository.Option) shapes.Store {
	r := NewTYPERepository(db, o...)
	return shapes.OpenTenants(func(tenant string) (*repository.Tenant[TYPE, TYPEKey], repository.Query[TYPE]) {
		t := r.For(tenant)
		return &t.Tenant, t.Scan()
	})
}`,
	"newer": ", tenantsTYPE, olderTenantsTYPE",
}

// tenantHelpers are functions that the entries of a type with tenants call, by place.
var tenantHelpers = map[string]string{
	"newer": `
func tenantsTYPE(db *azcosmos.DatabaseClient, o ...repository.Option) shapes.Store {
	r := NewTYPERepository(shapes.Container(db, TYPEContainer()), o...)
	return shapes.OpenTenants(func(tenant string) (*repository.Tenant[TYPE, TYPEKey], repository.Query[TYPE]) {
		t := r.For(tenant)
		return &t.Tenant, t.Scan()
	})
}

func olderTenantsTYPE(db *azcosmos.DatabaseClient, o ...repository.Option) shapes.Store {
	r := older.NewTYPERepository(shapes.Container(db, TYPEContainer()), o...)
	return shapes.OpenTenants(func(tenant string) (*repository.Tenant[older.TYPE, older.TYPEKey], repository.Query[older.TYPE]) {
		t := r.For(tenant)
		return &t.Tenant, t.Scan()
	})
}
`,
}

// helpers are functions that the entries of a type call, by place.
var helpers = map[string]string{
	"newer": `
func openTYPE(db *azcosmos.DatabaseClient, o ...repository.Option) shapes.Store {
	r := NewTYPERepository(shapes.Container(db, TYPEContainer()), o...)
	return shapes.Open(r.Documents, r)
}

func olderTYPE(db *azcosmos.DatabaseClient, o ...repository.Option) shapes.Store {
	r := older.NewTYPERepository(shapes.Container(db, TYPEContainer()), o...)
	return shapes.Open(r.Documents, r)
}

func upgradeTYPE(ctx context.Context, db *azcosmos.DatabaseClient) (bool, error) {
	s, err := admin.Upgrade(ctx, NewTYPERepository(shapes.Container(db, TYPEContainer())).Documents, admin.Run{})
	return s.Done(), errors.Join(err, s.Err)
}
`,
	"formerly": `
func migrationTYPE(db *azcosmos.DatabaseClient, phase repository.Phase, o ...repository.Option) *TYPEMigration {
	from, to := shapes.Container(db, OldTYPEContainer()), shapes.Container(db, TYPEContainer())
	return NewTYPEMigration(NewOldTYPERepository(from, o...), NewTYPERepository(to, o...), phase)
}
`,
}

// write writes a file of Go.
func write(name, text string) {
	formatted, err := format.Source([]byte(text))
	if err != nil {
		log.Fatalf("%s: %v\n%s", name, err, text)
	}
	if err := os.WriteFile(name, formatted, 0o644); err != nil { //nolint:gosec // source is read by all
		log.Fatal(err)
	}
}
