package keyfunc

import (
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
)

// pythonReserved are names that parameters cannot have: the keywords of Python 3, and identifiers
// that the functions here use.
const pythonReserved = `False None True and as assert async await break class continue def del elif else except
finally for from global if import in is lambda nonlocal not or pass raise return try while with yield
bool bucket bucket2 bucket3 bytes datetime float int list re str timezone`

// pythonTypes are the names of Python's types.
var pythonTypes = types{
	of: map[pk.Value]string{
		pk.String: "str", pk.Int: "int", pk.Uint: "int", pk.Bool: "bool",
		pk.Float: "float", pk.Time: "datetime", pk.Text: "str", pk.TextPtr: "str",
	},
	suffix: "int", integer: "int", texts: "list[str]", levels: "list",
}

// python makes texts as f-strings. Before Python 3.12 the braces of an f-string cannot contain a
// quotation mark or a backslash. The call of a bucket may contain both, so buckets are computed in
// statements before the f-string.
type python struct {
	statements []string
	buckets    int
}

// writePython writes a function:
//
//	def vehicle_event_partition_key(date: str, vin: str) -> str:
//	    """Returns the partition key of the VehicleEvent with these properties, …
//	    …
//	    """
//	    bucket = _bucket(400, vin)
//	    return f"{date}.{bucket}"
func writePython(f *function) (string, error) {
	if err := f.precision(6, "Python's datetime"); err != nil {
		return "", err
	}
	f.nameParams(snake, pythonReserved)
	d := &python{}
	var params []string
	for _, p := range f.params {
		params = append(params, p.name+": "+pythonTypes.param(p))
		if p.layout != "" {
			d.statements = append(d.statements, p.name+" = _utc("+p.name+")")
		}
	}
	result := f.result(d, "[", "]")
	fit := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace
	doc := strings.TrimLeft(comment(f.describe("python", f.one()), "    ", fit), " ")
	args := f.notes(func(p *param, note string) string { return "        " + p.name + ": " + fit(note) + "\n" })
	if args != nil {
		doc += "\n    Args:\n" + strings.Join(args, "")
	}

	var b strings.Builder
	b.WriteString(d.imports(f))
	b.WriteString(list("def "+snake(f.functionWords())+"(", params, ") -> "+pythonTypes.returns(f)+":\n", "    ", ",\n"))
	b.WriteString("    \"\"\"" + doc + "    \"\"\"\n")
	for _, s := range append(d.statements, "return "+result) {
		b.WriteString("    " + s + "\n")
	}
	b.WriteString(f.helpers(d, pythonHelpers))
	return b.String(), nil
}

func (d *python) component(p *param, c pk.Component) []piece {
	switch c.Value {
	case pk.Bool:
		return []piece{{code: "'true' if " + p.name + " else 'false'", text: true}}
	case pk.Time:
		return pythonTime(p.name, c.Layout)
	}
	return []piece{{code: p.name, text: c.Value != pk.Int && c.Value != pk.Uint}}
}

// pythonTime returns the text of a time, without strftime, whose %Y does not pad years before 1000
// on every system.
func pythonTime(name, layout string) []piece {
	fields := map[string]string{
		"2006": ".year:04", "01": ".month:02", "02": ".day:02", "15": ".hour:02", "04": ".minute:02", "05": ".second:02",
		"1": ".month", "2": ".day", "4": ".minute", "5": ".second",
	}
	var out []piece
	for _, e := range timelayout.Scan(layout) {
		switch e.Unit {
		case timelayout.Literal:
			out = append(out, piece{literal: e.Text})
		case timelayout.Fraction:
			n, unit := len(e.Text)-len("."), ""
			if n < 6 {
				unit = " // 1" + strings.Repeat("0", 6-n)
			}
			out = append(out, piece{literal: "."}, piece{code: fmt.Sprintf("%s.microsecond%s:0%d", name, unit, n)})
		default:
			out = append(out, piece{code: name + fields[e.Text]})
		}
	}
	return out
}

// join returns an f-string, or str() for a single number.
func (d *python) join(pieces []piece) string {
	if p := pieces[0]; len(pieces) == 1 && p.code != "" && !strings.Contains(p.code, ":") {
		return "str(" + p.code + ")"
	}
	var b strings.Builder
	for _, p := range pieces {
		if p.code == "" {
			b.WriteString(escaped(p.literal, '"'))
			continue
		}
		b.WriteString("{" + p.code + "}")
	}
	return `f"` + b.String() + `"`
}

func (d *python) helper(name string) string { return "_" + name }

func (d *python) bucket(call string) piece {
	name := numbered("bucket", d.buckets)
	d.buckets++
	d.statements = append(d.statements, name+" = "+call)
	return piece{code: name}
}

func (d *python) exact(p *param) string { return "_exact(" + p.name + ")" }

// imports returns the modules that the function needs.
func (d *python) imports(f *function) string {
	out := ""
	if f.escapers != nil {
		out += "import re\n"
	}
	if f.has(pk.Time) {
		out += "from datetime import datetime, timezone\n"
	}
	if out != "" {
		out += "\n\n"
	}
	return out
}

// pythonHelpers are the functions that the key's function calls.
var pythonHelpers = helpers{
	bucket: pythonBucket, lower: pythonLower, escape: pythonEscape, utc: pythonUTC, exact: pythonExact,
	set: func(separators string) string { return strings.ReplaceAll(charClass(separators), `"`, `\"`) },
}

const pythonBucket = `

def _bucket(count: int, *texts: str) -> int:
    """FNV-1a over UTF-8, then MurmurHash3's fmix32, modulo count, plus 1."""
    h = 0x811C9DC5
    for byte in "\0".join(texts).encode():
        h = (h ^ byte) * 0x01000193 & 0xFFFFFFFF
    h = (h ^ h >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    h = (h ^ h >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return (h ^ h >> 16) % count + 1
`

const pythonLower = `

def _lower(text: str) -> str:
    """ASCII lower case; other letters stay as they are."""
    return text.encode().lower().decode()
`

const pythonEscape = `

def %s(text: str) -> str:
    """Percent-encodes characters that would be ambiguous or illegal in a key."""
    return re.sub(
        r"[%s\x00-\x1f\x7f-\x9f\U00010000-\U0010ffff]",
        lambda match: "".join(f"%%{byte:02X}" for byte in match[0].encode()),
        text,
    )
`

const pythonUTC = `

def _utc(at: datetime) -> datetime:
    """A time without a zone has no place in a key: it would depend on the machine."""
    if at.utcoffset() is None:
        raise ValueError(f"{at} has no time zone")
    return at.astimezone(timezone.utc)
`

const pythonExact = `

def _exact(number: int) -> int:
    """Cosmos DB stores doubles, which hold integers up to 2**53."""
    if abs(number) > 2**53:
        raise ValueError(f"{number} is beyond ±2**53")
    return number
`
