package keyfunc

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/cosmossql"
	"github.com/cosmos-pkgen/pkgen/internal/jsonpointer"
	"github.com/cosmos-pkgen/pkgen/internal/pk"
)

// sql makes texts by CONCAT and ToString.
type sql struct{}

// writeSQL writes a query for the keys of a container's documents:
//
//	SELECT VALUE CONCAT(c["deviceId"], "-", ToString(c["date"])) FROM c
//
// Lower case is LOWER. It follows Unicode, as Microsoft's page on LOWER says, which makes no
// difference here: pkgen accepts only ASCII in these components.
func writeSQL(f *function) (string, error) {
	if err := f.sqlRefusal(); err != nil {
		return "", err
	}
	d := sql{}
	paragraphs := f.describe("sql", "each "+f.Name+" document")
	for _, p := range f.params {
		if p.count > 0 {
			p.name = "@suffix"
			paragraphs = append(paragraphs, paragraph{prose: "@suffix: " + f.note(p) + "."})
			continue
		}
		p.name = cosmossql.Property(jsonpointer.Names(p.Pointer)...)
		if p.Value == pk.Text || p.Value == pk.TextPtr {
			paragraphs = append(paragraphs, paragraph{prose: p.name + " has to hold the text form of Go's " + goType(p.Type) + "."})
		}
	}
	if f.lowers {
		paragraphs = append(paragraphs, paragraph{prose: "LOWER changes letters beyond ASCII too, which pkgen refuses where it writes lower case."})
	}
	if f.has(pk.Int, pk.Uint) {
		paragraphs = append(paragraphs, paragraph{prose: "Integers are doubles here: beyond ±2^53 they are rounded, and ToString " +
			"writes large ones with an exponent. Trust the digits of those below 10^15."})
	}
	return comment(paragraphs, "-- ", func(s string) string { return s }) + "SELECT VALUE " + f.result(d, "[", "]") + " FROM c\n", nil
}

// sqlRefusal returns why the query language cannot compute the key.
func (f *function) sqlRefusal() error {
	switch {
	case f.hashes:
		return errors.New("SQL has no function for the bytes of a text, so it cannot compute a hash: use another language")
	case f.escapers != nil:
		return errors.New("SQL cannot percent-encode the bytes of a text: use another language")
	}
	for _, p := range f.params {
		if p.Hiding != "" {
			return fmt.Errorf("%s writes JSON of its own, so documents do not have %s: use another language", p.Hiding, p.Property)
		}
		if p.count == 0 && p.Value == pk.Time {
			return fmt.Errorf("%s is a time, whose JSON may have any offset, and SQL cannot convert offsets to UTC: use another language", p.Property)
		}
	}
	return nil
}

func (d sql) component(p *param, c pk.Component) []piece {
	switch c.Value {
	case pk.Int, pk.Uint, pk.Bool:
		return []piece{{code: p.name}}
	}
	return []piece{{code: p.name, text: true}}
}

// join returns CONCAT, which takes only texts, and at least two.
func (d sql) join(pieces []piece) string {
	texts := terms(pieces, func(code string) string { return "ToString(" + code + ")" })
	if len(texts) == 1 {
		return texts[0]
	}
	return "CONCAT(" + strings.Join(texts, ", ") + ")"
}

func (d sql) helper(name string) string { return strings.ToUpper(name) }

func (d sql) bucket(call string) piece { return piece{code: call} }

func (d sql) exact(p *param) string { return p.name }
