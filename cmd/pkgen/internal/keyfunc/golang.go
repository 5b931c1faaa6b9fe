package keyfunc

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/goname"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// goReserved are names that parameters cannot have: the keywords of Go, and identifiers that the
// functions here use.
const goReserved = `break case chan const continue default defer else fallthrough for func go goto if import interface map
package range return select struct switch type var
any bool bucket byte err error escape escape2 escape3 exact float64 fmt fnv int int64 level1 level2 level3 lower math
nil rune strconv string strings time uint64 utf8`

// goTypes are the names of Go's types.
var goTypes = types{
	of: map[pk.Value]string{
		pk.String: "string", pk.Int: "int64", pk.Uint: "uint64", pk.Bool: "bool",
		pk.Float: "float64", pk.Time: "time.Time", pk.Text: "string", pk.TextPtr: "string",
	},
	suffix: "int", integer: "float64", texts: "[]string", levels: "[]any",
}

// golang makes texts by concatenation.
type golang struct{}

// writeGo writes a file of package keys:
//
//	func VehicleEventPartitionKey(date, vin string) string {
//		return date + "." + strconv.Itoa(bucket(400, vin))
//	}
func writeGo(f *function) (string, error) {
	f.nameParams(goCamel, goReserved)
	d := golang{}
	name := goname.UpperFirst(f.Name) + "PartitionKey"
	paragraphs := f.describe("go", f.one())
	paragraphs[0].prose = name + " r" + strings.TrimPrefix(paragraphs[0].prose, "R")
	notes := f.notes(func(p *param, note string) string { return p.name + " is " + note })
	if notes != nil {
		paragraphs = append(paragraphs, paragraph{prose: strings.Join(notes, "; ") + "."})
	}
	var body strings.Builder
	body.WriteString(comment(paragraphs, "// ", func(s string) string { return s }))
	body.WriteString(list("func "+name+"(", d.params(f), ") "+d.returns(f)+" {\n", "\t", ",\n"))
	body.WriteString(d.body(f) + "}\n" + f.helpers(d, goHelpers))

	imports, err := d.imports(body.String())
	if err != nil {
		return "", err
	}
	source, err := format.Source([]byte("package keys\n\n" + imports + body.String()))
	return string(source), err
}

// params returns the parameters. Of consecutive parameters with one type, only the last has the
// type.
func (d golang) params(f *function) []string {
	out := make([]string, len(f.params))
	next := ""
	for i, p := range slices.Backward(f.params) {
		typ := goTypes.param(p)
		out[i] = p.name
		if typ != next {
			out[i] += " " + typ
		}
		next = typ
	}
	return out
}

// returns returns the result types of the function.
func (d golang) returns(f *function) string {
	typ := goTypes.returns(f)
	if f.exact(pk.Int, pk.Uint) {
		return "(" + typ + ", error)"
	}
	return typ
}

// body returns the body of the function:
//
//	level2, err := exact(number)
//	if err != nil {
//		return nil, err
//	}
//	return []any{tenantID, level2}, nil
func (d golang) body(f *function) string {
	results := f.results(d)
	if f.Kind != templates.Hierarchical {
		return "return " + results[0] + "\n"
	}
	checks, end := "", ""
	for i, v := range f.values {
		if c := plain(v); c != nil && (c.Value == pk.Int || c.Value == pk.Uint) {
			level := fmt.Sprintf("level%d", i+1)
			checks += level + ", err := " + results[i] + "\nif err != nil {\nreturn nil, err\n}\n"
			results[i], end = level, ", nil"
		}
	}
	return checks + "return " + goTypes.returns(f) + "{" + strings.Join(results, ", ") + "}" + end + "\n"
}

func (d golang) component(p *param, c pk.Component) []piece {
	code := p.name
	switch c.Value {
	case pk.Int:
		code = "strconv.FormatInt(" + code + ", 10)"
	case pk.Uint:
		code = "strconv.FormatUint(" + code + ", 10)"
	case pk.Bool:
		code = "strconv.FormatBool(" + code + ")"
	case pk.Time:
		code += ".UTC().Format(" + quote(c.Layout) + ")"
	}
	return []piece{{code: code, text: true}}
}

func (d golang) join(pieces []piece) string {
	return concatenate(pieces, func(code string) string { return "strconv.Itoa(" + code + ")" }, "\t")
}

func (d golang) helper(name string) string { return name }

func (d golang) bucket(call string) piece { return piece{code: call} }

// exact returns the call, which also returns an error.
func (d golang) exact(p *param) string { return "exact(" + p.name + ")" }

// imports writes the imports of the packages that code uses.
func (d golang) imports(code string) (string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", "package keys\n"+code, parser.SkipObjectResolution)
	if err != nil {
		return "", fmt.Errorf("%w in\n%s", err, code)
	}
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				used[x.Name] = true
			}
		}
		return true
	})
	var lines []string
	for _, p := range []string{"fmt", "hash/fnv", "math", "strconv", "strings", "time", "unicode/utf8"} {
		if used[path.Base(p)] {
			lines = append(lines, quote(p)+"\n")
		}
	}
	switch len(lines) {
	case 0:
		return "", nil
	case 1:
		return "import " + lines[0] + "\n", nil
	}
	return "import (\n" + strings.Join(lines, "") + ")\n\n", nil
}

// goHelpers are the functions that the key's function calls.
var goHelpers = helpers{
	bucket: goBucket, lower: goLower, escape: goEscape, exact: goExact,
	set: func(separators string) string { return quote("%" + separators) },
}

const goBucket = `
// bucket is FNV-1a, then MurmurHash3's fmix32, modulo count, plus 1.
func bucket(count uint32, texts ...string) int {
	h := fnv.New32a()
	h.Write([]byte(strings.Join(texts, "\x00")))
	sum := h.Sum32()
	sum = (sum ^ sum>>16) * 0x85ebca6b
	sum = (sum ^ sum>>13) * 0xc2b2ae35
	return int((sum^sum>>16)%count) + 1
}
`

const goLower = `
// lower converts ASCII letters to lower case, and keeps the rest.
func lower(text string) string {
	b := []byte(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
`

const goEscape = `
// %[1]s percent-encodes characters that would be ambiguous or illegal in a key.
func %[1]s(text string) string {
	var b strings.Builder
	for i, size := 0, 0; i < len(text); i += size {
		var r rune
		r, size = utf8.DecodeRuneInString(text[i:])
		invalid := r == utf8.RuneError && size == 1
		if !invalid && r >= 0x20 && (r < 0x7F || 0x9F < r && r <= 0xFFFF) && !strings.ContainsRune(%[2]s, r) {
			b.WriteRune(r)
			continue
		}
		for _, c := range []byte(text[i : i+size]) {
			fmt.Fprintf(&b, "%%%%%%02X", c)
		}
	}
	return b.String()
}
`

const goExact = `
// exact refuses integers beyond 2^53: Cosmos DB stores doubles, which do not hold
// all of them.
func exact[N int64 | uint64](number N) (float64, error) {
	v := float64(number)
	if math.Abs(v) > 1<<53 || N(v) != number {
		return 0, fmt.Errorf("%d is beyond ±2^53", number)
	}
	return v, nil
}
`
