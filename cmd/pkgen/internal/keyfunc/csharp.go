package keyfunc

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
)

// cSharpReserved are names that parameters cannot have: the keywords of C#.
const cSharpReserved = `abstract as base bool break byte case catch char checked class const continue decimal default
delegate do double else enum event explicit extern false finally fixed float for foreach goto if implicit in int
interface internal is lock long namespace new null object operator out override params private protected public
readonly ref return sbyte sealed short sizeof stackalloc static string struct switch this throw true try typeof uint
ulong unchecked unsafe ushort using virtual void volatile while`

// cSharpTypes are the names of C#'s types.
var cSharpTypes = types{
	of: map[pk.Value]string{
		pk.String: "string", pk.Int: "long", pk.Uint: "ulong", pk.Bool: "bool",
		pk.Float: "double", pk.Time: "DateTimeOffset", pk.Text: "string", pk.TextPtr: "string",
	},
	suffix: "int", integer: "double", texts: "string[]", levels: "object[]",
}

// cSharp makes texts by concatenation.
type cSharp struct{}

// writeCSharp writes a class:
//
//	public static class VehicleEventPartitionKey
//	{
//	    public static string Create(string date, string vin)
//	    {
//	        return date + "." + Bucket(400, vin);
//	    }
//	}
func writeCSharp(f *function) (string, error) {
	if err := f.precision(7, "C#'s DateTimeOffset"); err != nil {
		return "", err
	}
	f.nameParams(camel, cSharpReserved)
	d := cSharp{}
	fit := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace
	notes := f.notes(func(p *param, note string) string {
		return "    /// <param name=\"" + p.name + "\">" + fit(note) + "</param>\n"
	})
	var params []string
	for _, p := range f.params {
		params = append(params, cSharpTypes.param(p)+" "+p.name)
	}
	returns := cSharpTypes.returns(f)
	result := f.result(d, "new "+returns+" { ", " }")

	var b strings.Builder
	b.WriteString(d.imports(f))
	fmt.Fprintf(&b, "/// <summary>Makes the partition keys of %s documents.</summary>\n", f.Name)
	fmt.Fprintf(&b, "public static class %s\n{\n    /// <summary>\n", pascal(f.functionWords()))
	b.WriteString(d.doc(f, fit) + "    /// </summary>\n" + strings.Join(notes, ""))
	b.WriteString(list("    public static "+returns+" Create(", params, ")\n", "        ", ""))
	fmt.Fprintf(&b, "    {\n        return %s;\n    }\n%s}\n", result, f.helpers(d, cSharpHelpers))
	return b.String(), nil
}

// doc returns the comment before the parameters, in XML.
func (d cSharp) doc(f *function, fit func(string) string) string {
	const prefix = "    /// "
	var b strings.Builder
	for _, p := range f.describe("csharp", f.one()) {
		if p.line != "" {
			fmt.Fprintf(&b, "%s<code>%s</code>\n", prefix, fit(visible(p.line)))
			continue
		}
		b.WriteString(comment([]paragraph{p}, prefix, fit))
	}
	return b.String()
}

func (d cSharp) component(p *param, c pk.Component) []piece {
	code := p.name
	switch c.Value {
	case pk.Int, pk.Uint:
		code += ".ToString(CultureInfo.InvariantCulture)"
	case pk.Bool:
		code = "(" + code + ` ? "true" : "false")`
	case pk.Time:
		code += ".UtcDateTime.ToString(" + quote(cSharpFormat(c.Layout)) + ", CultureInfo.InvariantCulture)"
	}
	return []piece{{code: code, text: true}}
}

// cSharpFormat returns a layout in the notation of DateTime.
func cSharpFormat(layout string) string {
	names := map[string]string{"2006": "yyyy", "01": "MM", "02": "dd", "15": "HH", "04": "mm", "05": "ss",
		"1": "M", "2": "d", "4": "m", "5": "s"}
	var b strings.Builder
	for _, e := range timelayout.Scan(layout) {
		switch e.Unit {
		case timelayout.Fraction:
			b.WriteString("." + strings.Repeat("f", len(e.Text)-len(".")))
		case timelayout.Literal:
			for _, r := range e.Text {
				if unicode.IsLetter(r) || strings.ContainsRune(`\'"%`, r) {
					b.WriteByte('\\')
				}
				b.WriteRune(r)
			}
		default:
			b.WriteString(names[e.Text])
		}
	}
	return b.String()
}

// join returns a sum; a single number is converted to text.
func (d cSharp) join(pieces []piece) string {
	if p := pieces[0]; len(pieces) == 1 && p.code != "" {
		return p.code + ".ToString()"
	}
	return concatenate(pieces, func(code string) string { return code }, "            ")
}

func (d cSharp) helper(name string) string { return pascal([]string{name}) }

func (d cSharp) bucket(call string) piece { return piece{code: call} }

func (d cSharp) exact(p *param) string { return "Exact(" + p.name + ")" }

// imports returns the namespaces that the class needs.
func (d cSharp) imports(f *function) string {
	var b strings.Builder
	use := func(needed bool, namespace string) {
		if needed {
			b.WriteString("using " + namespace + ";\n")
		}
	}
	exact := f.exact(pk.Int, pk.Uint)
	numbers := f.has(pk.Int, pk.Uint)
	use(f.has(pk.Time) || exact, "System")
	use(f.has(pk.Time) || numbers, "System.Globalization")
	use(f.escapers != nil, "System.Linq")
	use(f.hashes || f.escapers != nil, "System.Text")
	use(f.lowers || f.escapers != nil, "System.Text.RegularExpressions")
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

// cSharpHelpers are the methods that the key's method calls.
var cSharpHelpers = helpers{
	bucket: cSharpBucket, lower: cSharpLower, escape: cSharpEscape, exact: cSharpExact,
	set: func(separators string) string { return strings.ReplaceAll(charClass(separators), `"`, `""`) },
}

const cSharpBucket = `
    // FNV-1a over UTF-8, then MurmurHash3's fmix32, modulo count, plus 1.
    private static uint Bucket(uint count, params string[] texts)
    {
        unchecked
        {
            uint hash = 0x811c9dc5;
            foreach (byte b in Encoding.UTF8.GetBytes(string.Join("\0", texts)))
            {
                hash = (hash ^ b) * 0x01000193;
            }
            hash = (hash ^ (hash >> 16)) * 0x85ebca6b;
            hash = (hash ^ (hash >> 13)) * 0xc2b2ae35;
            return (hash ^ (hash >> 16)) % count + 1;
        }
    }
`

const cSharpLower = `
    // ASCII lower case; other letters stay as they are.
    private static string Lower(string text)
    {
        return Regex.Replace(text, "[A-Z]", m => m.Value.ToLowerInvariant());
    }
`

const cSharpEscape = `
    // Percent-encodes characters that would be ambiguous or illegal in a key.
    private static string %s(string text)
    {
        return Regex.Replace(text, @"[\uD800-\uDBFF][\uDC00-\uDFFF]|[%s\x00-\x1F\x7F-\x9F]",
            m => string.Concat(Encoding.UTF8.GetBytes(m.Value).Select(b => "%%" + b.ToString("X2"))));
    }
`

const cSharpExact = `
    // Cosmos DB stores doubles, which hold integers up to 2^53.
    private static double Exact(decimal number)
    {
        if (Math.Abs(number) > 9007199254740992)
        {
            throw new ArgumentOutOfRangeException(nameof(number), number, "beyond ±2^53");
        }
        return (double)number;
    }
`
