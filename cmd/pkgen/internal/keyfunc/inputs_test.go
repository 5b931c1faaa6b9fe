package keyfunc

import (
	"slices"
	"strconv"

	"github.com/cosmos-pkgen/pkgen/internal/pk"
	"github.com/cosmos-pkgen/pkgen/templates"
)

// The texts that parameters are given.
var (
	legalTexts = []string{
		"abc-123", "2018-08-09", "1HGCM82633A004352", "WVWZZZ1JZ3W386752", "é", "日本", "e\u0301", "\uffff", "\ufffd",
		`"quoted"`, `back\slash`, "100%", "a.b-c", "null", "undefined", " ", "0", "\u00a0", "\u200b", "${x}`{y}'", "ÀÉîß", "\u202e",
	}
	casedTexts = []string{
		"ABC-123", "MiXeD", "1hgcm82633a004352", "É", "\u212a", "İI", "ẞß", "Σς", "@[`{", "Z", "日本X",
	}
	// What only escaping lets into a key.
	illegalTexts = []string{
		"a\x00b", "\x1f", "\x7f", "\u0080\u009f\u00a0", "😀", "\U0010ffff", "%2D", "%", "-", "a.b-c:d/e", "é]^\\\"[/",
		"\ue000\ufffe", "-.-", "tab\tand\nline",
	}
	addresses = []string{"192.0.2.1", "2001:db8::1", "::ffff:192.0.2.1"}
	signeds   = []string{
		"0", "1", "-1", "42", "9223372036854775807", "-9223372036854775808", "9007199254740993", "-9007199254740993",
		"9007199254740992", "-9007199254740992", "1000000000000000000", "2147483648",
	}
	unsigneds = []string{
		"0", "2018", "18446744073709551615", "9223372036854775808", "9223372036854775807", "9007199254740993",
		"9007199254740992", "4294967296", "1", "10000000000000000000",
	}
	floats = []string{"0", "0.5", "-1.25", "0.1", "1e+21", "5e-324", "1.7976931348623157e+308", "9007199254740993"}
	times  = []string{
		"2018-08-09T01:30:00.000+02:00", "0001-01-01T00:00:01.000Z", "9999-12-31T23:59:59.999Z", "2016-02-29T23:59:59.999Z",
		"2000-02-29T12:00:00.001Z", "1900-03-01T13:59:59.000+14:00", "2018-12-31T22:00:00.000-05:00", "1969-12-31T23:59:59.950Z",
		"0999-06-15T08:09:10.099Z", "2024-03-01T00:30:00.500+01:00", "2024-02-28T23:30:00.000-00:45", "0001-12-31T23:00:00.000-01:00",
		"9999-12-31T12:00:00.000+12:00", "2018-08-09T07:06:05.043Z",
	}
)

// rowsOfSeveral is the number of rows for a type with several parameters.
const rowsOfSeveral = 14

// inputs chooses rows of inputs for a type. Types begin at different places, so
// that each text meets many layouts.
func inputs(c *templates.Type, index int) [][]string {
	f := newFunction(c)
	rows := rowsOfSeveral
	if len(f.params) == 1 {
		rows = len(pool(f, f.params[0]))
	}
	out := make([][]string, rows, rows+1)
	for i := range out {
		for j, p := range f.params {
			texts := pool(f, p)
			at := i + 5*j
			if len(f.params) > 1 {
				at += 7 * index
			}
			out[i] = append(out[i], texts[at%len(texts)])
		}
	}
	if c.Name == "VehicleEvent" {
		out = append(out, []string{"2018-08-09", "1HGCM82633A004352"}) // as the documentation has it
	}
	return out
}

// pool returns the texts that a parameter may have.
func pool(f *function, p *param) []string {
	if p.count > 0 {
		return []string{"1", strconv.Itoa(p.count), "17"}
	}
	switch p.Value {
	case pk.Int:
		return signeds
	case pk.Uint:
		return unsigneds
	case pk.Bool:
		return []string{"true", "false"}
	case pk.Float:
		return floats
	case pk.Time:
		return times
	case pk.Text, pk.TextPtr:
		return addresses
	}
	texts := legalTexts
	if f.lowers {
		texts = slices.Concat(texts, casedTexts)
	}
	if f.escapers != nil {
		texts = slices.Concat(illegalTexts, texts)
	}
	return texts
}
