package keyfunc

import (
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/internal/timelayout"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// javaReserved are names that parameters cannot have: the keywords of Java.
const javaReserved = `abstract assert boolean break byte case catch char class const continue default do double else enum
extends false final finally float for goto if implements import instanceof int interface long native new null package
private protected public return short static strictfp super switch synchronized this throw throws transient true try
void volatile while`

// javaTypes are the names of Java's types.
var javaTypes = types{
	of: map[pk.Value]string{
		pk.String: "String", pk.Int: "long", pk.Uint: "long", pk.Bool: "boolean",
		pk.Float: "double", pk.Time: "Instant", pk.Text: "String", pk.TextPtr: "String",
	},
	suffix: "int", integer: "double", texts: "List<String>", levels: "List<Object>",
}

// java makes texts by concatenation.
type java struct{}

// writeJava writes a class:
//
//	public final class VehicleEventPartitionKey {
//	    public static String of(String date, String vin) {
//	        return date + "." + bucket(400, vin);
//	    }
//	}
func writeJava(f *function) (string, error) {
	f.nameParams(camel, javaReserved)
	d := java{}
	// A backslash before a u is an escape even in comments, and an at sign begins
	// a tag of Javadoc.
	fit := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `\`, "&#92;", "*/", "*&#47;", "@", "&#64;").Replace
	notes := f.notes(func(p *param, note string) string {
		return "     * @param " + p.name + " " + fit(note) + "\n"
	})
	var params []string
	for _, p := range f.params {
		params = append(params, javaTypes.param(p)+" "+p.name)
	}
	result := f.result(d, "List.of(", ")")
	class := pascal(f.functionWords())

	var b strings.Builder
	b.WriteString(d.imports(f))
	fmt.Fprintf(&b, "/** Makes the partition keys of %s documents. */\npublic final class %s {\n    private %[2]s() {}\n\n", f.Name, class)
	b.WriteString("    /**\n" + d.doc(f, fit, notes) + "     */\n")
	b.WriteString(list("    public static "+javaTypes.returns(f)+" of(", params, ") {\n", "            ", ""))
	fmt.Fprintf(&b, "        return %s;\n    }\n%s}\n", result, d.helpers(f))
	return b.String(), nil
}

// doc returns the comment: paragraphs in HTML, and notes on parameters.
func (d java) doc(f *function, fit func(string) string, notes []string) string {
	paragraphs := f.describe("java", f.one())
	if f.has(pk.Uint) {
		last := &paragraphs[len(paragraphs)-1]
		last.prose += " Negative values of " + f.unsigned() + " mean those from 2^63 on."
	}
	const prefix = "     * "
	var b strings.Builder
	for _, p := range paragraphs {
		switch {
		case p.line != "":
			fmt.Fprintf(&b, "%s<pre>%s</pre>\n", prefix, fit(visible(p.line)))
		default:
			b.WriteString(comment([]paragraph{p}, prefix, fit))
		}
	}
	if notes != nil {
		b.WriteString("     *\n" + strings.Join(notes, ""))
	}
	return b.String()
}

// unsigned names the parameters that are unsigned integers.
func (f *function) unsigned() string {
	var names []string
	for _, p := range f.params {
		if p.count == 0 && p.Value == pk.Uint {
			names = append(names, p.name)
		}
	}
	return strings.Join(names, ", ")
}

func (d java) component(p *param, c pk.Component) []piece {
	switch c.Value {
	case pk.Int, pk.Bool:
		return []piece{{code: p.name}}
	case pk.Uint:
		return []piece{{code: "Long.toUnsignedString(" + p.name + ")", text: true}}
	case pk.Time:
		call := "utc(" + p.name + ", " + quote(javaPattern(c.Layout)) + ")"
		return []piece{{code: call, text: true}}
	}
	return []piece{{code: p.name, text: true}}
}

// javaPattern returns a layout in the notation of DateTimeFormatter.
func javaPattern(layout string) string {
	names := map[string]string{"2006": "uuuu", "01": "MM", "02": "dd", "15": "HH", "04": "mm", "05": "ss",
		"1": "M", "2": "d", "4": "m", "5": "s"}
	var b strings.Builder
	for _, e := range timelayout.Scan(layout) {
		switch {
		case e.Unit == timelayout.Fraction:
			b.WriteString("." + strings.Repeat("S", len(e.Text)-len(".")))
		case e.Unit != timelayout.Literal:
			b.WriteString(names[e.Text])
		case strings.Trim(e.Text, "-:./ _") == "":
			b.WriteString(e.Text)
		default:
			b.WriteString("'" + strings.ReplaceAll(e.Text, "'", "''") + "'")
		}
	}
	return b.String()
}

// join returns a sum; a single number is converted to text.
func (d java) join(pieces []piece) string {
	if p := pieces[0]; len(pieces) == 1 && p.code != "" {
		return "String.valueOf(" + p.code + ")"
	}
	return concatenate(pieces, func(code string) string { return code }, "                ")
}

func (d java) helper(name string) string { return name }

func (d java) bucket(call string) piece { return piece{code: call} }

func (d java) exact(p *param) string {
	if p.Value == pk.Uint {
		return "exactUnsigned(" + p.name + ")"
	}
	return "exact(" + p.name + ")"
}

// imports returns the classes that the class needs.
func (d java) imports(f *function) string {
	var b strings.Builder
	use := func(needed bool, classes ...string) {
		for _, c := range classes {
			if needed {
				b.WriteString("import " + c + ";\n")
			}
		}
	}
	use(f.hashes || f.escapers != nil, "java.nio.charset.StandardCharsets")
	use(f.has(pk.Time), "java.time.Instant", "java.time.ZoneOffset", "java.time.format.DateTimeFormatter")
	use(f.Kind == templates.Hierarchical, "java.util.List")
	use(f.lowers || f.has(pk.Time), "java.util.Locale")
	use(f.lowers || f.escapers != nil, "java.util.regex.Pattern")
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

// helpers returns the methods that the key's method calls.
func (d java) helpers(f *function) string {
	out := f.helpers(d, javaHelpers)
	if f.exact(pk.Int) {
		out += javaExact
	}
	if f.exact(pk.Uint) {
		out += javaExactUnsigned
	}
	return out
}

// javaHelpers are the methods that the key's method calls, except the two methods
// for exact integers.
var javaHelpers = helpers{
	bucket: javaBucket, lower: javaLower, escape: javaEscape, utc: javaUTC,
	set: func(separators string) string { return escaped(charClass(separators), '"') },
}

const javaBucket = `
    /** FNV-1a over UTF-8, then MurmurHash3's fmix32, modulo count, plus 1. */
    private static int bucket(int count, String... texts) {
        int hash = 0x811c9dc5;
        for (byte b : String.join("\0", texts).getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * 0x01000193;
        }
        hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
        hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
        return Integer.remainderUnsigned(hash ^ (hash >>> 16), count) + 1;
    }
`

const javaLower = `
    /** ASCII lower case; other letters stay as they are. */
    private static String lower(String text) {
        return Pattern.compile("[A-Z]").matcher(text).replaceAll(m -> m.group().toLowerCase(Locale.ROOT));
    }
`

const javaEscape = `
    /** Percent-encodes characters that would be ambiguous or illegal in a key. */
    private static String %s(String text) {
        Pattern unsafe = Pattern.compile("[%s\\x00-\\x1f\\x7f-\\x9f\\x{10000}-\\x{10ffff}]");
        return unsafe.matcher(text).replaceAll(m -> {
            StringBuilder hex = new StringBuilder();
            for (byte b : m.group().getBytes(StandardCharsets.UTF_8)) {
                hex.append(String.format("%%%%%%02X", b));
            }
            return hex.toString();
        });
    }
`

const javaUTC = `
    private static String utc(Instant at, String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ROOT).format(at.atOffset(ZoneOffset.UTC));
    }
`

const javaExact = `
    /** Cosmos DB stores doubles, which hold integers up to 2^53. */
    private static double exact(long number) {
        if (number > 1L << 53 || number < -(1L << 53)) {
            throw new IllegalArgumentException(number + " is beyond ±2^53");
        }
        return number;
    }
`

const javaExactUnsigned = `
    /** Cosmos DB stores doubles, which hold integers up to 2^53. */
    private static double exactUnsigned(long number) {
        if (number < 0 || number > 1L << 53) {
            throw new IllegalArgumentException(Long.toUnsignedString(number) + " is beyond 2^53");
        }
        return number;
    }
`
