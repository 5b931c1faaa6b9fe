package keyfunc

import (
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
)

// javaScriptReserved are names that parameters cannot have: the reserved words of modules, and
// identifiers that the functions here use.
const javaScriptReserved = `arguments async await break case catch class const continue debugger default delete do else
enum eval export extends false finally for function if implements import in instanceof interface let new null of
package private protected public return static super switch this throw true try typeof undefined var void while with
yield bucket escape escape2 escape3 exact lower`

// javaScriptTypes are the names of JavaScript's types, in JSDoc.
var javaScriptTypes = types{
	of: map[pk.Value]string{
		pk.String: "string", pk.Int: "bigint | number", pk.Uint: "bigint | number", pk.Bool: "boolean",
		pk.Float: "number", pk.Time: "Date", pk.Text: "string", pk.TextPtr: "string",
	},
	suffix: "number", integer: "number", texts: "string[]", levels: "Array<string | number | boolean>",
}

// javaScript makes texts as template literals.
type javaScript struct{}

// writeJavaScript writes a function:
//
//	export function vehicleEventPartitionKey(date, vin) {
//	  return `${date}.${bucket(400, vin)}`;
//	}
func writeJavaScript(f *function) (string, error) {
	if err := f.precision(3, "JavaScript's Date"); err != nil {
		return "", err
	}
	f.nameParams(camel, javaScriptReserved)
	d := javaScript{}
	fit := strings.NewReplacer("*/", `*\/`).Replace
	var b strings.Builder
	b.WriteString("/**\n" + comment(f.describe("javascript", f.one()), " * ", fit) + " *\n")
	var params []string
	for _, p := range f.params {
		params = append(params, p.name)
		typ, note := javaScriptTypes.param(p), f.note(p)
		if p.count == 0 && (p.Value == pk.Int || p.Value == pk.Uint) {
			note = strings.TrimPrefix(note+"; a bigint if it can be beyond ±2^53", "; ")
		}
		b.WriteString(strings.TrimRight(fmt.Sprintf(" * @param {%s} %s %s", typ, p.name, fit(visible(note))), " ") + "\n")
	}
	fmt.Fprintf(&b, " * @returns {%s}\n */\n", javaScriptTypes.returns(f))
	b.WriteString(list("export function "+camel(f.functionWords())+"(", params, ") {\n", "  ", ",\n"))
	fmt.Fprintf(&b, "  return %s;\n}\n", f.result(d, "[", "]"))
	b.WriteString(f.helpers(d, javaScriptHelpers))
	return b.String(), nil
}

func (d javaScript) component(p *param, c pk.Component) []piece {
	switch c.Value {
	case pk.Int, pk.Uint:
		return []piece{{code: "BigInt(" + p.name + ")"}}
	case pk.Bool:
		return []piece{{code: p.name}}
	case pk.Time:
		return javaScriptTime(p.name, c.Layout)
	}
	return []piece{{code: p.name, text: true}}
}

// javaScriptTime returns the text of a time, cut from its ISO form in UTC:
// 2018-08-09T01:30:00.000Z.
func javaScriptTime(name, layout string) []piece {
	iso := name + ".toISOString()"
	const full = "2006-01-02T15:04:05.000"
	if strings.HasPrefix(full, layout) {
		return []piece{{code: fmt.Sprintf("%s.slice(0, %d)", iso, len(layout)), text: true}}
	}
	var out []piece
	for _, e := range timelayout.Scan(layout) {
		at := strings.Index(full, e.Unit.Element())
		switch {
		case e.Unit == timelayout.Literal:
			out = append(out, piece{literal: e.Text})
		case e.Unpadded():
			out = append(out, piece{code: fmt.Sprintf("Number(%s.slice(%d, %d))", iso, at, at+2)})
		default:
			out = append(out, piece{code: fmt.Sprintf("%s.slice(%d, %d)", iso, at, at+len(e.Text)), text: true})
		}
	}
	return out
}

// join returns a template literal, or String() for a single number.
func (d javaScript) join(pieces []piece) string {
	if p := pieces[0]; len(pieces) == 1 && p.code != "" {
		return "String(" + p.code + ")"
	}
	var b strings.Builder
	for _, p := range pieces {
		if p.code == "" {
			b.WriteString(escaped(p.literal, '`'))
			continue
		}
		b.WriteString("${" + p.code + "}")
	}
	return "`" + b.String() + "`"
}

func (d javaScript) helper(name string) string { return name }

func (d javaScript) bucket(call string) piece { return piece{code: call} }

func (d javaScript) exact(p *param) string { return "exact(" + p.name + ")" }

// javaScriptHelpers are the functions that the key's function calls.
var javaScriptHelpers = helpers{
	bucket: javaScriptBucket, lower: javaScriptLower, escape: javaScriptEscape, exact: javaScriptExact,
	set: charClass,
}

const javaScriptBucket = `
/** FNV-1a over UTF-8, then MurmurHash3's fmix32, modulo count, plus 1. */
function bucket(count, ...texts) {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(texts.join("\0"))) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (((hash ^ (hash >>> 16)) >>> 0) % count) + 1;
}
`

const javaScriptLower = `
/** ASCII lower case; other letters stay as they are. */
function lower(text) {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
`

const javaScriptEscape = `
/** Percent-encodes characters that would be ambiguous or illegal in a key. */
function %s(text) {
  return text.replace(/[%s\x00-\x1f\x7f-\x9f\u{10000}-\u{10ffff}]/gu, (match) =>
    Array.from(new TextEncoder().encode(match), (byte) => "%%" + byte.toString(16).toUpperCase().padStart(2, "0")).join(""),
  );
}
`

const javaScriptExact = `
/** Cosmos DB stores doubles, which hold integers up to 2^53. */
function exact(number) {
  if (number > 2 ** 53 || number < -(2 ** 53)) {
    throw new RangeError(` + "`${number} is beyond ±2^53`" + `);
  }
  return Number(number);
}
`
