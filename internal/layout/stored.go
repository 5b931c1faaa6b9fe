package layout

import (
	"strconv"
	"strings"

	"github.com/cosmos-pkgen/pkgen/internal/jsonscan"
)

// Stored returns the partition key under which the service stores a document: the values at the
// paths of the container. A missing property is [partition.Undefined].
//
// The error is an [*Error] if the document is not a JSON object, or has an object or an array in
// the key, which the service refuses. The key of a candidate is not stored, and has no values.
// Stored costs the same as [Layout.Key].
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
