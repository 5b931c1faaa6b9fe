package layout

import (
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/jsonscan"
)

// Stored returns the partition key that a document is stored under: the values at the
// paths of the container. A property that the document lacks is [partition.Undefined].
//
// The error is an [*Error], for a document that is no JSON object, or for a value that
// the service does not take as a key: an object, an array. A candidate is not stored:
// its keys have no values. It costs what [Layout.Key] costs.
func (l *Layout) Stored(document []byte) (Key, error) {
	var slots [maxLevels]span
	s := scanner{Checker: jsonscan.Check(document), slots: slots[:]}
	if err := l.scan(&s, l.stored.children); err != nil || l.stored.children == nil {
		return Key{}, err
	}
	in := values{text: document, spans: slots[:]}
	k := Key{n: len(l.levels)}
	var buffer [128]byte
	texts := buffer[:0]
	for i := range l.levels {
		v, to := in.at(i), &k.values[i]
		if v.raw == nil {
			continue
		}
		switch v.kind() {
		case "string":
			texts, _ = jsonscan.AppendText(texts, v.raw)
			*to = keyValue{kind: str, end: len(texts)}
		case "number":
			f, _ := strconv.ParseFloat(string(v.raw), 64)
			*to = keyValue{kind: number, number: f}
		case "boolean":
			*to = keyValue{kind: truth}
			if v.raw[0] == 't' {
				to.number = 1
			}
		case "null":
			to.kind = null
		default:
			return Key{}, &Error{Type: l.typ, Property: strings.ReplaceAll(l.levels[i].Path[1:], "/", "."), Problem: OtherType,
				Reason: "is of JSON type " + v.kind() + ", which cannot be a partition key: correct the document"}
		}
	}
	k.texts = string(texts)
	return k, nil
}
